// Reads the file of --web.config.file, and again when it changes, or what it names.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/http/door.h"

namespace tidegauge {

/// A door, and the files that it came from as they were then.
struct ReadDoor {
  DoorPtr door;
  std::string file;                 ///< empty: there is none, the door is open and stays so
  std::vector<std::string> files;   ///< `file` and what it names
  std::string as_they_were;         ///< of `files`: inode, size, time of each
  std::vector<std::string> doubts;  ///< what is allowed, but hardly meant
  std::shared_ptr<CheckQueue> queue;
};

/// The error is every mistake, a line each: `file:line: message`.
std::expected<ReadDoor, std::string> ReadDoorFile(const std::string& file);

/// Looks after the files twice a second, on a thread of its own. A change counts when it has rested
/// for one such interval, since a file that is being written may be cut short. What is wrong is
/// logged once, and the door stays as it is; as it does when the file has become empty, which would
/// open it.
class DoorWatch {
 public:
  static constexpr std::chrono::milliseconds kInterval{500};

  /// Calls `use` with each new door, on the watch's thread.
  DoorWatch(ReadDoor door, std::function<void(DoorPtr)> use,
            std::chrono::milliseconds interval = kInterval);
  /// `use` is not called any more. Does not wait for a file system that hangs.
  ~DoorWatch();
  DoorWatch(const DoorWatch&) = delete;
  DoorWatch& operator=(const DoorWatch&) = delete;

 private:
  struct State;
  std::shared_ptr<State> state_;  // the thread keeps it alive
};

}  // namespace tidegauge
