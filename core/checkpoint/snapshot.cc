#include "core/checkpoint/snapshot.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/checkpoint/batch_history.h"
#include "core/checkpoint/directory.h"
#include "core/checkpoint/fingerprint.h"
#include "core/checkpoint/initial_position.h"
#include "core/checkpoint/layout.h"
#include "core/checkpoint/lost_batches.h"
#include "core/checkpoint/second_plan.h"
#include "core/checkpoint/source_topics.h"

namespace tidegauge {
namespace {

/// How often a listing is taken anew because Spark purged a file between list and read.
constexpr int kAttempts = 3;
/// How many retained batches are looked at on first sight. Spark retains 100 by default.
constexpr std::size_t kMaxHistory = 200;

std::string SourcesText(std::size_t lines) { return fmt::format("{} source lines", lines); }

/// Reads a checkpoint once. kNotFound from Read(): something vanished meanwhile, unless `final()`.
class Reader {
 public:
  Reader(const CheckpointDirectory& directory, const Checkpoint* previous, Time now,
         bool last_attempt)
      : directory_(directory),
        previous_(previous),
        last_attempt_(last_attempt),
        fingerprint_(directory, now),
        found_(std::make_shared<Checkpoint>()),
        history_(separately_read_, *found_) {
    found_->path = directory.path();
  }

  Result<std::shared_ptr<const Checkpoint>> Read();
  /// Whether trying again would not help.
  bool final() const { return final_; }

 private:
  using Kind = Damage::Kind;

  Result<void> List();
  Result<void> ReadLogs();
  Result<void> ReadQueryId();
  Result<void> ReadNewest();
  Result<void> CheckCommit();
  Result<void> CheckBatches();
  Result<void> ReadPosition();
  Result<void> AddInitialPosition(OffsetLogEntry& entry);
  Result<void> ReadHistory();
  void TakePosition(const OffsetLogEntry& entry, BatchId batch);
  void TakePositionStart(BatchId batch);
  void FinishInFlight();

  Result<EntryPtr> Entry(BatchId batch);
  bool ContinuesPrevious() const;
  bool NewestHasEnded() const { return listing_.committed() == listing_.newest(); }
  std::optional<BatchId> PositionBatch() const;
  bool Tolerates(const Error& error) const {
    return error.kind != ErrorKind::kNotFound || last_attempt_;
  }
  /// Whether a restart could not read it either.
  bool IsDamage(const Error& error) const {
    return error.kind == ErrorKind::kCorrupt || error.kind == ErrorKind::kUnsupported ||
           (error.kind == ErrorKind::kNotFound && last_attempt_);
  }
  void AddProblem(std::string what);
  void NoteDamage(Kind kind, const Error& error);
  /// What cannot be read decides nothing about the position.
  Result<void> Tolerate(Kind kind, const Error& error);
  /// Without what cannot be read there is no position.
  std::unexpected<Error> Refuse(const Error& error);

