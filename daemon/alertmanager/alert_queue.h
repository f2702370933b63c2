// What is still to be sent to one Alertmanager.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "daemon/expose/alerts.h"

namespace tidegauge {

/// Any thread may call any of these.
class AlertQueue {
 public:
  /// Beyond `capacity` the oldest are dropped: later ones repeat them.
  explicit AlertQueue(std::size_t capacity) : capacity_(capacity) {}

  void Push(const std::vector<TimedAlert>& alerts);
  /// The oldest, `most` of them; waits for one. Empty: the queue is closed.
  std::vector<TimedAlert> Take(std::size_t most);
  /// Nothing is taken any more but what is there, if `drain`; or not even that.
  void Close(bool drain);

  std::size_t capacity() const { return capacity_; }
  std::size_t size() const;
  std::uint64_t dropped() const;

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<TimedAlert> alerts_;
  std::uint64_t dropped_ = 0;
  bool closed_ = false;
};

}  // namespace tidegauge
