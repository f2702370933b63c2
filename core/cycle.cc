#include "core/cycle.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/history/compact_growth.h"
#include "core/history/lifecycle.h"
#include "core/history/rates.h"
#include "core/history/recollection.h"
#include "core/judged.h"
#include "core/report_builder.h"
#include "core/topics/bindings.h"
#include "core/topics/compare.h"
#include "core/topics/crossing.h"
#include "core/topics/incarnations.h"
#include "core/topics/second_look.h"
#include "core/topics/waiting.h"

namespace tidegauge {
namespace {

/// One poll: what it read, what was answered, and what it makes of both.
class Cycle {
 public:
  Cycle(World& world, const Rules& rules, Ledger& ledger, Time now)
      : world_(world), rules_(rules), ledger_(ledger), now_(now) {}

  Report Run() {
    const bool first_sight = ledger_.empty();
    readings_ = world_.ReadCheckpoints(now_);
    MissQueries();
    ForgetOtherCheckpoints();
    answers_ = world_.Ask(TopicsToAskAbout());
    LookAgain();
    NoteTopics();
    stamps_ = world_.AskStamps(TopicsToDate());
    for (const Reading& reading : readings_.queries) views_.push_back(Compare(reading));
    const std::vector<Finding> findings = Judge();
    Remember(findings);
    Report report = BuildReport(readings_, answers_, views_, ledger_, now_);
    report.first_sight = first_sight;
    return report;
  }

 private:
  void MissQueries();
  void ForgetOtherCheckpoints();
  Questions TopicsToAskAbout() const;
  void LookAgain();
  void NoteTopics();
  bool OffsetsFell(const std::string& cluster, const std::string& cluster_id,
                   const std::string& topic) const;
  Questions TopicsToDate() const;
  QueryView Compare(const Reading& reading);
  TopicComparison CompareTopic(const QueryView& view, const SourceTopic& position);
  std::vector<Finding> Judge() const;
  void Remember(const std::vector<Finding>& findings);
  Duration HoldOf(const Finding& finding) const;

  /// Under which id the cluster's topics are remembered; it may have answered without one this
  /// time.
  std::string IdOf(const std::string& cluster, const ClusterAnswer& answer) const;
  const ClusterAnswer* AnswerOf(const std::string& cluster) const;
  /// What was answered about the topic; an unknown one when nothing was.
  const TopicAnswer& AnswerFor(const std::string& cluster, const std::string& topic) const;
  const TopicAnswer* PresentTopic(const std::string& cluster, const std::string& topic) const;
  const TopicStamps* StampsOf(const std::string& cluster, const std::string& topic) const;
  BindingInput InputOf(const Target& target, const Checkpoint& checkpoint,
                       const SourceTopic& position) const;

  World& world_;
  const Rules& rules_;
  Ledger& ledger_;
  Time now_;

