#include "tests/week/simulated_spark.h"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>

#include "core/checkpoint/offset_log.h"
#include "tests/support/fake_checkpoint.h"

namespace tidegauge::testing {
namespace {

using namespace std::chrono_literals;

constexpr BatchId kBatchesToRetain = 100;  // spark.sql.streaming.minBatchesToRetain
constexpr Duration kSupervisor = 2min;     // how long whatever starts drivers again waits

std::string Uuid(Dice& dice) {
  return fmt::format("{:08x}-0000-4000-8000-{:012x}", dice.Below(1LL << 32), dice.Below(1LL << 48));
}

}  // namespace

SimulatedQuery::SimulatedQuery(std::string checkpoint, QueryPlan plan, Dice dice, Time start)
    : checkpoint_(std::move(checkpoint)), plan_(std::move(plan)), dice_(dice), next_(start) {
  if (plan_.sink) sink_.emplace(*plan_.sink);
  if (plan_.trigger != Trigger::kProcessingTime) StopUntilNextStart();
}

void SimulatedQuery::Act(MemoryStorage& storage, SimulatedKafka& kafka) {
  switch (state_) {
    case State::kDown:
      return Start(storage, kafka);
    case State::kWaiting:
      return Consider(storage, kafka);
    case State::kPlanning:
      return FinishPlan(storage, kafka);
    case State::kRunning:
      return FinishRun(storage);
    case State::kListing:
      return ListFiles(storage);
    case State::kCommitting:
      return Commit(storage);
  }
}

// ---------------------------------------------------------------- start and end of a driver

void SimulatedQuery::Start(MemoryStorage& storage, SimulatedKafka& kafka) {
  first_of_run_ = true;
  replay_ = false;
  until_.reset();
  last_written_ = {};
  start_.assign(plan_.sources.size(), std::nullopt);
  if (sink_) sink_->Start(storage, next_);
  if (!storage.Has(checkpoint_ + "/metadata")) {
    Write(storage, "metadata", fmt::format(R"({{"id":"{}"}})", Uuid(dice_)));
  }
  for (const char* log : {"offsets", "commits"}) {
    if (!storage.Has(checkpoint_ + "/" + log)) {
      storage.SetClock(next_);
      storage.MakeDirectory(checkpoint_ + "/" + log);
    }
  }
  const std::vector<BatchId> offsets = BatchesIn(storage, "offsets");
  const std::vector<BatchId> commits = BatchesIn(storage, "commits");
  state_ = State::kWaiting;
  if (offsets.empty()) {
    batch_ = 0;
    if (!kafka.down) return WriteNewQuery(storage, kafka);
    return Fail(storage);
  }
  const BatchId committed = commits.empty() ? -1 : commits.back();
  if (!Restore(storage, offsets.back(), committed)) return Fail(storage);
  next_ += dice_.Between(5s, 20s);
}

/// KafkaMicroBatchStream.getOrCreateInitialPartitionOffsets, startingOffsets=earliest
void SimulatedQuery::WriteNewQuery(MemoryStorage& storage, SimulatedKafka& kafka) {
  for (std::size_t i = 0; i < plan_.sources.size(); ++i) {
    TopicOffsets initial;
    for (const std::string& topic : plan_.sources[i].topics) {
      if (!kafka.Has(topic)) return Fail(storage);
      for (const auto& [partition, log] : kafka.Partitions(topic)) {
        initial[topic][partition] = *log.log_start;
      }
    }
    const std::string name = fmt::format("sources/{}/0", i);
    if (storage.Has(checkpoint_ + "/" + name)) {
      initial = ParseInitialOffsets(storage.TextOf(checkpoint_ + "/" + name)).value();
    } else {
      Write(storage, name, std::string(1, '\0') + "v1\n" + OffsetLine(initial));
    }
    start_[i] = std::move(initial);
  }
  next_ += dice_.Between(1s, 5s);
}

/// MicroBatchExecution.populateStartOffsets. False: Spark fails.
bool SimulatedQuery::Restore(MemoryStorage& storage, BatchId newest, BatchId committed) {
  bool readable = true;
  const Ends last = ReadEnds(storage, InLog("offsets", newest), readable);
  std::vector<BatchId> offsets = BatchesIn(storage, "offsets");
  offsets.pop_back();
  Ends before(plan_.sources.size());
  if (newest > 0) {
    const bool asynchronous = plan_.asynchronous > Duration{};
    const BatchId previous = asynchronous && !offsets.empty() ? offsets.back() : newest - 1;
    before = ReadEnds(storage, InLog("offsets", previous), readable);
  }
  if (committed >= 0) {
    const std::string commit = checkpoint_ + "/" + InLog("commits", committed);
    readable = readable && storage.TextOf(commit).starts_with("v1\n{");
  }
  if (!readable || last.size() != plan_.sources.size()) return false;
  replay_ = committed != newest;
  batch_ = replay_ ? newest : newest + 1;
  start_ = replay_ ? before : last;
  if (replay_) end_ = last;
  for (std::size_t i = 0; i < start_.size(); ++i) {
    if (start_[i]) continue;
    const std::string initial = fmt::format("{}/sources/{}/0", checkpoint_, i);
    if (storage.Has(initial)) start_[i] = ParseInitialOffsets(storage.TextOf(initial)).value();
  }
  return true;
}

void SimulatedQuery::Kill(MemoryStorage& storage, Time now, Time again) {
  if (!temporary_.empty()) storage.Remove(std::exchange(temporary_, {}));
  if (sink_) sink_->Abort(storage);
  state_ = State::kDown;
  next_ = std::max(now, again);
}

void SimulatedQuery::LeaveTemporaryFile(MemoryStorage& storage, Time now) {
  const std::string name = fmt::format("offsets/.{}.{}.tmp", batch_, Uuid(dice_));
  planned_at_ = now;
  end_ = start_;
  Write(storage, name, PlanText().substr(0, 80));
}

void SimulatedQuery::SetDuration(Duration shortest, Duration longest) {
  plan_.shortest = shortest;
  plan_.longest = longest;
}

void SimulatedQuery::Fail(MemoryStorage& storage) { Kill(storage, next_, next_ + kSupervisor); }

void SimulatedQuery::StopUntilNextStart() {
  const Time midnight = std::chrono::floor<std::chrono::days>(next_);
  Time start = midnight + plan_.from_midnight;
  while (start <= next_) start += plan_.every;
  state_ = State::kDown;
  next_ = start;
}

// ---------------------------------------------------------------- a batch

/// A trigger: is there anything to do?
void SimulatedQuery::Consider(MemoryStorage& storage, SimulatedKafka& kafka) {
  planned_at_ = next_;
  if (replay_) return BeginRun(storage, kafka);
  if (kafka.down) {
    next_ += 60s;  // default.api.timeout.ms
    return Fail(storage);
  }
  for (const SourcePlan& source : plan_.sources) {
    for (const std::string& topic : source.topics) {
      if (!kafka.Has(topic)) return Fail(storage);
    }
  }
  if (!Construct(kafka)) {
    if (plan_.trigger != Trigger::kProcessingTime) return StopUntilNextStart();
    return Wait();
  }
  BeginPlan(storage);
}

/// MicroBatchExecution.constructNextBatch. False: there is nothing new.
bool SimulatedQuery::Construct(SimulatedKafka& kafka) {
  Ends latest = LatestOf(kafka);
  if (plan_.trigger == Trigger::kAvailableNow) {
    if (!until_) until_ = latest;
    latest = *until_;
  }
  end_ = Limit(kafka, std::move(latest));
  const bool first = batch_ == 0;
  if (first || end_ != start_) return true;
  return std::exchange(stateful_batch_due_, false);
}

void SimulatedQuery::BeginPlan(MemoryStorage& storage) {
  const bool asynchronous = plan_.asynchronous > Duration{};
  plan_written_ = !asynchronous || first_of_run_ || next_ - last_written_ >= plan_.asynchronous;
  if (plan_written_) {
    // FileContext does not make the directory.
    if (!storage.Has(checkpoint_ + "/offsets")) return Fail(storage);
    temporary_ = fmt::format("{}/offsets/.{}.{}.tmp", checkpoint_, batch_, Uuid(dice_));
    storage.SetClock(next_);
    storage.Write(temporary_, PlanText());
  }
  state_ = State::kPlanning;
  next_ += dice_.Between(2ms, 40ms);
}

void SimulatedQuery::FinishPlan(MemoryStorage& storage, SimulatedKafka& kafka) {
  if (plan_written_) {
    storage.SetClock(next_);
    if (!storage.Has(temporary_) || storage.Has(checkpoint_ + "/" + InLog("offsets", batch_))) {
      return Fail(storage);
    }
    storage.Remove(std::exchange(temporary_, {}));
    Write(storage, InLog("offsets", batch_), PlanText());
    last_written_ = next_;
    Purge(storage, "offsets");
    Purge(storage, "commits");
  }
  BeginRun(storage, kafka);
}

void SimulatedQuery::BeginRun(MemoryStorage& storage, SimulatedKafka& kafka) {
  if (kafka.down) return Fail(storage);
  if (plan_.fail_on_data_loss && LosesData(kafka)) return Fail(storage);
  passed_over_ = sink_ && !sink_->WriteFiles(storage, batch_, dice_, next_);
  state_ = State::kRunning;
  next_ += dice_.Between(plan_.shortest, plan_.longest);
}

void SimulatedQuery::FinishRun(MemoryStorage& storage) {
  if (!sink_ || passed_over_) {
    state_ = State::kCommitting;
    return Commit(storage);
  }
  state_ = State::kListing;
  next_ += 5ms;
}

void SimulatedQuery::ListFiles(MemoryStorage& storage) {
  if (!sink_->Log(storage, batch_, next_)) return Fail(storage);
  state_ = State::kCommitting;
  next_ += dice_.Between(5ms, 60ms);
}

void SimulatedQuery::Commit(MemoryStorage& storage) {
  const std::string commit = InLog("commits", batch_);
  if (plan_written_ || replay_ || first_of_run_) {
    const bool there = storage.Has(checkpoint_ + "/commits");
    if (!there || storage.Has(checkpoint_ + "/" + commit)) return Fail(storage);
    Write(storage, commit, "v1\n{\"nextBatchWatermarkMs\":0}");
  }
  stateful_batch_due_ = plan_.stateful && end_ != start_;
  start_ = end_;
  first_of_run_ = false;
  const bool again = replay_;
  replay_ = false;
  ++batch_;
  if (plan_.trigger == Trigger::kOnce) return StopUntilNextStart();
  if (plan_.trigger == Trigger::kAvailableNow || again) {
    state_ = State::kWaiting;
    next_ += 100ms;
    return;
  }
  Wait();
}

/// ProcessingTimeExecutor: at whole multiples of the interval.
void SimulatedQuery::Wait() {
  state_ = State::kWaiting;
  const auto into = next_.time_since_epoch() % plan_.every;
  next_ += plan_.every - into;
}

/// StreamExecution.purge, and AsyncProgressTrackingMicroBatchExecution.purge
void SimulatedQuery::Purge(MemoryStorage& storage, const std::string& log) const {
  const std::vector<BatchId> batches = BatchesIn(storage, log);
  const bool asynchronous = plan_.asynchronous > Duration{};
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const bool old = asynchronous ? i + kBatchesToRetain < batches.size()
                                  : batches[i] < batch_ - kBatchesToRetain;
    if (!old) break;
    const std::string path = fmt::format("{}/{}/{}", checkpoint_, log, batches[i]);
    storage.Remove(path);
    if (plan_.checksums) {
      storage.Remove(fmt::format("{}/{}/.{}.crc", checkpoint_, log, batches[i]));
    }
  }
}

