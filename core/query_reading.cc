#include "core/query_reading.h"

namespace tidegauge {

QueryReading ReadQuery(Storage& storage, const Target& target, const KnownReading& previous,
                       Time now) {
  QueryReading reading{
      .checkpoint = ReadCheckpoint(storage, target.checkpoint, previous.checkpoint, now),
      .logs = {}};
  if (!reading.checkpoint) return reading;
  reading.logs =
      ReadLogs(storage, **reading.checkpoint, target.sink,
               {.sink = target.compact_interval, .source = target.source_compact_interval},
               previous.logs, now);
  return reading;
}

}  // namespace tidegauge
