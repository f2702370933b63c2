// One poll, from the checkpoints to the report: the data flow of the whole program.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/checkpoint/snapshot.h"
#include "core/detectors/detector.h"
#include "core/history/ledger.h"
#include "core/model.h"
#include "core/ports.h"
#include "core/report.h"
#include "core/result.h"

namespace tidegauge {

/// One query that is watched.
struct Target {
  std::string query;
  std::string checkpoint;     ///< directory
  std::string kafka_cluster;  ///< its name in the configuration; empty: not compared with Kafka

  friend auto operator<=>(const Target&, const Target&) = default;
};

struct Reading {
  Target target;
  Result<std::shared_ptr<const Checkpoint>> checkpoint;
};

struct Readings {
  std::vector<Reading> queries;      ///< by query name, each name once
  std::vector<std::string> unknown;  ///< patterns that could not be listed or matched nothing
};

struct Asked {
  Result<ClusterAnswer> answer;
  Duration took{};
};

/// By the cluster's name in the configuration.
using Questions = std::map<std::string, std::set<std::string>>;
using Answers = std::map<std::string, Asked>;
using StampAnswers = std::map<std::string, std::map<std::string, TopicStamps, std::less<>>>;

/// What a cycle asks of the world. Each call returns within its deadline, whatever hangs: what is late
/// is an error, of the query or cluster that was late and of no other.
class World {
 public:
  virtual ~World() = default;

  /// Discovers the queries and reads each one's checkpoint.
  virtual Readings ReadCheckpoints(Time now) = 0;

  /// Asks every configured cluster, also those about which there is no question: that it answers is news.
  virtual Answers Ask(const Questions& topics) = 0;

  /// A cluster or topic that did not answer is left out.
  virtual StampAnswers AskStamps(const Questions& topics) = 0;
};

/// How findings are judged: the detectors with their settings, and the margins of the evidence.
struct Rules {
  std::vector<DetectorPtr> detectors;
  /// How far apart the clocks of Spark's driver and of the brokers may be before a record's timestamp
  /// proves that it was written after a batch was planned.
  Duration clock_margin = std::chrono::seconds(1);
  /// How long evidence that rests on the clocks of producers must hold before it fires.
  Duration likely_hold = std::chrono::minutes(5);
  /// `check` judges at first sight: without hold times.
  bool at_once = false;
};

/// Reads, asks, compares, judges, remembers in `ledger`, and returns what to show.
/// `now` is the moment of the call; the report is complete, also when nothing could be read.
Report RunCycle(World& world, const Rules& rules, Ledger& ledger, Time now);

}  // namespace tidegauge
