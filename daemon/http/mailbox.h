// How other threads reach the one that serves.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace tidegauge {

/// Hands letters on until it is closed, and none after that. Any thread.
class Mailbox {
 public:
  using Letter = std::function<void()>;

  /// `deliver` is called on the thread that posts.
  explicit Mailbox(std::function<void(Letter)> deliver) : deliver_(std::move(deliver)) {}

  void Post(Letter letter) {
    const std::lock_guard lock(mutex_);
    if (deliver_) deliver_(std::move(letter));
  }

  void Close() {
    const std::lock_guard lock(mutex_);
    deliver_ = nullptr;
  }

 private:
  std::mutex mutex_;
  std::function<void(Letter)> deliver_;
};

}  // namespace tidegauge
