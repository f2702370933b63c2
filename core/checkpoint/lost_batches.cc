#include "core/checkpoint/lost_batches.h"

#include <fmt/core.h>

namespace tidegauge {
namespace {

using Kind = Damage::Kind;

LostBatches Lost(Kind kind, BatchId batch, const std::string& path, bool position_is_known) {
  const std::string file = OffsetsName(batch);
  return {
      .damage = {.kind = kind, .file = file, .batch = batch, .what = "missing"},
      .problem = fmt::format("{}/{} is missing: a restart fails with \"batch {} doesn't exist\"",
                             path, file, batch),
      .position_is_known = position_is_known};
}

LostBatches AllOffsets(BatchId ended, std::string what, const std::string& path) {
  return {.damage = {.kind = Kind::kOffsetsGone, .batch = ended, .what = what},
          .problem = fmt::format("{}: {} but offsets is empty: a restart begins again at batch 0, "
                                 "and fails when it meets what is old",
                                 path, what),
          .position_is_known = true};
}

LostBatches Everything(const std::string& path) {
  return {.damage = {.kind = Kind::kEmpty},
          .problem = path + ": no checkpoint: it has neither offsets, sources nor metadata"};
}

LostBatches Newest(BatchId newest, BatchId committed, const std::string& path) {
  return {.damage = {.kind = Kind::kCommitsAhead,
                     .file = OffsetsName(committed),
                     .batch = newest,
                     .what = fmt::format("commits has {}", committed)},
          .problem = fmt::format(
              "{}: commits has {} but the newest offsets are {}: a restart runs batch {} "
              "again and fails with \"Concurrent update to the log\"",
              path, committed, newest, newest),
          .position_is_known = true};
}

}  // namespace

std::optional<LostBatches> FindLostBatches(const CheckpointListing& listing, bool continuous,
                                           const std::string& path) {
  if (!listing.is_checkpoint) return Everything(path);
  const auto newest = listing.newest();
  const auto committed = listing.committed();
  if (!newest && committed) {
    return AllOffsets(*committed, fmt::format("commits has {}", *committed), path);
  }
  if (!newest && listing.has_state)
    return AllOffsets(-1, "state has versions of ended batches", path);
  if (!newest) return std::nullopt;
  if (newest == committed) {
    const bool lost = listing.has_commit(*newest - 1) && !listing.has_offsets(*newest - 1);
    return lost ? std::optional(Lost(Kind::kOffsetsLost, *newest - 1, path, true)) : std::nullopt;
  }
  if (continuous) {
    if (!committed || listing.has_offsets(*committed)) return std::nullopt;
    return Lost(Kind::kEpochLost, *committed, path, false);
  }
  const auto position = listing.before(*newest);
  const auto ended = listing.committed_before(*newest);
  const bool before_is_lost = ended ? !position || *position < *ended : !position && *newest > 0;
  if (before_is_lost) return Lost(Kind::kOffsetsLost, *newest - 1, path, false);
  if (committed > newest) return Newest(*newest, *committed, path);
  return std::nullopt;
}

}  // namespace tidegauge
