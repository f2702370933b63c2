// A world that lives: producers, brokers, queries and the daemon, on a virtual clock. Each poll
// sees it in motion: between two questions of the daemon time passes, and things happen in it.
//
// A week is a value: a copy goes on by itself, and so each fault can be put into the same week.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/cycle.h"
#include "core/history/ledger.h"
#include "core/output/data_file_scan.h"
#include "core/query_reading.h"
#include "core/report.h"
#include "core/world.h"
#include "tests/support/memory_storage.h"
#include "tests/week/dice.h"
#include "tests/week/simulated_kafka.h"
#include "tests/week/simulated_spark.h"

namespace tidegauge::testing {

/// Monday, 2026-11-30 00:00:00 UTC
inline constexpr Time kMonday = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);
inline constexpr Duration kBetweenPolls = std::chrono::seconds(30);

class Week : public World {
 public:
  Week(std::uint64_t seed, Time begin);
  Week(const Week& other);
  Week& operator=(const Week&) = delete;

  // ---- the scenery

  SimulatedQuery& Add(const std::string& name, const QueryPlan& plan, Time start);
  SimulatedQuery& query(const std::string& name) { return queries_.at(name); }
  const SimulatedQuery& query(const std::string& name) const { return queries_.at(name); }
  /// Happens when its time has come. What happens at the same time happens in this order.
  using Happening = std::function<void(Week&)>;
  void At(Time time, Happening happening) { agenda_.emplace(time, std::move(happening)); }
  /// The driver dies the next time that it is in `state`, and is started again after `pause`.
  void KillIn(const std::string& name, SimulatedQuery::State state, Duration pause);
  /// Nothing happens any more but what brokers, producers and queries do by themselves.
  void Calm();

  // ---- the daemon

  void LiveUntil(Time time);
  /// The daemon polls, 30 s after it did last.
  const Report& Poll();
  /// Before its next poll it ends, and begins again with what it remembers on disk. Real files.
  void RestartDaemon() { restart_due_ = true; }
  /// Nothing of a query's files can be looked at until `until`.
  void HangMount(const std::string& name, Time until) { hung_[name] = until; }

  Time now() const { return now_; }
  int polls() const { return polls_; }

  Dice dice;
  MemoryStorage storage;
  SimulatedKafka kafka;
  Ledger ledger;
  Report report;
  static const Rules& rules();

  // ---- World
  Readings ReadCheckpoints(Time at) override;
  std::optional<Target> TargetOf(const std::string& directory) const override;
  Answers Ask(const Questions& topics) override;
  StampAnswers AskStamps(const Questions& topics) override;

 private:
  void WatchStorage();
  void ActOnNext();
  Time NextAt() const;
  Target TargetFor(const std::string& name) const;
  void Pass(Duration span);

  Time now_;
  Time next_lot_;
  int polls_ = 0;
  Time polled_at_;
  bool restart_due_ = false;
  bool busy_ = false;  ///< the storage is used by the world itself
  std::map<std::string, SimulatedQuery> queries_;
  std::multimap<Time, Happening> agenda_;
  std::map<std::string, std::pair<SimulatedQuery::State, Duration>> killings_;
  std::map<std::string, Time> hung_;
  std::map<std::string, KnownReading> known_;
  std::map<std::string, DataFileScan> scans_;
};

/// The scenery: its queries, topics, and all that happens in a healthy week. It has lived for a
/// while when the first poll comes, at kMonday.
Week HealthyWeek(std::uint64_t seed);

}  // namespace tidegauge::testing
