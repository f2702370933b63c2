#include "core/checkpoint/snapshot.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/checkpoint/directory.h"
#include "core/checkpoint/layout.h"
#include "core/checkpoint/source_topics.h"
#include "core/checkpoint/steps.h"

namespace tidegauge {
namespace {

/// A directory that changed so recently may change again without its modification time moving.
constexpr Duration kSettled = std::chrono::seconds(2);
/// How often a listing is taken anew because Spark purged a file between list and read.
constexpr int kAttempts = 3;
/// How many retained batches are looked at on first sight. Spark retains 100 by default.
constexpr std::size_t kMaxHistory = 200;

class Reader {
 public:
  Reader(CheckpointDirectory directory, const Checkpoint* previous, Time now)
      : directory_(std::move(directory)), previous_(previous), now_(now) {}

  Result<std::shared_ptr<const Checkpoint>> Read();

 private:
  Result<void> ReadOnce();
  Result<void> CheckExists();
  Result<void> ReadNewest();
  Result<void> ReadPosition();
  Result<void> ReadInitialPosition(const std::vector<std::string>& source_names);
  Result<void> FillFromInitial(OffsetLogEntry& entry);
  void ReadHistory();
  void ScanBatch(BatchId batch);
  void CountSources(const OffsetLogEntry& entry);
  void FinishInFlight();
  bool ContinuesPrevious() const;
  std::optional<BatchId> PositionBatch() const;
  void TakeFingerprint(const std::optional<BatchId>& position);

  CheckpointDirectory directory_;
  const Checkpoint* previous_;
  Time now_;

