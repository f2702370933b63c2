// Who owns a state directory.
#pragma once

#include <string>
#include <utility>

#include "core/result.h"

namespace tidegauge {

/// An advisory lock on a file of the directory. The kernel takes it back when the process ends,
/// however it ends.
class OwnerLock {
 public:
  /// Errors: kUnavailable, somebody else has it (the message says which process); else as opening a
  /// file fails.
  static Result<OwnerLock> Take(const std::string& directory);

  OwnerLock(OwnerLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnerLock& operator=(OwnerLock&&) = delete;
  ~OwnerLock();

  /// Gives the directory up early. Any thread.
  void Release() const;

 private:
  explicit OwnerLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace tidegauge
