#include "tests/support/scenario.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/detectors/all.h"

namespace tidegauge::testing {

Scenario::Scenario() { rules.detectors = AllDetectors(); }

FakeCheckpoint& Scenario::query(const std::string& name) {
  const auto known = queries_.find(name);
  if (known != queries_.end()) return known->second;
  return queries_.try_emplace(name, storage, "/data/checkpoints/" + name, now).first->second;
}

void Scenario::RemoveQuery(const std::string& name) {
  queries_.at(name).RemoveAll();
  queries_.erase(name);
}

void Scenario::LoseQuery(const std::string& name) {
  const std::string path = queries_.at(name).path();
  lost_[path] = {.query = name, .checkpoint = path, .kafka_cluster = "main"};
  RemoveQuery(name);
}

std::optional<Target> Scenario::TargetOf(const std::string& directory) const {
  const auto lost = lost_.find(directory);
  return lost == lost_.end() ? std::nullopt : std::optional(lost->second);
}

const Report& Scenario::Poll(Duration after) {
  now += after;
  storage.SetClock(now);
  report = RunCycle(*this, rules, ledger, now);
  return report;
}

const Report& Scenario::PollFor(Duration span) {
  for (const Time end = now + span; now < end;) Poll();
  return report;
}

void Scenario::ForgetEverything() {
  previous_.clear();
  ledger = {};
}

void Scenario::Acknowledge(std::string_view kind, const std::string& query,
                           const std::string& topic) {
  ledger.acknowledgements.push_back(
      {.key = {.kind = std::string(kind), .query = query, .kafka_cluster = "main", .topic = topic},
       .who = "ada",
       .why = "dealt with",
       .at = now});
}

Readings Scenario::ReadCheckpoints(Time at) {
  Readings readings{.unknown = discovery_problems, .complete = discovery_complete};
  for (const auto& [name, checkpoint] : queries_) {
    const Target target{.query = name,
                        .checkpoint = checkpoint.path(),
                        .kafka_cluster = "main",
                        .sink = sinks[name],
                        .compact_interval = compact_intervals[name]};
    if (const auto broken = unreadable.find(name); broken != unreadable.end()) {
      readings.queries.push_back({target, std::unexpected(broken->second)});
      continue;
    }
    auto read = ReadQuery(storage, target, previous_[name], at);
    if (read.checkpoint) previous_[name] = {.checkpoint = *read.checkpoint, .logs = read.logs};
    Reading reading{target, std::move(read.checkpoint), std::move(read.logs)};
    reading.data_files = Scan(reading, at);
    readings.queries.push_back(std::move(reading));
  }
  return readings;
}

std::optional<DataFileScanView> Scenario::Scan(const Reading& reading, Time at) {
  const auto limits = scanned.find(reading.target.query);
  if (limits == scanned.end()) return std::nullopt;
  std::shared_ptr<DataFileScan>& scan = scans_[reading.target.query];
  if (scan == nullptr) scan = std::make_shared<DataFileScan>(reading.target.sink);
  if (reading.checkpoint && reading.logs.sink && *reading.logs.sink) {
    scan->Step(storage, ***reading.logs.sink, **reading.checkpoint, limits->second, at);
  }
  return scan->View();
}

Answers Scenario::Ask(const Questions& topics) {
  const auto about = topics.find("main");
  Answers answers;
  answers.insert(
      {"main",
       {.answer = kafka.Fetch(about == topics.end() ? std::set<std::string>{} : about->second),
        .took = std::chrono::milliseconds(5)}});
  ++questions_asked;
  if (on_answer) on_answer(questions_asked, answers);
  return answers;
}

StampAnswers Scenario::AskStamps(const Questions& topics) {
  StampAnswers answers;
  for (const auto& [cluster, names] : topics) answers[cluster] = kafka.Stamps(names);
  if (on_stamps) on_stamps(answers);
  return answers;
}

namespace {

std::vector<std::string> KindsIn(const Report& report, Phase phase) {
  std::vector<std::string> kinds;
  for (const FindingReport& finding : report.findings) {
    if (finding.phase == phase) kinds.push_back(finding.finding.key.kind);
  }
  return kinds;
}

}  // namespace

std::vector<std::string> Firing(const Report& report) { return KindsIn(report, Phase::kFiring); }
std::vector<std::string> Pending(const Report& report) { return KindsIn(report, Phase::kPending); }

Finding The(const Report& report, std::string_view kind) {
  std::vector<Finding> found;
  for (const FindingReport& finding : report.findings) {
    if (finding.finding.key.kind == kind) found.push_back(finding.finding);
  }
  return found.size() == 1 ? found.front() : Finding{};
}

const QueryReport& QueryOf(const Report& report, std::string_view query) {
  return *std::ranges::find(report.queries, query, &QueryReport::query);
}

}  // namespace tidegauge::testing
