// File access of this thread as an ordinary user, so that permission tests also hold for root.
#pragma once

#include <sys/fsuid.h>
#include <sys/types.h>
#include <unistd.h>

namespace tidegauge {

/// While it lives, this thread opens files as `nobody`. Without effect for who is not root: such a
/// user is refused anyway.
class Unprivileged {
 public:
  Unprivileged() : uid_(::setfsuid(kNobody)) {}
  ~Unprivileged() { ::setfsuid(static_cast<uid_t>(uid_)); }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  int uid_;
};

}  // namespace tidegauge
