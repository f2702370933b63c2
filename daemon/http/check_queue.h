// Work that is too slow for the HTTP thread: a few threads, and a queue in which no client stands
// in the way of another.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace tidegauge {

struct CheckQueueLimits {
  std::size_t threads = 1;      ///< at least one
  std::size_t waiting = 64;     ///< in all
  std::size_t per_client = 16;  ///< of these
};

/// Half of this machine's cores, from one to four.
CheckQueueLimits DefaultCheckQueueLimits();

/// Any thread may use it.
class CheckQueue {
 public:
  explicit CheckQueue(CheckQueueLimits limits = DefaultCheckQueueLimits());
  /// What has not begun is dropped. What has begun ends by itself, and nobody waits for it.
  ~CheckQueue();
  CheckQueue(const CheckQueue&) = delete;
  CheckQueue& operator=(const CheckQueue&) = delete;

  /// Has `job` run on a thread of the queue's own: the clients take turns. `job` must not throw.
  /// False: there are too many already. When the queue is full, the newest job of the client that
  /// has most makes room for one who has fewer by two or more: `dropped` of that job is called
  /// instead, on the caller's thread.
  bool Add(const std::string& client, std::function<void()> job,
           std::function<void()> dropped = {});

 private:
  struct State;
  std::shared_ptr<State> state_;  // the threads keep it alive
};

}  // namespace tidegauge