  std::shared_ptr<Checkpoint> found_;
  CheckpointListing listing_;
  std::vector<std::string> source_names_;
  std::optional<OffsetLogEntry> newest_;
  std::set<std::string> separately_read_;
};

bool Unchanged(const CheckpointDirectory& directory, const Checkpoint& previous) {
  const auto& fingerprint = previous.fingerprint;
  if (fingerprint.status.empty()) return false;
  return std::ranges::all_of(fingerprint.status, [&](const auto& known) {
    const auto status = directory.Status(known.first);
    return status == known.second &&
           (!status || fingerprint.taken_at - status->modified > kSettled);
  });
}

Result<void> Reader::CheckExists() {
  auto status = directory_.Exists();
  if (!status) return std::unexpected(status.error());
  if (!listing_.has_offsets_directory && source_names_.empty() && found_->query_id.empty()) {
    return Fail(ErrorKind::kNotFound,
                fmt::format("{}: no checkpoint: it has neither offsets, sources nor metadata",
                            directory_.path()));
  }
  return {};
}

Result<void> Reader::ReadNewest() {
  const auto newest = listing_.newest();
  found_->newest_batch = newest;
  found_->committed_batch = listing_.committed();
  if (!newest) return {};
  auto entry = directory_.ReadOffsets(*newest);
  if (entry) {
    found_->newest_batch_at = entry->planned_at;
    found_->continuous = !entry->has_metadata;
    newest_ = std::move(*entry);
  } else if (entry.error().kind == ErrorKind::kNotFound ||
             listing_.committed() == newest) {
    return std::unexpected(entry.error());
  } else {
    found_->problems.push_back(entry.error().message);
  }
  if (!found_->newest_batch_at) {
    const auto status = directory_.Status(fmt::format("{}/{}", kOffsetsDirectory, *newest));
    if (status) found_->newest_batch_at = status->modified;
  }
  return {};
}

/// The batch whose offsets a restart reads from; none: the initial offsets.
/// MicroBatchExecution.populateStartOffsets, ContinuousExecution.getStartOffsets.
std::optional<BatchId> Reader::PositionBatch() const {
  const auto newest = listing_.newest();
  const auto committed = listing_.committed();
  if (!newest || committed == newest) return newest;
  if (found_->continuous) return committed;
  return listing_.before(*newest);
}

void Reader::CountSources(const OffsetLogEntry& entry) {
  std::set<std::pair<SourceKind, TopicOffsets>> kafka;
  for (const SourceOffset& source : entry.sources) {
    switch (source.kind) {
      case SourceKind::kKafka: kafka.emplace(source.kind, source.topics); break;
      case SourceKind::kOther: ++found_->unmonitored_sources; break;
      case SourceKind::kNone:
      case SourceKind::kEmpty: ++found_->undecided_sources; break;
    }
  }
  found_->kafka_sources = kafka.size();
}

/// A source without an entry yet starts from its initial offsets.
Result<void> Reader::FillFromInitial(OffsetLogEntry& entry) {
  for (std::size_t i = 0; i < entry.sources.size(); ++i) {
    SourceOffset& source = entry.sources[i];
    if (source.kind != SourceKind::kNone || source_names_.size() != entry.sources.size()) continue;
    const std::string& name = entry.version == 1 ? source_names_[i] : source.id;
    auto initial = directory_.ReadInitialOffsets(name);
    if (initial && !initial->empty()) {
      source.kind = SourceKind::kKafka;
      source.topics = std::move(*initial);
    } else if (!initial && initial.error().kind == ErrorKind::kUnavailable) {
      return std::unexpected(initial.error());
    }
  }
  return {};
}

Result<void> Reader::ReadInitialPosition(const std::vector<std::string>& source_names) {
  OffsetLogEntry entry;
  for (const std::string& name : source_names) {
    SourceOffset source{.id = name};
    auto initial = directory_.ReadInitialOffsets(name);
    if (initial) {
      source.kind = initial->empty() ? SourceKind::kEmpty : SourceKind::kKafka;
      source.topics = std::move(*initial);
    } else if (initial.error().kind == ErrorKind::kCorrupt) {
      source.kind = SourceKind::kOther;
    } else if (initial.error().kind != ErrorKind::kNotFound) {
      return std::unexpected(initial.error());
    }
    entry.sources.push_back(std::move(source));
  }
  separately_read_ = SeparatelyReadTopics(entry, source_names.size());
  found_->position = TopicsOf(entry, -1, separately_read_);
  CountSources(entry);
  return {};
}

Result<void> Reader::ReadPosition() {
  const auto batch = PositionBatch();
  if (!batch) return ReadInitialPosition(source_names_);
  Result<OffsetLogEntry> entry = OffsetLogEntry{};
  if (batch == listing_.newest() && newest_) {
    entry = *newest_;
  } else {
    entry = directory_.ReadOffsets(*batch);
  }
  if (!entry) return std::unexpected(entry.error());
  if (auto filled = FillFromInitial(*entry); !filled) return filled;
  separately_read_ = SeparatelyReadTopics(*entry, source_names_.size());
  found_->position = TopicsOf(*entry, *batch, separately_read_);
  found_->position_at = entry->planned_at;
  CountSources(*entry);
  return {};
}

bool Reader::ContinuesPrevious() const {
  return previous_ != nullptr && previous_->query_id == found_->query_id &&
         previous_->fingerprint.last != nullptr &&
         std::ranges::binary_search(listing_.offsets, previous_->fingerprint.scanned);
}

void Reader::ScanBatch(BatchId batch) {
  auto& fingerprint = found_->fingerprint;
  auto entry = directory_.ReadOffsets(batch);
  if (!entry) {
    if (entry.error().kind != ErrorKind::kNotFound) {
      found_->problems.push_back(entry.error().message);
    }
    return;
  }
  auto current = std::make_shared<const OffsetLogEntry>(std::move(*entry));
  if (fingerprint.last != nullptr) {
    auto steps = StepsBetween(fingerprint.before_last.get(), *fingerprint.last, *current, batch,
                              separately_read_);
    std::ranges::move(steps, std::back_inserter(found_->steps));
  }
  if (current->planned_at) found_->batch_times.push_back({batch, *current->planned_at});
  fingerprint.before_last = std::exchange(fingerprint.last, std::move(current));
  fingerprint.scanned = batch;
}

/// Only committed batches: what an uncommitted one intends has not happened.
void Reader::ReadHistory() {
  if (!listing_.committed() || listing_.offsets.empty()) return;
  const std::size_t skipped =
      listing_.offsets.size() > kMaxHistory ? listing_.offsets.size() - kMaxHistory : 0;
  if (ContinuesPrevious()) {
    found_->fingerprint = previous_->fingerprint;
    const BatchId oldest = listing_.offsets.front();
    std::ranges::copy_if(previous_->steps, std::back_inserter(found_->steps), [&](const auto& s) {
      return s.batch >= oldest && s.batch <= previous_->fingerprint.scanned;
    });
    std::ranges::copy_if(previous_->batch_times, std::back_inserter(found_->batch_times),
                         [&](const auto& b) { return b.batch >= oldest; });
  }
  const BatchId scanned = found_->fingerprint.scanned;
  for (std::size_t i = skipped; i < listing_.offsets.size(); ++i) {
    const BatchId batch = listing_.offsets[i];
    if (batch > scanned && batch <= *listing_.committed()) ScanBatch(batch);
  }
}

void Reader::FinishInFlight() {
  const auto newest = listing_.newest();
  const bool committed = listing_.committed() && *listing_.committed() >= *newest;
  if (committed || found_->continuous || !newest_) return;
  found_->in_flight = TopicsOf(*newest_, *newest, separately_read_);
  if (found_->fingerprint.last == nullptr) return;
  // What an uncommitted batch has dropped it has dropped already: a re-run keeps its end as written.
  for (BatchStep& step :
       StepsBetween(nullptr, *found_->fingerprint.last, *newest_, *newest, separately_read_)) {
    if (step.kind != BatchStep::Kind::kBackwards) found_->steps.push_back(std::move(step));
  }
}

void Reader::TakeFingerprint(const std::optional<BatchId>& position) {
  auto& status = found_->fingerprint.status;
  status.clear();
  found_->fingerprint.taken_at = now_;
  for (const auto name : {kOffsetsDirectory, kCommitsDirectory, kMetadataFile, kSourcesDirectory}) {
    status[std::string(name)];
  }
  if (listing_.newest()) status[fmt::format("{}/{}", kOffsetsDirectory, *listing_.newest())];
  if (position) status[fmt::format("{}/{}", kOffsetsDirectory, *position)];
  for (auto& [name, value] : status) value = directory_.Status(name);
}

Result<void> Reader::ReadOnce() {
  found_ = std::make_shared<Checkpoint>();
  found_->path = directory_.path();
  newest_.reset();
  auto listing = directory_.List();
  if (!listing) return std::unexpected(listing.error());
  listing_ = std::move(*listing);
  auto sources = directory_.ListSources();
  if (!sources) return std::unexpected(sources.error());
  source_names_ = std::move(*sources);
  auto query_id = directory_.ReadQueryId();
  if (query_id) {
    found_->query_id = std::move(*query_id);
  } else if (query_id.error().kind != ErrorKind::kNotFound) {
    found_->problems.push_back(query_id.error().message);
  }
  if (auto exists = CheckExists(); !exists) return exists;
  if (auto newest = ReadNewest(); !newest) return newest;
  if (auto position = ReadPosition(); !position) return position;
  ReadHistory();
  if (listing_.newest()) FinishInFlight();
  TakeFingerprint(PositionBatch());
  return {};
}

Result<std::shared_ptr<const Checkpoint>> Reader::Read() {
  Result<void> read;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    read = ReadOnce();
    if (read) return std::shared_ptr<const Checkpoint>(std::move(found_));
    if (read.error().kind != ErrorKind::kNotFound || listing_.offsets.empty()) break;
  }
  return std::unexpected(read.error());
}

}  // namespace

Result<std::shared_ptr<const Checkpoint>> ReadCheckpoint(
    Storage& storage, const std::string& path, std::shared_ptr<const Checkpoint> previous,
    Time now) {
  CheckpointDirectory directory(storage, path);
  if (previous != nullptr && Unchanged(directory, *previous)) return previous;
  return Reader(std::move(directory), previous.get(), now).Read();
}

}  // namespace tidegauge
