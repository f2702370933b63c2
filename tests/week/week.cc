#include "tests/week/week.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/core.h>
#include <unistd.h>

#include "core/detectors/all.h"
#include "daemon/state/state_store.h"

namespace tidegauge::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kCluster = "main";
const std::string kCheckpoints = "/data/checkpoints/";

/// What `ledger` is after it was written to disk and read again.
Ledger ThroughDisk(const Ledger& ledger) {
  std::string pattern = (std::filesystem::temp_directory_path() / "week-XXXXXX").string();
  const std::filesystem::path directory = ::mkdtemp(pattern.data());
  Ledger read;
  {
    auto store = StateStore::Open(directory.string()).value();
    store->Save(ledger).value();
  }
  {
    auto store = StateStore::Open(directory.string()).value();
    read = store->Load().value();
  }
  std::filesystem::remove_all(directory);
  return read;
}

}  // namespace

Week::Week(std::uint64_t seed, Time begin)
    : dice(seed),
      kafka(now_, Dice(seed + 1)),
      now_(begin),
      next_lot_(begin),
      polled_at_(std::max(begin, kMonday)) {
  WatchStorage();
}

Week::Week(const Week& other)
    : World(other),
      dice(other.dice),
      storage(other.storage),
      kafka(other.kafka, now_),
      ledger(other.ledger),
      report(other.report),
      now_(other.now_),
      next_lot_(other.next_lot_),
      polls_(other.polls_),
      polled_at_(other.polled_at_),
      restart_due_(other.restart_due_),
      queries_(other.queries_),
      agenda_(other.agenda_),
      killings_(other.killings_),
      hung_(other.hung_),
      known_(other.known_),
      scans_(other.scans_) {
  WatchStorage();
}

const Rules& Week::rules() {
  static const Rules kRules{.detectors = AllDetectors()};
  return kRules;
}

// ---------------------------------------------------------------- the scenery

SimulatedQuery& Week::Add(const std::string& name, const QueryPlan& plan, Time start) {
  const auto seed = static_cast<std::uint64_t>(dice.Below(std::numeric_limits<int>::max()));
  return queries_.try_emplace(name, kCheckpoints + name, plan, Dice(seed), start).first->second;
}

void Week::KillIn(const std::string& name, SimulatedQuery::State state, Duration pause) {
  killings_[name] = {state, pause};
}

void Week::Calm() {
  agenda_.clear();
  killings_.clear();
  hung_.clear();
  kafka.down = false;
  kafka.broker.Up();
  kafka.broker.ShowAll();
  kafka.broker.AnswerOddly(nullptr);
}

Time Week::NextAt() const {
  Time next = next_lot_;
  if (!agenda_.empty()) next = std::min(next, agenda_.begin()->first);
  for (const auto& [name, query] : queries_) next = std::min(next, query.next());
  return next;
}

void Week::ActOnNext() {
  now_ = std::max(now_, NextAt());
  if (next_lot_ <= now_) {
    kafka.Live(now_);
    next_lot_ += kLot;
    return;
  }
  if (!agenda_.empty() && agenda_.begin()->first <= now_) {
    const Happening happening = agenda_.begin()->second;
    agenda_.erase(agenda_.begin());
    happening(*this);
    return;
  }
  for (auto& [name, query] : queries_) {
    if (query.next() > now_) continue;
    query.Act(storage, kafka);
    const auto killing = killings_.find(name);
    if (killing != killings_.end() && query.state() == killing->second.first) {
      query.Kill(storage, now_, now_ + killing->second.second);
      killings_.erase(killing);
    }
    return;
  }
}

void Week::LiveUntil(Time time) {
  busy_ = true;
  while (NextAt() <= time) ActOnNext();
  now_ = std::max(now_, time);
  busy_ = false;
}

// ---------------------------------------------------------------- the daemon

/// Each call takes the daemon a moment, in which the world goes on.
void Week::WatchStorage() {
  storage.OnCall([this](const StorageCall& call) -> std::optional<Error> {
    if (busy_) return std::nullopt;
    Pass(1ms + Duration(call.number % 3));
    for (const auto& [name, until] : hung_) {
      const bool hangs = now_ < until && call.path.starts_with(kCheckpoints + name);
      if (hangs) return Error{ErrorKind::kUnavailable, call.path + ": no answer in 10 s"};
    }
    return std::nullopt;
  });
}

void Week::Pass(Duration span) { LiveUntil(now_ + span); }

const Report& Week::Poll() {
  polled_at_ += kBetweenPolls;
  LiveUntil(polled_at_);
  if (std::exchange(restart_due_, false)) {
    ledger = ThroughDisk(ledger);
    known_.clear();
    scans_.clear();
  }
  ++polls_;
  report = RunCycle(*this, rules(), ledger, polled_at_);
  storage.ResetCalls();
  return report;
}

Target Week::TargetFor(const std::string& name) const {
  const QueryPlan& plan = query(name).plan();
  Target target{.query = name,
                .checkpoint = kCheckpoints + name,
                .kafka_cluster = std::string(kCluster),
                .sink = {}};
  if (plan.sink) {
    target.sink = plan.sink->directory;
    target.scan_data_files = plan.sink->with_data_files;
  }
  return target;
}

std::optional<Target> Week::TargetOf(const std::string& directory) const {
  const std::string name = directory.substr(directory.rfind('/') + 1);
  return queries_.contains(name) ? std::optional(TargetFor(name)) : std::nullopt;
}

Readings Week::ReadCheckpoints(Time at) {
  Readings readings;
  for (const auto& [name, query] : queries_) {
    // As discovery does: what a pattern matches is what is there.
    if (!storage.Has(query.checkpoint())) continue;
    const Target target = TargetFor(name);
    auto read = ReadQuery(storage, target, known_[name], at);
    if (read.checkpoint) known_[name] = {.checkpoint = *read.checkpoint, .logs = read.logs};
    Reading reading{target, std::move(read.checkpoint), std::move(read.logs)};
    if (target.scan_data_files) {
      DataFileScan& scan = scans_.try_emplace(name, target.sink).first->second;
      if (reading.checkpoint && reading.logs.sink && *reading.logs.sink) {
        scan.Step(storage, ***reading.logs.sink, **reading.checkpoint, ScanLimits{}, at);
      }
      reading.data_files = scan.View();
    }
    readings.queries.push_back(std::move(reading));
  }
  return readings;
}

Answers Week::Ask(const Questions& topics) {
  Pass(5ms);
  const auto about = topics.find(std::string(kCluster));
  const std::set<std::string> names =
      about == topics.end() ? std::set<std::string>{} : about->second;
  Answers answers;
  answers.insert({std::string(kCluster), {.answer = kafka.broker.Fetch(names), .took = 5ms}});
  return answers;
}

StampAnswers Week::AskStamps(const Questions& topics) {
  StampAnswers answers;
  for (const auto& [cluster, names] : topics) answers[cluster] = kafka.broker.Stamps(names);
  return answers;
}

}  // namespace tidegauge::testing
