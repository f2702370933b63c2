#include "daemon/http/door_watch.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "daemon/log/log.h"

namespace tidegauge {
namespace {

/// Changes when one of them is written, replaced, or reached over another link.
std::string StatesOf(const std::vector<std::string>& files) {
  std::string states;
  for (const std::string& file : files) {
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0) {
      states += "-;";
      continue;
    }
    states += fmt::format("{}.{}.{}.{}.{}.{}.{};", status.st_dev, status.st_ino, status.st_size,
                          status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                          status.st_ctim.tv_nsec);
  }
  return states;
}

std::vector<std::string> FilesOf(const std::string& file, const WebFile& config) {
  std::vector<std::string> files{file};
  if (!config.tls) return files;
  for (const std::string& named :
       {config.tls->cert_file, config.tls->key_file, config.tls->client_ca_file}) {
    if (!named.empty()) files.push_back(named);
  }
  return files;
}

std::vector<std::string> DoubtsAbout(const WebFile& config) {
  std::vector<std::string> doubts;
  if (config.tls && config.tls->client_ca_file.empty() && config.tls->client_ca.empty() &&
      (config.tls->client_certificate == ClientCertificate::kRequiredAndVerified ||
       config.tls->client_certificate == ClientCertificate::kVerifiedIfGiven)) {
    doubts.emplace_back(
        "client certificates are verified without client_ca_file: those of any CA that this "
        "system trusts will do");
  }
  if (!config.tls && !config.users.empty()) {
    doubts.emplace_back("passwords are asked for without TLS: everybody on the way can read them");
  }
  return doubts;
}

/// Beside the door, or instead of it, which files to look after.
struct Reading {
  std::vector<std::string> files;
  std::string states;  ///< of these, just before they were read
  std::expected<DoorPtr, std::string> door;
  std::vector<std::string> doubts;
  bool is_empty = false;
};

Reading Read(const std::string& file, const std::shared_ptr<CheckQueue>& queue,
             const Door* previous) {
  const auto config = LoadWebFile(file);
  if (!config) return {{file}, "", std::unexpected(Render(file, config.error())), {}};
  Reading reading{FilesOf(file, *config), "", nullptr, DoubtsAbout(*config), config->is_empty};
  auto door = MakeDoor(*config, queue, previous);
  if (door) {
    reading.door = *std::move(door);
  } else {
    reading.door = std::unexpected(Render(file, door.error()));
  }
  return reading;
}

/// Reads once more when other files are named than `files`, whose states would be unknown.
Reading ReadWithStates(const std::string& file, std::vector<std::string> files,
                       const std::shared_ptr<CheckQueue>& queue, const Door* previous) {
  constexpr int kMostReadings = 3;
  for (int i = 1;; ++i) {
    std::string states = StatesOf(files);
    Reading reading = Read(file, queue, previous);
    if (reading.files == files || i == kMostReadings) {
      // Otherwise the list is not at rest: no state is like this one, so it is read again.
      if (reading.files == files) reading.states = std::move(states);
      return reading;
    }
    files = std::move(reading.files);
  }
}

}  // namespace

std::expected<ReadDoor, std::string> ReadDoorFile(const std::string& file) {
  if (file.empty()) return ReadDoor{.door = std::make_shared<Door>()};
  ReadDoor read{.file = file, .queue = std::make_shared<CheckQueue>()};
  Reading reading = ReadWithStates(file, {file}, read.queue, nullptr);
  if (!reading.door) return std::unexpected(std::move(reading.door.error()));
  read.door = *std::move(reading.door);
  read.files = std::move(reading.files);
  read.as_they_were = std::move(reading.states);
  read.doubts = std::move(reading.doubts);
  return read;
}

struct DoorWatch::State {
  ReadDoor door;
  std::chrono::milliseconds interval;
  std::string resting;  // the states at the last look, if they are not those of `door`

  std::mutex mutex;
  std::condition_variable wake;
  std::function<void(DoorPtr)> use;
  bool stopping = false;

  void Watch() {
    while (Wait()) Look();
  }

  bool Wait() {
    std::unique_lock lock(mutex);
    return !wake.wait_for(lock, interval, [this] { return stopping; });
  }

  void Look() {
    const std::string now = StatesOf(door.files);
    if (now == door.as_they_were) {
      resting.clear();
    } else if (now != resting) {
      resting = now;
    } else {
      TakeAgain();
    }
  }

  void TakeAgain() {
    Reading reading = ReadWithStates(door.file, door.files, door.queue, door.door.get());
    door.files = std::move(reading.files);
    door.as_they_were = std::move(reading.states);
    resting.clear();
    if (reading.door && reading.is_empty) {
      reading.door = std::unexpected(fmt::format(
          "{}: the file is empty; to serve without TLS and passwords, restart", door.file));
    }
    if (!reading.door) {
      Log(LogLevel::kError, "web configuration not read again; the old one stays",
          {{"reason", reading.door.error()}});
      return;
    }
    LogDoubts(reading.doubts);
    Log(LogLevel::kInfo, "web configuration read again", {{"file", door.file}});
    door.door = *std::move(reading.door);
    const std::lock_guard lock(mutex);
    if (!stopping) use(door.door);
  }

  static void LogDoubts(const std::vector<std::string>& doubts) {
    for (const std::string& doubt : doubts) Log(LogLevel::kWarn, doubt);
  }
};

DoorWatch::DoorWatch(ReadDoor door, std::function<void(DoorPtr)> use,
                     std::chrono::milliseconds interval)
    : state_(std::make_shared<State>()) {
  State::LogDoubts(door.doubts);
  if (door.file.empty()) return;
  state_->door = std::move(door);
  state_->use = std::move(use);
  state_->interval = interval;
  try {
    std::thread([state = state_] { state->Watch(); }).detach();
  } catch (const std::system_error& error) {
    Log(LogLevel::kError, "changes of the web configuration will not be seen",
        {{"reason", error.what()}});
  }
}

DoorWatch::~DoorWatch() {
  const std::lock_guard lock(state_->mutex);
  state_->stopping = true;
  state_->wake.notify_all();
}

}  // namespace tidegauge
