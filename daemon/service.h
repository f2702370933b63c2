// The daemon's loops, and what they share with the web: polls, reloads, the newest report.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/report.h"
#include "core/result.h"
#include "daemon/http/routes.h"
#include "daemon/poller.h"
#include "daemon/setup.h"
#include "daemon/systemd/supervisor.h"

namespace tidegauge {

/// The two loops run on a thread each; everything else may be called from any.
class Service {
 public:
  using Reloaded = std::function<void(const Result<void>&)>;

  Service(std::string config_file, std::shared_ptr<Setup> setup, Poller poller,
          Supervisor supervisor);

  /// Polls at the configured interval. Returns after Stop.
  void PollLoop();

  /// Makes the reloads that are requested: a new configuration is taken whole, or not at all.
  /// Returns after Stop, unless a file hangs.
  void ReloadLoop();

  /// Several of them while one is under way become one. `done` is called on the reload loop; with
  /// kUnavailable, on any thread, when it ends instead.
  void RequestReload(Reloaded done);

  void Stop();

  /// After the last poll; for at most `patience`.
  void SendTheLastAlerts(Duration patience);

  /// For an end that does not wait for a poll that hangs.
  void Abandon() const { poller_.Abandon(); }

  /// Whether the polls move; the error says for how long they have not.
  Result<void> Healthy() const;

  /// This must outlive them.
  WebSources Sources(bool enable_lifecycle);

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;

  Result<void> Reload();
  Result<void> TakeConfiguration();
  void NoteFailure();
  void Take(std::shared_ptr<Setup> setup);
  void LogWhatStays(const Config& fresh) const;
  bool stopping() const;
  std::shared_ptr<Setup> CurrentSetup() const;
  ReportPtr Newest() const;
  void Publish(ReportPtr report);
  void WaitUntil(SteadyTime moment);
  SelfReport Self() const;
  /// With the mutex held.
  Duration PollOverdue() const;

  const std::string config_file_;
  const Supervisor supervisor_;
  Poller poller_;                ///< of the poll loop alone
  const std::string state_dir_;  ///< as configured at the start, which a reload does not change
  const std::string listen_address_;  ///< likewise

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<Setup> setup_;
  ReportPtr newest_;
  bool last_reload_ok_ = true;
  Time loaded_at_;
  SteadyTime moved_at_;
  bool stopping_ = false;
  bool poll_now_ = false;
  std::vector<Reloaded> reloads_;  ///< wanted, not begun
};

}  // namespace tidegauge
