// What a cycle asks of the world: the queries there are, with their checkpoints, and Kafka's
// answers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/checkpoint/snapshot.h"
#include "core/model.h"
#include "core/output/data_files.h"
#include "core/ports.h"
#include "core/result.h"
#include "core/sinklog/query_logs.h"

namespace tidegauge {

/// One query that is watched.
struct Target {
  std::string query;
  std::string checkpoint;     ///< directory
  std::string kafka_cluster;  ///< its name in the configuration; empty: not compared with Kafka
  std::string sink;           ///< the file sink's output directory; empty: its log is not watched
  std::int64_t compact_interval = 0;         ///< as Spark's configuration sets it; 0: not set
  std::int64_t source_compact_interval = 0;  ///< the same for its file sources
  bool scan_data_files = false;              ///< the files in `sink` are held against its log

  friend auto operator<=>(const Target&, const Target&) = default;
};

struct Reading {
  Target target;
  Result<std::shared_ptr<const Checkpoint>> checkpoint;
  QueryLogs logs = {};                         ///< none when the checkpoint could not be read
  std::optional<DataFileScanView> data_files;  ///< absent: they are not scanned
};

struct Readings {
  std::vector<Reading> queries;      ///< by query name, each name once
  std::vector<std::string> unknown;  ///< patterns that could not be listed or matched nothing
  bool complete = true;  ///< every directory was listed: a query that is not here is gone
};

struct Asked {
  Result<ClusterAnswer> answer;
  Duration took{};
};

/// By the cluster's name in the configuration.
using Questions = std::map<std::string, std::set<std::string>>;
using Answers = std::map<std::string, Asked>;
using StampAnswers = std::map<std::string, std::map<std::string, TopicStamps, std::less<>>>;

/// What a cycle asks of the world. Each call returns within its deadline, whatever hangs: what is
/// late is an error, of the query or cluster that was late and of no other.
class World {
 public:
  virtual ~World() = default;

  /// Discovers the queries and reads each one's checkpoint.
  virtual Readings ReadCheckpoints(Time now) = 0;

  /// What the configuration would make of a checkpoint in `directory`; nothing: no entry stands for
  /// it.
  virtual std::optional<Target> TargetOf(const std::string& /*directory*/) const {
    return std::nullopt;
  }

  /// Asks every configured cluster, also those about which there is no question: that it answers is
  /// news.
  virtual Answers Ask(const Questions& topics) = 0;

  /// Asks once more, and only the clusters that `topics` names.
  virtual Answers AskAgain(const Questions& topics) { return Ask(topics); }

  /// A cluster or topic that did not answer is left out.
  virtual StampAnswers AskStamps(const Questions& topics) = 0;
};

}  // namespace tidegauge
