#include "daemon/service.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/core.h>
#include <malloc.h>

#include "config/address.h"
#include "config/load.h"
#include "core/detectors/all.h"
#include "daemon/alertmanager/notifier.h"
#include "daemon/exit_status.h"
#include "daemon/http/routes.h"
#include "daemon/http/server.h"
#include "daemon/journal.h"
#include "daemon/live_world.h"
#include "daemon/log/log.h"
#include "daemon/poller.h"
#include "daemon/process_status.h"
#include "daemon/state/state_store.h"
#include "daemon/version.h"

namespace tidegauge {
namespace {

/// By default each thread has an arena of its own, which keeps what it once held: resident memory
/// was then more than twice as large with 10,000 partitions.
constexpr int kMallocArenas = 2;
/// What is larger than this (the text of a large scrape) goes back to the system when it is freed;
/// by default malloc raises the limit with what it sees, up to 32 MiB, and keeps such pieces.
constexpr int kOwnMappingBytes = 256 << 10;

/// How long a poll that hangs may delay the end of the process.
constexpr auto kPatienceAtEnd = std::chrono::seconds(3);

using SteadyTime = std::chrono::steady_clock::time_point;

/// How long the last alerts may delay it.
constexpr auto kPatienceForAlerts = std::chrono::seconds(1);

/// A configuration, the world it makes, and who hears of it.
struct Setup {
  Config config;
  std::unique_ptr<LiveWorld> world;
  std::unique_ptr<Notifier> notifier;
};

std::unique_ptr<Notifier> MakeNotifier(const Config& config) {
  const AlertmanagerConfig& to = config.alertmanager;
  return std::make_unique<Notifier>(
      NotifierOptions{.urls = SplitUrls(to.urls),
                      .credentials = {.basic_auth_user = to.basic_auth_user,
                                      .basic_auth_password_file = to.basic_auth_password_file,
                                      .bearer_token_file = to.bearer_token_file,
                                      .ca_file = to.ca_file,
                                      .cert_file = to.cert_file,
                                      .key_file = to.key_file},
                      .traits = {.external_labels = to.external_labels,
                                 .external_url = to.external_url,
                                 .runbook_base = to.runbook_base},
                      .resend_delay = to.resend_delay,
                      .poll_interval = config.poll_interval});
}

std::expected<std::shared_ptr<Setup>, std::string> MakeSetup(const std::string& file) {
  auto config = LoadConfig(file, AllDetectors());
  if (!config) return std::unexpected(Render(file, config.error()));
  auto setup = std::make_shared<Setup>(std::move(*config));
  auto world = LiveWorld::Make(setup->config);
  if (!world) return std::unexpected(fmt::format("{}: {}\n", file, world.error().message));
  setup->world = std::move(*world);
  setup->notifier = MakeNotifier(setup->config);
  return setup;
}

/// Longer than any poll can take: each stage ends within a few of its deadlines.
Duration LongestPoll(const Config& config) {
  Duration kafka{};
  for (const KafkaConfig& cluster : config.kafka) kafka = std::max(kafka, cluster.timeout);
  return 6 * config.read_timeout + 3 * kafka + std::chrono::seconds(30);
}

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

/// What the threads share: the setup in use, the newest report, and whether to stop.
class Service {
 public:
  Service(std::string config_file, std::shared_ptr<Setup> setup, Poller poller)
      : config_file_(std::move(config_file)),
        poller_(std::move(poller)),
        setup_(std::move(setup)),
        loaded_at_(Now()),
        moved_at_(std::chrono::steady_clock::now()) {}

  /// The poll loop; returns after Stop.
  void PollLoop() {
    while (!stopping()) {
      const auto started = std::chrono::steady_clock::now();
      const std::shared_ptr<Setup> setup = CurrentSetup();
      ReportPtr report = poller_.Poll(*setup->world, setup->config.rules);
      LogChanges(Newest().get(), *report);
      setup->notifier->Take(*report, Now());
      Publish(std::move(report));
      WaitUntil(started + setup->config.poll_interval);
    }
  }

  void Stop() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }

  /// After the last poll.
  void SendTheLastAlerts() { CurrentSetup()->notifier->Drain(kPatienceForAlerts); }

  /// Takes a new configuration whole, or leaves everything as it is.
  Result<void> Reload() {
    auto setup = MakeSetup(config_file_);
    if (!setup) {
      const std::lock_guard lock(mutex_);
      last_reload_ok_ = false;
      Log(LogLevel::kError, "configuration not reloaded; the old one stays",
          {{"reason", setup.error()}});
      return Fail(ErrorKind::kInvalid, setup.error());
    }
    LogWhatStays((*setup)->config);
    std::shared_ptr<Setup> old = std::move(*setup);  // its clients end outside the lock, if here
    {
      const std::lock_guard lock(mutex_);
      std::swap(setup_, old);
      last_reload_ok_ = true;
      loaded_at_ = Now();
      poll_now_ = true;
      wake_.notify_all();
    }
    Log(LogLevel::kInfo, "configuration reloaded", {{"file", config_file_}});
    return {};
  }

  /// For an end that does not wait for a poll that hangs.
  void Abandon() const { poller_.Abandon(); }

  WebSources Sources(bool enable_lifecycle) {
    WebSources sources{.report = [this] { return Newest(); },
                       .self = [this] { return Self(); },
                       .metrics = [this] { return OptionsOf(CurrentSetup()->config.metrics); },
                       .healthy = [this] { return Healthy(); },
                       .reload = {},
                       .now = Now};
    if (enable_lifecycle) sources.reload = [this] { return Reload(); };
    return sources;
  }

 private:
  bool stopping() {
    const std::lock_guard lock(mutex_);
    return stopping_;
  }

