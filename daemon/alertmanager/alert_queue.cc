#include "daemon/alertmanager/alert_queue.h"

#include <algorithm>
#include <iterator>

namespace tidegauge {

void AlertQueue::Push(const std::vector<TimedAlert>& alerts) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  alerts_.insert(alerts_.end(), alerts.begin(), alerts.end());
  while (alerts_.size() > capacity_) {
    alerts_.pop_front();
    ++dropped_;
  }
  changed_.notify_all();
}

std::vector<TimedAlert> AlertQueue::Take(std::size_t most) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !alerts_.empty(); });
  const auto end = alerts_.begin() + static_cast<std::ptrdiff_t>(std::min(most, alerts_.size()));
  std::vector<TimedAlert> taken(std::make_move_iterator(alerts_.begin()),
                                std::make_move_iterator(end));
  alerts_.erase(alerts_.begin(), end);
  return taken;
}

void AlertQueue::Close(bool drain) {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (!drain) alerts_.clear();
  changed_.notify_all();
}

std::size_t AlertQueue::size() const {
  const std::lock_guard lock(mutex_);
  return alerts_.size();
}

std::uint64_t AlertQueue::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace tidegauge
