// The arithmetic of Spark's compactible logs: `_spark_metadata` of a file sink and sources/K of a
// file source (CompactibleFileStreamLog, the same from 2.4 to 4.2).
//
// Batch b compacts when (b+1) is a multiple of the interval: its file is `b.compact` and repeats
// all that earlier files still list. Every other file is `b`. For one interval each batch has
// exactly one name; a file under the other name is as good as absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model.h"

namespace tidegauge {

/// spark.sql.streaming.fileSink.log.compactInterval and ….fileSource.log.compactInterval.
inline constexpr std::int64_t kDefaultCompactInterval = 10;

/// Batches `first` to `last`; none when `last` is below `first`.
struct BatchRange {
  BatchId first = 0;
  BatchId last = -1;

  bool empty() const { return last < first; }
  friend bool operator==(const BatchRange&, const BatchRange&) = default;
};

/// In all that follows, `interval` is at least 1, and ids lie between 0 and kMaxLogBatch.
inline constexpr BatchId kMaxLogBatch = BatchId{1} << 61;

bool Compacts(BatchId batch, std::int64_t interval);

/// `9.compact`, `10`
std::string LogFileName(BatchId batch, std::int64_t interval);

/// The first batch at or after `batch` that compacts.
BatchId NextCompaction(BatchId batch, std::int64_t interval);

/// What the compaction at `batch` reads (getValidBatchesBeforeCompactionBatch). The first of them
/// is a compact file, unless it is batch 0 of a longer interval.
BatchRange NeededByCompaction(BatchId batch, std::int64_t interval);

/// What a reader of a log that ends with `newest` reads (getAllValidBatches).
BatchRange NeededByReader(BatchId newest, std::int64_t interval);

/// The interval that a driver or a reader settles on when it starts, from the ids of the compact
/// files that are there, ascending, and the configured interval (compactInterval,
/// deriveCompactInterval). Two or more files: the difference of the two newest, whatever the
/// configuration says. One: a divisor of its id + 1. A lone 19.compact gives 20 with a configured
/// 10.
std::int64_t DeriveInterval(std::int64_t configured, const std::vector<BatchId>& compacts);

/// Files below this id may be deleted once `batch` is written (deleteExpiredLog, where they must
/// also be older than the clean-up delay); absent: none. `retained` is
/// spark.sql.streaming.minBatchesToRetain.
std::optional<BatchId> ExpiryLimit(BatchId batch, std::int64_t interval, std::int64_t retained);

}  // namespace tidegauge
