// Tells Alertmanager what fires, without Prometheus in between.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/report.h"
#include "daemon/alertmanager/http_post.h"
#include "daemon/alertmanager/resender.h"
#include "daemon/expose/alerts.h"
#include "daemon/expose/self_report.h"

namespace tidegauge {

struct NotifierOptions {
  std::vector<std::string> urls;  ///< of all instances of one Alertmanager; empty: it is off
  HttpCredentials credentials;
  AlertTraits traits;
  Duration resend_delay = std::chrono::minutes(1);
  Duration poll_interval = std::chrono::seconds(30);
};

/// Each instance has a queue and a thread of its own: one that hangs delays no other.
class Notifier {
 public:
  explicit Notifier(const NotifierOptions& options);
  /// Ends within a second; what is not sent then is not.
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  /// Sends what is due after a poll. Does not wait. One thread.
  void Take(const Report& report, Time now);
  /// Sends what is queued, for at most `patience`. Nothing is taken any more.
  void Drain(Duration patience);

  /// Any thread.
  std::vector<AlertmanagerStatus> Status() const;

 private:
  class Instance;

  const AlertTraits traits_;
  Resender resender_;
  std::vector<std::unique_ptr<Instance>> instances_;
};

}  // namespace tidegauge
