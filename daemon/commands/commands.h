// The commands of the one binary. Each returns the exit status, and has then said all there is to
// say: results on standard output, everything else on standard error.
#pragma once

#include <string>
#include <vector>

#include "config/shard.h"
#include "daemon/rules/rule_file.h"

namespace tidegauge {

struct CheckOptions {
  std::string config_file;
  std::string state_dir;  ///< empty: nothing is remembered from one check to the next
  std::string query;      ///< empty: all
  Shard shard;
  bool json = false;
};

/// One poll, judged at first sight.
int RunCheck(const CheckOptions& options);

struct RecordOptions {
  std::string config_file;
  std::string query;      ///< empty: all
  std::string directory;  ///< must not exist yet
};

/// Writes what the clusters answer and the log files of checkpoints and sinks, so that the same can
/// be judged elsewhere: DIRECTORY/config.yaml, kafka-CLUSTER.yaml, checkpoints/QUERY/ and
/// sinks/QUERY/, under other names where those are no file names. What cannot be read is left out
/// and told; the exit status is 1 then.
int RunRecord(const RecordOptions& options);

struct AckOptions {
  std::string config_file;
  std::string state_dir;  ///< empty: as configured
  std::string kind;
  std::string query;
  std::string topic;
  std::string source;
  std::string who;
  std::string why;
};

/// Says that what a finding tells has been dealt with.
int RunAck(const AckOptions& options);

struct HistoryOptions {
  std::string config_file;
  std::string state_dir;  ///< empty: as configured
  std::string query;
  bool json = false;
};

/// Prints what happened to the findings of a query, newest first, from what the daemon remembers.
int RunHistory(const HistoryOptions& options);

struct PlanOptions {
  std::string config_file;
  std::string state_dir;  ///< empty: as configured; only read
  std::string query;
  std::string output;      ///< where the plan's files go; empty: they are not written
  std::string hdfs_mount;  ///< commands are for HDFS, which is mounted there; empty: they are not
  bool json = false;
};

/// Prints what can be done about what is found. Changes nothing but `output`. Exit status: 0 there
/// is a plan, or nothing was found; 1 it could not be made or written; 3 something could not be
/// judged.
int RunPlan(const PlanOptions& options);

struct GateOptions {
  std::string config_file;
  std::string state_dir;  ///< empty: as configured
  std::string step;       ///< drained, recreated or rebased
  std::string topic;
  std::string kafka_cluster;         ///< empty: the only one
  std::vector<std::string> queries;  ///< empty: all that read the topic
  std::string timeout;               ///< as ParseDuration takes it
  std::string interval;
};

/// Waits until the next step of recreating a topic is safe. Exit status: 0 it is, 1 not yet when
/// the time was up, 2 it cannot become so by waiting, 3 the time was up and something could not be
/// read.
int RunGate(const GateOptions& options);

/// Either may be empty, and is not looked at then.
int RunConfigCheck(const std::string& config_file, const std::string& web_config_file);
int RunConfigPrint(const std::string& config_file);
int RunConfigReference(bool markdown);
/// Prints the rules for Prometheus.
int RunConfigRules(const RuleFileOptions& options);

/// The program's own main, so that tests can run it.
int RunCommandLine(const std::vector<std::string>& arguments);

}  // namespace tidegauge
