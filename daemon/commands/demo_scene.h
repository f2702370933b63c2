// The queries of the demo: what their checkpoints hold and what their topics have become since.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/recorded_cluster.h"
#include "core/result.h"

namespace tidegauge {

/// One batch of a query: the source line of offsets/N, and when it was planned.
struct DemoBatch {
  std::string offsets;
  Time planned_at;
  bool committed = true;
};

/// A query that reads the topic of its own name.
struct DemoQuery {
  std::string name;
  std::string shows;  ///< the finding, or "healthy"
  std::string story;  ///< what happened, in a sentence
  std::vector<DemoBatch> batches;
  /// How many records the topic holds on the Kafka inside this process; -1: a state that one cannot
  /// be brought into, so that a recorded answer takes its place.
  int live_records = -1;
  RecordedTopic recorded;  ///< without partitions: the topic does not exist
};

std::vector<DemoQuery> DemoScene(Time now);

/// Writes the checkpoints, the recorded answers and tidegauge.yaml below `directory`.
Result<void> WriteScene(const std::filesystem::path& directory,
                        const std::vector<DemoQuery>& queries,
                        const std::string& bootstrap_servers);

}  // namespace tidegauge
