// All that one query has on disk, read in the order that keeps it consistent.
#pragma once

#include <memory>

#include "core/checkpoint/snapshot.h"
#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"
#include "core/sinklog/query_logs.h"
#include "core/world.h"

namespace tidegauge {

struct QueryReading {
  Result<std::shared_ptr<const Checkpoint>> checkpoint;
  QueryLogs logs;  ///< none when the checkpoint could not be read
};

/// The last reading of the query in which its checkpoint could be read.
struct KnownReading {
  std::shared_ptr<const Checkpoint> checkpoint;
  QueryLogs logs;
};

/// The checkpoint first, then the logs of its sink and sources. What has not changed since
/// `previous` is not read again. `now` is the moment of the call. Errors of the checkpoint are
/// those of ReadCheckpoint.
QueryReading ReadQuery(Storage& storage, const Target& target, const KnownReading& previous,
                       Time now);

}  // namespace tidegauge