// ---------------------------------------------------------------- its files

SimulatedQuery::Ends SimulatedQuery::ReadEnds(MemoryStorage& storage, const std::string& name,
                                              bool& readable) const {
  Ends ends;
  const std::string path = checkpoint_ + "/" + name;
  if (!storage.Has(path)) {
    readable = false;
    return ends;
  }
  const auto entry = ParseOffsetLogEntry(storage.TextOf(path));
  if (!entry) {
    readable = false;
    return ends;
  }
  for (const SourceOffset& source : entry->sources) {
    if (source.kind == SourceKind::kKafka) {
      ends.emplace_back(source.topics);
    } else if (source.kind == SourceKind::kEmpty) {
      ends.emplace_back(TopicOffsets{});
    } else {
      ends.emplace_back();
    }
  }
  return ends;
}

std::string SimulatedQuery::PlanText() const {
  std::string text = fmt::format(
      "v1\n{{\"batchWatermarkMs\":0,\"batchTimestampMs\":{},\"conf\":{{"
      "\"spark.sql.streaming.stateStore.providerClass\":\"org.apache.spark.sql.execution.streaming."
      "state.HDFSBackedStateStoreProvider\",\"spark.sql.shuffle.partitions\":\"200\"}}}}",
      planned_at_.time_since_epoch().count());
  for (const auto& end : end_) text += "\n" + (end ? OffsetLine(*end) : "-");
  return text;
}

std::string SimulatedQuery::InLog(const char* log, BatchId batch) const {
  return fmt::format("{}/{}", log, batch);
}

std::vector<BatchId> SimulatedQuery::BatchesIn(MemoryStorage& storage,
                                               const std::string& log) const {
  std::vector<BatchId> batches;
  for (const std::string& name :
       storage.List(checkpoint_ + "/" + log).value_or(std::vector<std::string>{})) {
    BatchId batch = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), batch);
    if (error == std::errc() && end == name.data() + name.size()) batches.push_back(batch);
  }
  std::ranges::sort(batches);
  return batches;
}

void SimulatedQuery::Write(MemoryStorage& storage, const std::string& name,
                           std::string text) const {
  storage.SetClock(next_);
  if (plan_.checksums) {
    const std::size_t slash = name.rfind('/') + 1;
    storage.Write(
        fmt::format("{}/{}.{}.crc", checkpoint_, name.substr(0, slash), name.substr(slash)), "crc");
  }
  storage.Write(checkpoint_ + "/" + name, std::move(text));
}

}  // namespace tidegauge::testing
