#include "daemon/service.h"

#include <utility>

#include <fmt/core.h>

#include "daemon/expose/overview.h"
#include "daemon/journal.h"
#include "daemon/log/log.h"
#include "daemon/process_status.h"
#include "daemon/version.h"

namespace tidegauge {
namespace {

MetricsOptions OptionsOf(const MetricsConfig& metrics) {
  MetricsOptions options{.series_limit = static_cast<std::size_t>(metrics.series_limit)};
  switch (metrics.granularity) {
    case Granularity::kPartition:
      options.granularity = LagGranularity::kPartition;
      break;
    case Granularity::kTopic:
      options.granularity = LagGranularity::kTopic;
      break;
    case Granularity::kQuery:
      options.granularity = LagGranularity::kQuery;
      break;
  }
  return options;
}

Result<void> Ending() { return Fail(ErrorKind::kUnavailable, "tidegauge is stopping"); }

}  // namespace

Service::Service(std::string config_file, std::shared_ptr<Setup> setup, Poller poller,
                 Supervisor supervisor)
    : config_file_(std::move(config_file)),
      supervisor_(std::move(supervisor)),
      poller_(std::move(poller)),
      state_dir_(setup->config.state_dir),
      listen_address_(setup->config.web.listen_address),
      setup_(std::move(setup)),
      loaded_at_(Now()),
      moved_at_(std::chrono::steady_clock::now()) {}

void Service::PollLoop() {
  while (!stopping()) {
    const auto started = std::chrono::steady_clock::now();
    const std::shared_ptr<Setup> setup = CurrentSetup();
    ReportPtr report = poller_.Poll(*setup->world, setup->config.rules);
    LogChanges(Newest().get(), *report);
    setup->notifier->Take(*report, Now());
    supervisor_.Status(Headline(OverviewOf(*report)));
    Publish(std::move(report));
    WaitUntil(started + setup->config.poll_interval);
  }
}

void Service::ReloadLoop() {
  for (;;) {
    std::vector<Reloaded> waiting;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !reloads_.empty(); });
      if (stopping_) return;
      waiting.swap(reloads_);
    }
    const Result<void> result = Reload();
    for (const Reloaded& done : waiting) done(result);
  }
}

void Service::RequestReload(Reloaded done) {
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_) {
      reloads_.push_back(std::move(done));
      wake_.notify_all();
      return;
    }
  }
  done(Ending());
}

void Service::Stop() {
  std::vector<Reloaded> waiting;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting.swap(reloads_);
    wake_.notify_all();
  }
  for (const Reloaded& done : waiting) done(Ending());
}

void Service::SendTheLastAlerts(Duration patience) { CurrentSetup()->notifier->Drain(patience); }

Result<void> Service::Healthy() const {
  const std::lock_guard lock(mutex_);
  const auto idle =
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - moved_at_);
  const Duration most = PollOverdue();
  if (idle <= most) return {};
  return Fail(ErrorKind::kUnavailable,
              fmt::format("no poll has ended for {} s; the longest possible is {} s",
                          idle / std::chrono::seconds(1), most / std::chrono::seconds(1)));
}

WebSources Service::Sources(bool enable_lifecycle) {
  WebSources sources{.report = [this] { return Newest(); },
                     .self = [this] { return Self(); },
                     .metrics = [this] { return OptionsOf(CurrentSetup()->config.metrics); },
                     .healthy = [this] { return Healthy(); },
                     .reload = {},
                     .now = Now};
  if (enable_lifecycle) {
    sources.reload = [this](Reloaded done) { RequestReload(std::move(done)); };
  }
  return sources;
}

Result<void> Service::Reload() {
  supervisor_.Reloading();
  Result<void> taken = TakeConfiguration();
  supervisor_.Ready();
  return taken;
}

Result<void> Service::TakeConfiguration() {
  const std::shared_ptr<Setup> before = CurrentSetup();
  auto setup = MakeSetup(config_file_, before->config.shard, before.get());
  if (!setup) {
    NoteFailure();
    Log(LogLevel::kError, "configuration not reloaded; the old one stays",
        {{"reason", setup.error()}});
    return Fail(ErrorKind::kInvalid, setup.error());
  }
  LogWhatStays((*setup)->config);
  Take(std::move(*setup));
  Log(LogLevel::kInfo, "configuration reloaded", {{"file", config_file_}});
  return {};
}

void Service::NoteFailure() {
  const std::lock_guard lock(mutex_);
  last_reload_ok_ = false;
}

void Service::Take(std::shared_ptr<Setup> setup) {
  const std::lock_guard lock(mutex_);
  std::swap(setup_, setup);
  last_reload_ok_ = true;
  loaded_at_ = Now();
  moved_at_ = std::chrono::steady_clock::now();  // by the new intervals from now on
  poll_now_ = true;
  wake_.notify_all();
}

/// Says which of the new settings only a restart would take.
void Service::LogWhatStays(const Config& fresh) const {
  const auto stays = [](const char* setting) {
    Log(LogLevel::kWarn, "this setting has changed, and is taken at the next start only",
        {{"setting", setting}});
  };
  if (fresh.state_dir != state_dir_) stays("state_dir");
  if (fresh.web.listen_address != listen_address_) stays("web.listen_address");
}

bool Service::stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

std::shared_ptr<Setup> Service::CurrentSetup() const {
  const std::lock_guard lock(mutex_);
  return setup_;
}

ReportPtr Service::Newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

void Service::Publish(ReportPtr report) {
  const std::lock_guard lock(mutex_);
  newest_ = std::move(report);
  moved_at_ = std::chrono::steady_clock::now();
}

void Service::WaitUntil(SteadyTime moment) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, moment, [this] { return stopping_ || poll_now_; });
  poll_now_ = false;
}

SelfReport Service::Self() const {
  SelfReport self{.version = std::string(kVersion), .process = ReadProcessStatus()};
  const std::lock_guard lock(mutex_);
  self.shard = setup_->config.shard.index();
  self.shards = setup_->config.shard.count();
  self.alertmanagers = setup_->notifier->Status();
  self.last_reload_ok = last_reload_ok_;
  self.config_loaded_at = loaded_at_;
  self.poll_overdue = PollOverdue();
  return self;
}

Duration Service::PollOverdue() const {
  return setup_->config.poll_interval + LongestPoll(setup_->config);
}

}  // namespace tidegauge
