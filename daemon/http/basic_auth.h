// Who may ask, by name and password (RFC 7617).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "config/visitor.h"
#include "daemon/http/check_queue.h"

namespace tidegauge {

enum class Verdict {
  kYes,
  kNo,
  kBusy,  ///< too many passwords are being checked
};

/// Knows the users of one reading of the file. Holds no password: of those that were right or wrong
/// it remembers a keyed hash, so that a client that comes again costs nothing, and for how long a
/// check takes it makes no difference whether the user exists (as long as all hashes have one
/// cost).
class BasicAuth {
 public:
  /// `users`: bcrypt hashes by name.
  BasicAuth(const StringMap& users, std::shared_ptr<CheckQueue> queue);
  ~BasicAuth();
  BasicAuth(const BasicAuth&) = delete;
  BasicAuth& operator=(const BasicAuth&) = delete;

  /// As they were given.
  const StringMap& users() const { return users_; }

  /// Judges the value of an Authorization header, empty where there is none. Returns at once;
  /// absent: it takes a while, and `done` is called later, on another thread, unless the queue ends
  /// before. `client`: whose turn in the queue it takes.
  std::optional<Verdict> Check(std::string_view authorization, const std::string& client,
                               const std::function<void(Verdict)>& done);

 private:
  class Memory;

  const StringMap users_;
  std::shared_ptr<Memory> memory_;  // a check under way may outlive this
  std::shared_ptr<CheckQueue> queue_;
};

}  // namespace tidegauge
