// Runs jobs that may never return, on a bounded number of threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/model.h"

namespace tidegauge {

/// A read of a hung mount cannot be interrupted: the thread sleeps in the kernel (state D). So each
/// job has a deadline at which it is given up, its thread is left to finish by itself, and another
/// takes its place. A job that merely is slow gets its thread replaced at once, so that jobs which
/// hang never delay those that do not.
///
/// One thread at a time may call Run; the destructor may come while given-up jobs still run.
class DeadlinePool {
 public:
  struct Options {
    std::size_t threads = 8;      ///< that make headway; more exist while jobs are slow or hang
    std::size_t max_stuck = 64;   ///< threads that may be slow or hang beyond `threads`
    std::size_t group_limit = 8;  ///< jobs of one group that may be slow or hang at once
    Duration patience = std::chrono::milliseconds(250);  ///< after which a job counts as slow
    Duration deadline = std::chrono::seconds(10);        ///< of a job, from its start

    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Job {
    std::string key;    ///< no second job of this key is started while a given-up one still runs
    std::string group;  ///< jobs that would hang together, e.g. those on one mount
    /// Keeps alive whatever it uses: it may outlive the pool. Must not throw.
    std::function<void()> run;
  };

  enum class Outcome {
    kDone,
    kLate,        ///< given up at its deadline
    kStuck,       ///< not started: an earlier job of this key still runs
    kGroupStuck,  ///< not started: `group_limit` given-up jobs of the group still run
    kNotReached,  ///< not started within twice the deadline: too few threads made headway
  };

  struct Answer {
    Outcome outcome = Outcome::kNotReached;
    /// kStuck, kGroupStuck: the `now` of the Run that started the (oldest) job that still runs.
    Time since;
  };

  explicit DeadlinePool(const Options& options);
  /// Does not wait for given-up jobs.
  ~DeadlinePool();
  DeadlinePool(const DeadlinePool&) = delete;
  DeadlinePool& operator=(const DeadlinePool&) = delete;

  /// Runs `jobs` (their keys differ), roughly in order, and returns an answer for each within three
  /// deadlines. What a job of outcome kDone wrote is visible to the caller; what any other writes
  /// must not be looked at. `now` is the moment of the call.
  std::vector<Answer> Run(std::vector<Job> jobs, Time now);

 private:
  class Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace tidegauge
