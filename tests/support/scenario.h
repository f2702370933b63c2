// A story in a few lines: queries write, topics come and go, the daemon polls.
//
//   Scenario story;
//   story.kafka.Set("t", "A", {{0, {0, 500}}});
//   story.query().Batch({{"t", {{0, 500}}}});
//   story.Poll();
//   story.kafka.Set("t", "B", {{0, {0, 800}}});
//   EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/cycle.h"
#include "core/history/ledger.h"
#include "core/output/data_file_scan.h"
#include "core/query_reading.h"
#include "core/report.h"
#include "core/world.h"
#include "tests/support/fake_checkpoint.h"
#include "tests/support/fake_kafka.h"
#include "tests/support/memory_storage.h"

namespace tidegauge::testing {

/// 2026-11-30 04:00:00 UTC
inline constexpr Time kStart =
    std::chrono::sys_days(std::chrono::year(2026) / 11 / 30) + std::chrono::hours(4);
inline constexpr Duration kPollInterval = std::chrono::seconds(30);

/// One cluster ("main"), any number of queries.
class Scenario : public World {
 public:
  Scenario();

  /// A query of this name, there from now on.
  FakeCheckpoint& query(const std::string& name = "orders");
  /// The checkpoint's directory is no longer there, and no pattern matches it.
  void RemoveQuery(const std::string& name);
  /// The same, but the pattern that found it is still configured.
  void LoseQuery(const std::string& name);

  /// Time passes, and the daemon polls. `report` stays what the last poll said.
  const Report& Poll(Duration after = kPollInterval);
  /// Polls until `span` has passed, every 30 s.
  const Report& PollFor(Duration span);
  void Wait(Duration span) { now += span; }
  /// The daemon ends and begins again, with what it remembers on disk.
  void RestartDaemon() {
    previous_.clear();
    scans_.clear();
  }
  /// ... and without.
  void ForgetEverything();
  /// Every further poll is a `check`: at first sight, at a wall clock of its own.
  void JudgeAtOnce() { rules.at_once = true; }
  void Acknowledge(std::string_view kind, const std::string& query, const std::string& topic);

  Time now = kStart;
  MemoryStorage storage;
  FakeKafka kafka{now};
  Rules rules;
  Ledger ledger;
  Report report;
  std::vector<std::string> discovery_problems;
  bool discovery_complete = true;
  /// Output directories of the file sinks whose log is watched, and the intervals configured.
  std::map<std::string, std::string> sinks;
  std::map<std::string, std::int64_t> compact_intervals;
  /// Queries whose data files are scanned, and how.
  std::map<std::string, ScanLimits> scanned;
  std::map<std::string, Error> unreadable;  ///< queries whose checkpoint cannot be read
  std::size_t questions_asked = 0;          ///< of Ask(), in all
  /// Sees each answer before the daemon does, with the number of the question (from 1).
  std::function<void(std::size_t, Answers&)> on_answer;
  std::function<void(StampAnswers&)> on_stamps;

  // ---- World
  Readings ReadCheckpoints(Time at) override;
  std::optional<Target> TargetOf(const std::string& directory) const override;
  Answers Ask(const Questions& topics) override;
  StampAnswers AskStamps(const Questions& topics) override;

 private:
  std::optional<DataFileScanView> Scan(const Reading& reading, Time at);

  std::map<std::string, FakeCheckpoint> queries_;
  std::map<std::string, Target> lost_;  ///< by directory
  std::map<std::string, KnownReading> previous_;
  std::map<std::string, std::shared_ptr<DataFileScan>> scans_;
};

/// Kinds of the findings that fire, in the report's order; each as often as it fires.
std::vector<std::string> Firing(const Report& report);
std::vector<std::string> Pending(const Report& report);
/// The only finding of `kind` that is pending or firing; a finding without a kind when there is
/// none.
Finding The(const Report& report, std::string_view kind);
const QueryReport& QueryOf(const Report& report, std::string_view query = "orders");

}  // namespace tidegauge::testing