  const CheckpointDirectory& directory_;
  const Checkpoint* previous_;
  bool last_attempt_;
  bool final_ = false;
  FingerprintTaker fingerprint_;
  CheckpointListing listing_;
  std::map<BatchId, EntryPtr> entries_;
  EntryPtr newest_;  ///< null: there is none, or it cannot be read
  std::set<std::string> separately_read_;
  std::shared_ptr<Checkpoint> found_;
  BatchHistory history_;
};

void Reader::AddProblem(std::string what) {
  if (std::ranges::find(found_->problems, what) == found_->problems.end()) {
    found_->problems.push_back(std::move(what));
  }
}

void Reader::NoteDamage(Kind kind, const Error& error) {
  const bool newer = error.kind == ErrorKind::kUnsupported;
  Damage damage = DescribeDamage(newer ? Kind::kVersion : kind, found_->path, error.message);
  if (error.kind == ErrorKind::kNotFound) damage.what = kListedOnly;
  AddProblem(error.kind == ErrorKind::kNotFound ? fmt::format("{}: {}", error.message, kListedOnly)
                                                : error.message);
  found_->damage.push_back(std::move(damage));
}

Result<void> Reader::Tolerate(Kind kind, const Error& error) {
  if (!Tolerates(error)) return std::unexpected(error);
  if (IsDamage(error)) {
    NoteDamage(kind, error);
  } else {
    AddProblem(error.message);
  }
  return {};
}

std::unexpected<Error> Reader::Refuse(const Error& error) {
  if (IsDamage(error)) {
    NoteDamage(Kind::kOffsetsUnreadable, error);
    found_->position_known = false;
  }
  return std::unexpected(error);
}

/// A batch file, read at most once.
Result<EntryPtr> Reader::Entry(BatchId batch) {
  if (const auto known = entries_.find(batch); known != entries_.end()) return known->second;
  auto entry = directory_.ReadOffsets(batch);
  if (!entry) return std::unexpected(entry.error());
  return entries_.emplace(batch, std::make_shared<const OffsetLogEntry>(std::move(*entry)))
      .first->second;
}

Result<void> Reader::List() {
  for (const auto name : {kOffsetsDirectory, kCommitsDirectory, kMetadataFile, kSourcesDirectory}) {
    fingerprint_.Note(std::string(name));
  }
  auto root = directory_.ListRoot();
  auto listing = root ? directory_.List(*root) : std::unexpected(root.error());
  final_ = !root;
  if (!listing) return std::unexpected(listing.error());
  listing_ = std::move(*listing);
  found_->has_metadata = listing_.has_metadata;
  found_->newest_batch = listing_.newest();
  found_->committed_batch = listing_.committed();
  return {};
}

Result<void> Reader::ReadQueryId() {
  if (!listing_.has_metadata) return {};
  if (previous_ != nullptr && !previous_->query_id.empty() &&
      IsAsKnown(directory_, previous_->fingerprint, std::string(kMetadataFile))) {
    found_->query_id = previous_->query_id;
    return {};
  }
  auto query_id = directory_.ReadQueryId();
  if (query_id) {
    found_->query_id = std::move(*query_id);
    return {};
  }
  return Tolerate(Kind::kMetadataUnreadable, query_id.error());
}

Result<void> Reader::ReadNewest() {
  const auto newest = listing_.newest();
  if (!newest) return {};
  fingerprint_.Note(OffsetsName(*newest));
  auto entry = Entry(*newest);
  if (entry) {
    newest_ = *entry;
    found_->newest_batch_at = newest_->planned_at;
    found_->continuous = !newest_->has_metadata;
  } else if (NewestHasEnded()) {
    return Refuse(entry.error());
  } else {
    if (auto noted = Tolerate(Kind::kOffsetsUnreadable, entry.error()); !noted) return noted;
    const auto before = listing_.before(*newest);
    const auto mode = before ? Entry(*before) : std::unexpected(entry.error());
    found_->continuous = mode && !(*mode)->has_metadata;
  }
  if (!found_->newest_batch_at) {
    const auto status = directory_.Status(OffsetsName(*newest));
    if (status && *status) found_->newest_batch_at = (*status)->modified;
  }
  return {};
}

Result<void> Reader::CheckCommit() {
  const auto committed = listing_.committed();
  if (!committed) return {};
  const std::string name = fmt::format("{}/{}", kCommitsDirectory, *committed);
  fingerprint_.Note(name);
  found_->committed_at = fingerprint_.ModifiedAt(name);
  const auto checked = directory_.CheckCommit(*committed);
  if (checked) return {};
  return Tolerate(Kind::kCommitUnreadable, checked.error());
}

/// The batch whose offsets a restart reads from; none: the initial offsets.
/// MicroBatchExecution.populateStartOffsets, ContinuousExecution.getStartOffsets.
std::optional<BatchId> Reader::PositionBatch() const {
  const auto newest = listing_.newest();
  if (!newest || NewestHasEnded()) return newest;
  if (found_->continuous) return listing_.committed();
  return listing_.before(*newest);
}

Result<void> Reader::CheckBatches() {
  auto lost = FindLostBatches(listing_, found_->continuous, found_->path);
  if (!lost) return {};
  found_->damage.push_back(std::move(lost->damage));
  found_->problems.push_back(lost->problem);
  if (lost->position_is_known) return {};
  found_->position_known = false;
  return Fail(ErrorKind::kCorrupt, std::move(lost->problem));
}

void Reader::TakePosition(const OffsetLogEntry& entry, BatchId batch) {
  separately_read_ = SeparatelyReadTopics(entry, listing_.sources.size());
  found_->position = TopicsOf(entry, batch, separately_read_);
  found_->position_at = entry.planned_at;
  std::set<TopicOffsets> kafka;
  for (const SourceOffset& source : entry.sources) {
    switch (source.kind) {
      case SourceKind::kKafka:
        kafka.insert(source.topics);
        break;
      case SourceKind::kOther:
        ++found_->unmonitored_sources;
        break;
      case SourceKind::kNone:
      case SourceKind::kEmpty:
        ++found_->undecided_sources;
        break;
    }
  }
  found_->kafka_sources = kafka.size();
}

/// A restart reads that one too, unless the batch after it has to be run again.
void Reader::TakePositionStart(BatchId batch) {
  const auto before = listing_.before(batch);
  if (!before) return;
  fingerprint_.Note(OffsetsName(*before));
  const auto start = Entry(*before);
  if (start) {
    found_->position_start = TopicsOf(**start, *before, separately_read_);
  } else {
    fingerprint_.Spoil();
    const bool needed = NewestHasEnded() && !found_->continuous;
    if (needed && IsDamage(start.error())) NoteDamage(Kind::kOffsetsUnreadable, start.error());
  }
}

Result<void> Reader::AddInitialPosition(OffsetLogEntry& entry) {
  if (!NeedsInitialOffsets(entry, listing_.sources)) return {};
  EntryPtr earlier;
  if (const auto before = listing_.before(*PositionBatch())) {
    auto read = Entry(*before);
    if (!read) return std::unexpected(read.error());
    earlier = *read;
  }
  const std::size_t problems = found_->problems.size();
  auto added = AddInitialOffsets(directory_, listing_.sources, earlier.get(), fingerprint_, entry,
                                 found_->problems);
  if (!added) return Refuse(added.error());
  if (found_->problems.size() > problems) {
    found_->damage.push_back({.kind = Kind::kSourcesChanged,
                              .file = OffsetsName(*PositionBatch()),
                              .batch = *PositionBatch(),
                              .what = SourcesText(entry.sources.size())});
  }
  return {};
}

Result<void> Reader::ReadPosition() {
  const auto batch = PositionBatch();
  if (!batch) {
    auto initial = ReadInitialPosition(directory_, listing_.sources, fingerprint_);
    if (!initial) return Refuse(initial.error());
    TakePosition(*initial, -1);
    return {};
  }
  fingerprint_.Note(OffsetsName(*batch));
  auto read = Entry(*batch);
  if (!read) return Refuse(read.error());
  OffsetLogEntry entry = **read;
  if (entry.version == 1) found_->source_lines = entry.sources.size();
  if (auto added = AddInitialPosition(entry); !added) return added;
  TakePosition(entry, *batch);
  TakePositionStart(*batch);
  return {};
}

bool Reader::ContinuesPrevious() const {
  return previous_ != nullptr && previous_->problems.empty() &&
         previous_->query_id == found_->query_id && previous_->fingerprint.last != nullptr &&
         listing_.has_offsets(previous_->fingerprint.scanned) &&
         IsAsKnown(directory_, previous_->fingerprint, OffsetsName(previous_->fingerprint.scanned));
}

/// Only batches that have ended: what the others intend has not happened. A restart from a position
/// takes for granted that its batch has.
Result<void> Reader::ReadHistory() {
  const auto position = PositionBatch();
  const auto until = std::max(listing_.committed(), position);
  if (!until) return {};
  const std::size_t size = listing_.offsets.size();
  for (std::size_t i = size > kMaxHistory ? size - kMaxHistory : 0; i < size; ++i) {
    const BatchId batch = listing_.offsets[i];
    if (batch <= history_.scanned() || batch > *until) continue;
    auto entry = Entry(batch);
    if (entry) {
      if (position && batch >= *position) history_.CheckSources(batch, **entry);
      history_.Add(batch, std::move(*entry));
    } else if (entry.error().kind == ErrorKind::kNotFound && history_.empty()) {
      continue;  // the oldest ones are purged all the time; a hole further on shows that more were
    } else if (Tolerates(entry.error())) {
      AddProblem(entry.error().message);
    } else {
      return std::unexpected(entry.error());
    }
  }
  return {};
}

void Reader::FinishInFlight() {
  if (newest_ == nullptr || NewestHasEnded() || found_->continuous) return;
  const BatchId newest = *listing_.newest();
  found_->in_flight = TopicsOf(*newest_, newest, separately_read_);
  if (history_.scanned() < newest) history_.AddInFlight(newest, *newest_);
  if (history_.empty() && newest_->version == 1 &&
      newest_->sources.size() < listing_.sources.size()) {
    AddProblem(fmt::format(
        "{}/{}: {} source lines, but {} sources have begun: it was cut short, or a "
        "source is no part of the query any more",
        found_->path, OffsetsName(newest), newest_->sources.size(), listing_.sources.size()));
    found_->damage.push_back({.kind = Kind::kSourcesChanged,
                              .file = OffsetsName(newest),
                              .batch = newest,
                              .what = SourcesText(newest_->sources.size())});
  }
  if (found_->position.empty() && !found_->in_flight.empty()) {
    AddProblem(fmt::format("{}: no initial offsets in sources: where batch {} begins is not known",
                           found_->path, newest));
  }
}

Result<void> Reader::ReadLogs() {
  if (!listing_.is_checkpoint) return CheckBatches();
  if (auto id = ReadQueryId(); !id) return id;
  if (auto newest = ReadNewest(); !newest) return newest;
  if (auto commit = CheckCommit(); !commit) return commit;
  if (auto batches = CheckBatches(); !batches) return batches;
  if (ContinuesPrevious()) {
    history_.Continue(*previous_, listing_.offsets.front());
    entries_.emplace(history_.scanned(), previous_->fingerprint.last);
  }
  if (auto position = ReadPosition(); !position) return position;
  return ReadHistory();
}

Result<std::shared_ptr<const Checkpoint>> Reader::Read() {
  if (auto listed = List(); !listed) return std::unexpected(listed.error());
  if (auto read = ReadLogs(); read) {
    FinishInFlight();
    found_->planned_again = FindSecondPlan(directory_, listing_, *found_);
  } else if (found_->position_known) {
    return std::unexpected(read.error());
  }
  fingerprint_.Finish(found_->fingerprint);
  return std::shared_ptr<const Checkpoint>(std::move(found_));
}

}  // namespace

Result<std::shared_ptr<const Checkpoint>> ReadCheckpoint(Storage& storage, const std::string& path,
                                                         std::shared_ptr<const Checkpoint> previous,
                                                         Time now) {
  const CheckpointDirectory directory(storage, path);
  if (previous != nullptr && previous->problems.empty() &&
      IsUnchanged(directory, previous->fingerprint)) {
    return previous;
  }
  for (int attempt = 1;; ++attempt) {
    Reader reader(directory, previous.get(), now, attempt == kAttempts);
    auto read = reader.Read();
    if (read || reader.final() || read.error().kind != ErrorKind::kNotFound) return read;
    if (attempt < kAttempts) continue;
    return Fail(ErrorKind::kCorrupt,
                fmt::format("{}: it is listed, but is not there", read.error().message));
  }
}

}  // namespace tidegauge