  Readings readings_;
  Answers answers_;
  StampAnswers stamps_;
  std::vector<QueryView> views_;
};

/// A query that a pattern found, and finds no more though the pattern is the same, has lost its
/// directory.
void Cycle::MissQueries() {
  if (!readings_.complete) return;
  const auto name = [](const Reading& reading) -> const std::string& {
    return reading.target.query;
  };
  std::vector<Reading> missed;
  for (const auto& [query, memory] : ledger_.queries) {
    if (memory.checkpoint.empty() ||
        std::ranges::binary_search(readings_.queries, query, {}, name)) {
      continue;
    }
    const std::optional<Target> target = world_.TargetOf(memory.checkpoint);
    if (!target || target->query != query) continue;
    missed.push_back({*target, Fail(ErrorKind::kNotFound, memory.checkpoint + ": it is gone")});
  }
  std::ranges::move(missed, std::back_inserter(readings_.queries));
  if (!missed.empty()) std::ranges::sort(readings_.queries, {}, name);
}

void Cycle::ForgetOtherCheckpoints() {
  for (const Reading& reading : readings_.queries) {
    if (!reading.checkpoint) continue;
    ForgetOtherCheckpoint(ledger_, reading.target.query, **reading.checkpoint);
  }
}

Questions Cycle::TopicsToAskAbout() const {
  Questions questions;
  for (const Reading& reading : readings_.queries) {
    if (!reading.checkpoint || reading.target.kafka_cluster.empty()) continue;
    for (const SourceTopic& position : (*reading.checkpoint)->position) {
      questions[reading.target.kafka_cluster].insert(position.topic);
    }
  }
  return questions;
}

/// One odd answer is no news: what would alarm somebody is asked for once more.
void Cycle::LookAgain() {
  const Questions odd = OddAnswers(readings_, answers_, ledger_);
  if (odd.empty()) return;
  TakeSecondAnswers(answers_, world_.AskAgain(odd), odd);
}

/// Whether a query that read the topic's current life has since written offsets that fell.
bool Cycle::OffsetsFell(const std::string& cluster, const std::string& cluster_id,
                        const std::string& topic) const {
  const auto lives = ledger_.incarnations.find({cluster_id, topic});
  if (lives == ledger_.incarnations.end() || lives->second.empty()) return false;
  return std::ranges::any_of(readings_.queries, [&](const Reading& reading) {
    if (!reading.checkpoint || reading.target.kafka_cluster != cluster) return false;
    const Checkpoint& checkpoint = **reading.checkpoint;
    return std::ranges::any_of(checkpoint.position, [&](const SourceTopic& position) {
      if (position.topic != topic) return false;
      const auto binding =
          ledger_.bindings.find({reading.target.query, position.topic, position.source});
      return binding != ledger_.bindings.end() &&
             BelongsTo(binding->second, cluster_id, lives->second.back()) &&
             FindFall(checkpoint, topic, position.source, binding->second.batch, position.batch);
    });
  });
}

void Cycle::NoteTopics() {
  for (const auto& [cluster, asked] : answers_) {
    if (!asked.answer) continue;
    const std::string cluster_id = IdOf(cluster, *asked.answer);
    for (const auto& [topic, answer] : asked.answer->topics) {
      if (answer.presence != TopicPresence::kPresent) continue;
      const bool fell = answer.topic_id.empty() && OffsetsFell(cluster, cluster_id, topic);
      NoteTopic(ledger_, cluster_id, topic, answer, fell, now_);
      PartitionRates& rates = ledger_.log_start_rates[{cluster_id, topic}];
      for (const auto& [partition, watermarks] : answer.partitions) {
        if (watermarks.log_start) AddSample(rates[partition], now_, *watermarks.log_start);
      }
    }
  }
}

std::string Cycle::IdOf(const std::string& cluster, const ClusterAnswer& answer) const {
  if (!answer.cluster_id.empty()) return answer.cluster_id;
  for (const Reading& reading : readings_.queries) {
    if (reading.target.kafka_cluster != cluster) continue;
    const auto known = ledger_.queries.find(reading.target.query);
    if (known != ledger_.queries.end() && !known->second.cluster_id.empty()) {
      return known->second.cluster_id;
    }
  }
  return {};
}

const ClusterAnswer* Cycle::AnswerOf(const std::string& cluster) const {
  const auto asked = answers_.find(cluster);
  return asked == answers_.end() || !asked->second.answer ? nullptr : &*asked->second.answer;
}

const TopicAnswer& Cycle::AnswerFor(const std::string& cluster, const std::string& topic) const {
  static const TopicAnswer kSilent;
  const ClusterAnswer* answer = AnswerOf(cluster);
  if (answer == nullptr) return kSilent;
  const auto found = answer->topics.find(topic);
  return found == answer->topics.end() ? kSilent : found->second;
}

const TopicAnswer* Cycle::PresentTopic(const std::string& cluster, const std::string& topic) const {
  const TopicAnswer& answer = AnswerFor(cluster, topic);
  return answer.presence == TopicPresence::kPresent ? &answer : nullptr;
}

const TopicStamps* Cycle::StampsOf(const std::string& cluster, const std::string& topic) const {
  const auto answered = stamps_.find(cluster);
  if (answered == stamps_.end()) return nullptr;
  const auto found = answered->second.find(topic);
  return found == answered->second.end() ? nullptr : &found->second;
}

BindingInput Cycle::InputOf(const Target& target, const Checkpoint& checkpoint,
                            const SourceTopic& position) const {
  BindingInput input{.key = {target.query, position.topic, position.source},
                     .kafka_cluster = target.kafka_cluster,
                     .checkpoint = &checkpoint,
                     .position = &position,
                     .answer = PresentTopic(target.kafka_cluster, position.topic),
                     .now = now_,
                     .clock_margin = rules_.clock_margin};
  if (input.answer == nullptr) return input;
  input.stamps = StampsOf(target.kafka_cluster, position.topic);
  input.cluster_id = IdOf(target.kafka_cluster, *AnswerOf(target.kafka_cluster));
  const TopicKey key{input.cluster_id, position.topic};
  input.current = &ledger_.incarnations.at(key).back();
  return input;
}

Questions Cycle::TopicsToDate() const {
  Questions questions;
  for (const Reading& reading : readings_.queries) {
    if (!reading.checkpoint) continue;
    for (const SourceTopic& position : (*reading.checkpoint)->position) {
      const BindingInput input = InputOf(reading.target, **reading.checkpoint, position);
      if (input.answer != nullptr && NeedsStamps(ledger_, input)) {
        questions[reading.target.kafka_cluster].insert(position.topic);
      }
    }
  }
  return questions;
}

TopicComparison Cycle::CompareTopic(const QueryView& view, const SourceTopic& position) {
  const Target target{.query = view.query, .kafka_cluster = view.kafka_cluster};
  const BindingInput input = InputOf(target, *view.checkpoint, position);
  const Binding* binding = input.answer == nullptr ? nullptr : &Bind(ledger_, input);
  PartitionRates& rates = ledger_.position_rates[input.key];
  for (const auto& [partition, offset] : position.offsets) {
    AddSample(rates[partition], now_, offset);
  }
  return tidegauge::Compare(*view.checkpoint, position,
                            AnswerFor(view.kafka_cluster, position.topic), binding,
                            input.cluster_id, ledger_, view.query, now_);
}

QueryView Cycle::Compare(const Reading& reading) {
  QueryView view{
      .now = now_, .query = reading.target.query, .kafka_cluster = reading.target.kafka_cluster};
  view.path = reading.target.checkpoint;
  if (const ClusterAnswer* answer = AnswerOf(view.kafka_cluster)) {
    view.cluster_id = answer->cluster_id;
  }
  const auto known = ledger_.queries.find(view.query);
  if (known != ledger_.queries.end()) view.remembered = known->second;
  if (!reading.checkpoint) {
    view.checkpoint_missing = reading.checkpoint.error().kind == ErrorKind::kNotFound;
    return view;
  }
  view.checkpoint = *reading.checkpoint;
  view.logs = ViewLogs(reading.logs, *view.checkpoint, now_);
  NoteLogs(ledger_, view.query, view.logs);
  if (reading.data_files) view.data_files = reading.data_files->last;
  if (!view.kafka_cluster.empty()) {
    for (const SourceTopic& position : view.checkpoint->position) {
      view.topics.push_back(CompareTopic(view, position));
    }
  }
  NoteBackwardSteps(ledger_, view.query, view.kafka_cluster, *view.checkpoint,
                    AnswerOf(view.kafka_cluster), now_);
  const QueryMemory before = NoteQuery(ledger_, view.query, *view.checkpoint, view.cluster_id,
                                       RecordsWaiting(view.topics), now_);
  view.newest_batch_before = before.newest_batch;
  view.remembered_cluster_id = before.cluster_id;
  view.skips = OpenSkips(ledger_, view.query);
  return view;
}

std::vector<Finding> Cycle::Judge() const {
  std::vector<Finding> findings;
  for (const QueryView& view : views_) {
    for (const DetectorPtr& detector : rules_.detectors) {
      const bool in_sight = view.checkpoint != nullptr ||
                            (view.checkpoint_missing && detector->info().sees == Sees::kDirectory);
      if (detector->enabled() && in_sight) {
        std::ranges::move(detector->Check(view), std::back_inserter(findings));
      }
    }
  }
  return findings;
}

Duration Cycle::HoldOf(const Finding& finding) const {
  if (rules_.at_once) return Duration::zero();
  const auto detector = std::ranges::find_if(rules_.detectors, [&](const DetectorPtr& candidate) {
    return candidate->info().id == finding.key.kind;
  });
  const Duration hold = (*detector)->hold();
  const bool by_producers_clocks =
      finding.evidence.size() == 1 && finding.evidence.front() == "record_timestamps";
  return by_producers_clocks ? std::max(hold, rules_.likely_hold) : hold;
}

void Cycle::Remember(const std::vector<Finding>& findings) {
  const Judged judged(rules_.detectors, readings_, views_);
  TakeFindings(
      ledger_, findings, [this](const Finding& finding) { return HoldOf(finding); },
      [&judged](const FindingKey& key) { return judged.Covers(key); }, now_);
  Forget(ledger_, readings_, now_);
}

}  // namespace

Report RunCycle(World& world, const Rules& rules, Ledger& ledger, Time now) {
  ApplyAcknowledgements(ledger);
  return Cycle(world, rules, ledger, now).Run();
}

}  // namespace tidegauge
