#include "daemon/alertmanager/notifier.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "daemon/alertmanager/alert_queue.h"
#include "daemon/log/log.h"

namespace tidegauge {
namespace {

// As Prometheus has them (notifier/notifier.go).
constexpr std::size_t kQueueCapacity = 10'000;
constexpr std::size_t kBatch = 256;
constexpr Duration kTimeout = std::chrono::seconds(10);

}  // namespace

class Notifier::Instance {
 public:
  Instance(std::string url, const HttpCredentials& credentials)
      : url_(std::move(url)),
        queue_(kQueueCapacity),
        post_(url_ + "/api/v2/alerts", credentials, kTimeout),
        thread_([this] { Run(); }) {}
  ~Instance() { thread_.join(); }

  /// Its thread ends soon.
  void Abort() {
    queue_.Close(false);
    post_.Abort();
  }

  void Push(const std::vector<TimedAlert>& alerts) { queue_.Push(alerts); }
  void CloseToDrain() { queue_.Close(true); }
  void WaitForEnd(std::chrono::steady_clock::time_point end) { ended_.wait_until(end); }

  AlertmanagerStatus Status() const {
    const std::lock_guard lock(mutex_);
    AlertmanagerStatus status = status_;
    status.url = url_;
    status.dropped = queue_.dropped();
    status.queue_length = queue_.size();
    status.queue_capacity = queue_.capacity();
    return status;
  }

 private:
  void Run() {
    for (auto batch = queue_.Take(kBatch); !batch.empty(); batch = queue_.Take(kBatch)) {
      const auto start = std::chrono::steady_clock::now();
      const Result<void> sent = post_.Send(AlertsJson(batch));
      Note(sent, batch.size(), std::chrono::steady_clock::now() - start);
    }
    end_.set_value();
  }

  /// A batch that was not taken is not sent again: the next ones repeat what still holds.
  void Note(const Result<void>& sent, std::size_t alerts, std::chrono::nanoseconds took) {
    Count(sent.has_value(), alerts, took);
    const std::string problem = sent ? std::string() : sent.error().message;
    if (problem == problem_) return;
    if (sent) {
      Log(LogLevel::kInfo, "Alertmanager takes alerts again", {{"alertmanager", url_}});
    } else {
      Log(LogLevel::kError, "Alertmanager does not take alerts",
          {{"alertmanager", url_}, {"reason", problem}});
    }
    problem_ = problem;
  }

  void Count(bool sent, std::size_t alerts, std::chrono::nanoseconds took) {
    const std::lock_guard lock(mutex_);
    status_.took = std::chrono::duration_cast<Duration>(took);
    (sent ? status_.sent : status_.errors) += alerts;
  }

  const std::string url_;
  AlertQueue queue_;
  HttpPost post_;
  mutable std::mutex mutex_;
  AlertmanagerStatus status_;
  std::string problem_;  ///< of the thread alone: why the last batch was not taken; empty: it was
  std::promise<void> end_;
  std::future<void> ended_ = end_.get_future();
  std::thread thread_;
};

Notifier::Notifier(const NotifierOptions& options)
    : traits_(options.traits), resender_(options.resend_delay, options.poll_interval) {
  for (const std::string& url : options.urls) {
    instances_.push_back(std::make_unique<Instance>(url, options.credentials));
  }
}

Notifier::~Notifier() {
  for (const auto& instance : instances_) instance->Abort();
}

void Notifier::Take(const Report& report, Time now) {
  if (instances_.empty()) return;
  std::vector<Alert> firing;
  for (const FindingReport& finding : report.findings) {
    if (finding.phase == Phase::kFiring) firing.push_back(AlertOf(finding, traits_));
  }
  std::vector<EndedAlert> ended;
  for (const FindingReport& finding : report.resolved) {
    if (now - *finding.resolved_at > kResolvedRepeated) continue;
    Alert alert = AlertOf(finding, traits_);
    alert.starts_at = std::min(alert.starts_at, *finding.resolved_at);  // it may have been back
    ended.push_back({std::move(alert), *finding.resolved_at});
  }
  const std::vector<TimedAlert> due = resender_.Due(firing, ended, now);
  for (const auto& instance : instances_) instance->Push(due);
}

void Notifier::Drain(Duration patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (const auto& instance : instances_) instance->CloseToDrain();
  for (const auto& instance : instances_) instance->WaitForEnd(end);
}

std::vector<AlertmanagerStatus> Notifier::Status() const {
  std::vector<AlertmanagerStatus> all;
  all.reserve(instances_.size());
  for (const auto& instance : instances_) all.push_back(instance->Status());
  return all;
}

}  // namespace tidegauge