  std::shared_ptr<Setup> CurrentSetup() {
    const std::lock_guard lock(mutex_);
    return setup_;
  }

  ReportPtr Newest() {
    const std::lock_guard lock(mutex_);
    return newest_;
  }

  void Publish(ReportPtr report) {
    const std::lock_guard lock(mutex_);
    newest_ = std::move(report);
    moved_at_ = std::chrono::steady_clock::now();
  }

  /// Says which of the new settings only a restart would take.
  void LogWhatStays(const Config& fresh) {
    const std::shared_ptr<Setup> current = CurrentSetup();
    const auto stays = [](const char* setting) {
      Log(LogLevel::kWarn, "this setting has changed, and is taken at the next start only",
          {{"setting", setting}});
    };
    if (fresh.state_dir != current->config.state_dir) stays("state_dir");
    if (fresh.web.listen_address != current->config.web.listen_address) stays("web.listen_address");
  }

  void WaitUntil(SteadyTime moment) {
    std::unique_lock lock(mutex_);
    wake_.wait_until(lock, moment, [this] { return stopping_ || poll_now_; });
    poll_now_ = false;
  }

  SelfReport Self() {
    SelfReport self{.version = std::string(kVersion), .process = ReadProcessStatus()};
    const std::lock_guard lock(mutex_);
    self.alertmanagers = setup_->notifier->Status();
    self.last_reload_ok = last_reload_ok_;
    self.config_loaded_at = loaded_at_;
    self.poll_overdue = PollOverdue();
    return self;
  }

  Result<void> Healthy() {
    const std::lock_guard lock(mutex_);
    const auto idle =
        std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - moved_at_);
    const Duration most = PollOverdue();
    if (idle <= most) return {};
    return Fail(ErrorKind::kUnavailable,
                fmt::format("no poll has ended for {} s; the longest possible is {} s",
                            idle / std::chrono::seconds(1), most / std::chrono::seconds(1)));
  }

  /// With the mutex held.
  Duration PollOverdue() const {
    return setup_->config.poll_interval + LongestPoll(setup_->config);
  }

  const std::string config_file_;
  Poller poller_;  // of the poll loop alone

  std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<Setup> setup_;
  ReportPtr newest_;
  bool last_reload_ok_ = true;
  Time loaded_at_;
  SteadyTime moved_at_;
  bool stopping_ = false;
  bool poll_now_ = false;
};

sigset_t OwnSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

void WaitForEnd(Service& service) {
  const sigset_t signals = OwnSignals();
  for (int signal = 0; sigwait(&signals, &signal) == 0;) {
    if (signal != SIGHUP) {
      Log(LogLevel::kInfo, "stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
      return;
    }
    [[maybe_unused]] const auto reloaded = service.Reload();  // which logs what is wrong
  }
}

Result<Poller> MakePoller(const std::string& directory) {
  auto store = StateStore::Open(directory);
  if (!store) return std::unexpected(store.error());
  auto ledger = (*store)->Load();
  if (!ledger) return std::unexpected(ledger.error());
  if (ledger->empty()) {
    Log(LogLevel::kInfo,
        "nothing is remembered yet: a topic recreated before now is found only where timestamps "
        "prove it",
        {{"state_dir", directory}});
  }
  return Poller(std::move(*store), std::move(*ledger));
}

int Run(const std::shared_ptr<Service>& service, HttpServer& server) {
  std::promise<void> ended;
  auto ending = ended.get_future();
  std::thread polling([service, ended = std::move(ended)]() mutable {
    service->PollLoop();
    ended.set_value();
  });
  WaitForEnd(*service);
  service->Stop();
  server.Stop();
  if (ending.wait_for(kPatienceAtEnd) != std::future_status::ready) {
    // What was learnt is on disk since the last poll. The kernel may keep a thread that hangs, and
    // with it this process's files, long after its end: the next start needs the directory now.
    Log(LogLevel::kWarn, "a poll is still under way; ending without it");
    service->Abandon();
    polling.detach();
    return kExitOk;
  }
  polling.join();
  service->SendTheLastAlerts();
  return kExitOk;
}

}  // namespace

void HoldSignals() {
  const sigset_t signals = OwnSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int RunService(const ServiceOptions& options) {
  mallopt(M_ARENA_MAX, kMallocArenas);
  mallopt(M_MMAP_THRESHOLD, kOwnMappingBytes);
  HoldSignals();
  // Of a pipe that nobody reads, and of a file that a limit stops: the failed write is told
  // instead.
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  auto setup = MakeSetup(options.config_file);
  if (!setup) {
    fmt::print(stderr, "{}", setup.error());
    return kExitConfig;
  }
  const Config& config = (*setup)->config;
  auto poller = MakePoller(options.state_dir.empty() ? config.state_dir : options.state_dir);
  if (!poller) {
    Log(LogLevel::kError, poller.error().message);
    return kExitFailure;
  }
  auto addresses = options.listen_addresses;
  if (addresses.empty()) addresses.push_back(config.web.listen_address);
  auto service =
      std::make_shared<Service>(options.config_file, std::move(*setup), std::move(*poller));
  auto server =
      HttpServer::Listen(addresses, MakeRoutes(service->Sources(options.enable_lifecycle)));
  if (!server) {
    Log(LogLevel::kError, server.error().message);
    return kExitFailure;
  }
  for (const std::string& endpoint : (*server)->endpoints()) {
    Log(LogLevel::kInfo, "listening", {{"address", endpoint}, {"version", std::string(kVersion)}});
  }
  if (options.on_listening) options.on_listening((*server)->endpoints());
  return Run(service, **server);
}

}  // namespace tidegauge
