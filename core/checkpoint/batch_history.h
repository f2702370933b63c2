// The retained batches that have ended, in order: when each was planned, and what changed in
// between.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/checkpoint/directory.h"
#include "core/checkpoint/offset_log.h"
#include "core/checkpoint/snapshot.h"
#include "core/result.h"

namespace tidegauge {

/// A parsed batch file.
using EntryPtr = std::shared_ptr<const OffsetLogEntry>;

class BatchHistory {
 public:
  /// `found` and `separately_read` (source_topics.h) must remain live while this object does. What
  /// is learnt goes into `found`: steps, batch_times, problems, and the history part of its
  /// fingerprint.
  BatchHistory(const std::set<std::string>& separately_read, Checkpoint& found)
      : separately_read_(separately_read), found_(found) {}

  /// Takes over what `previous` knows of batches from `oldest` on.
  void Continue(const Checkpoint& previous, BatchId oldest);

  /// The newest batch added; -1: none.
  BatchId scanned() const { return found_.fingerprint.scanned; }
  bool empty() const { return found_.fingerprint.last == nullptr; }

  /// The next batch that has ended. Batches come in ascending order.
  void Add(BatchId batch, EntryPtr entry);

  /// The newest batch while it has not ended: of it only counts what a re-run keeps as written.
  void AddInFlight(BatchId batch, const OffsetLogEntry& entry);

  /// Says so when a source of the batch before is missing in `entry`, which is not what Spark
  /// allows.
  void CheckSources(BatchId batch, const OffsetLogEntry& entry);

 private:
  const std::set<std::string>& separately_read_;
  Checkpoint& found_;
};

}  // namespace tidegauge
