#include "daemon/run_service.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <expected>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/core.h>
#include <malloc.h>
#include <pthread.h>

#include "daemon/exit_status.h"
#include "daemon/http/door_watch.h"
#include "daemon/http/routes.h"
#include "daemon/http/server.h"
#include "daemon/log/log.h"
#include "daemon/poller.h"
#include "daemon/service.h"
#include "daemon/setup.h"
#include "daemon/state/state_store.h"
#include "daemon/systemd/supervisor.h"
#include "daemon/version.h"

namespace tidegauge {
namespace {

/// By default each thread has an arena of its own, which keeps what it once held: resident memory
/// was then more than twice as large with 10,000 partitions.
constexpr int kMallocArenas = 2;
/// What is larger than this (the text of a large scrape) goes back to the system when it is freed;
/// by default malloc raises the limit with what it sees, up to 32 MiB, and keeps such pieces.
constexpr int kOwnMappingBytes = 256 << 10;

/// How long a poll or a reload that hangs may delay the end of the process.
constexpr auto kPatienceAtEnd = std::chrono::seconds(2);

using SteadyTime = std::chrono::steady_clock::time_point;

/// How long the last alerts may delay it.
constexpr auto kPatienceForAlerts = std::chrono::seconds(1);

/// All of the end: systemd and people wait for five seconds.
constexpr auto kLastMoment = std::chrono::milliseconds(4500);

/// How often a start looks whether it is to end.
constexpr auto kStartLooks = std::chrono::milliseconds(10);

/// Negative: none came within `patience`.
int NextSignal(const sigset_t& signals, std::chrono::milliseconds patience) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(patience);
  const std::chrono::nanoseconds rest = patience - seconds;
  const timespec time{.tv_sec = seconds.count(), .tv_nsec = rest.count()};
  return sigtimedwait(&signals, nullptr, &time);
}

sigset_t OwnSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

/// Whatever hangs from here on, be it the log that nobody reads.
void EndInAnyCase() {
  std::thread([] {
    std::this_thread::sleep_for(kLastMoment);
    std::_Exit(kExitOk);
  }).detach();
}

/// Until SIGTERM or SIGINT. Feeds the watchdog while the polls move.
void WaitForEnd(Service& service, const Supervisor& supervisor) {
  const sigset_t signals = OwnSignals();
  const std::optional<Duration> interval = supervisor.feed_interval();
  for (;;) {
    const int signal = interval ? NextSignal(signals, *interval) : sigwaitinfo(&signals, nullptr);
    if (signal == SIGHUP) {
      service.RequestReload([](const Result<void>&) {});  // which logs what is wrong
    } else if (signal > 0) {
      EndInAnyCase();
      Log(LogLevel::kInfo, "stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
      return;
    }
    if (interval && service.Healthy()) supervisor.FeedWatchdog();
  }
}

/// A loop of the service, on a thread that may be left behind.
class Worker {
 public:
  /// `name`: for `top -H`.
  Worker(const char* name, const std::shared_ptr<Service>& service, void (Service::*loop)())
      : ended_(end_.get_future()), thread_([service, loop, end = std::move(end_)]() mutable {
          ((*service).*loop)();
          end.set_value();
        }) {
    pthread_setname_np(thread_.native_handle(), name);
  }

  /// Whether it has ended by then; if not, it is left to itself.
  bool EndBy(SteadyTime moment) {
    const bool ended = ended_.wait_until(moment) == std::future_status::ready;
    ended ? thread_.join() : thread_.detach();
    return ended;
  }

 private:
  std::promise<void> end_;
  std::future<void> ended_;
  std::thread thread_;
};

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

using Sockets = std::vector<ListeningSocket>;

struct Started {
  std::shared_ptr<Service> service;
  std::unique_ptr<HttpServer> server;
  ReadDoor door;
};

/// Everything up to the first poll, or the exit status. `sockets`: those that were inherited.
std::expected<Started, int> Start(const ServiceOptions& options, const Supervisor& supervisor,
                                  Result<Sockets> sockets) {
  auto setup = MakeSetup(options.config_file, options.shard, nullptr);
  if (!setup) {
    fmt::print(stderr, "{}", setup.error());
    return std::unexpected(kExitConfig);
  }
  auto door = ReadDoorFile(options.web_config_file);
  if (!door) {
    fmt::print(stderr, "{}", door.error());
    return std::unexpected(kExitConfig);
  }
  const Config& config = (*setup)->config;
  auto poller = MakePoller(options.state_dir.empty() ? config.state_dir : options.state_dir);
  if (!poller) {
    Log(LogLevel::kError, poller.error().message);
    return std::unexpected(kExitFailure);
  }
  auto addresses = options.listen_addresses;
  if (addresses.empty()) addresses.push_back(config.web.listen_address);
  if (!options.inherit_sockets) sockets = ListenOn(addresses);
  if (!sockets) {
    Log(LogLevel::kError, sockets.error().message);
    return std::unexpected(kExitFailure);
  }
  auto service = std::make_shared<Service>(options.config_file, std::move(*setup),
                                           std::move(*poller), supervisor);
  auto server = HttpServer::Serve(
      *std::move(sockets), MakeRoutes(service->Sources(options.enable_lifecycle)), {}, door->door);
  if (!server) {
    Log(LogLevel::kError, server.error().message);
    return std::unexpected(kExitFailure);
  }
  return Started{std::move(service), std::move(*server), std::move(*door)};
}

/// On a thread of its own: a file that it reads may hang, and then a signal ends it at once.
std::expected<Started, int> StartUnlessEnded(const ServiceOptions& options,
                                             const Supervisor& supervisor,
                                             Result<Sockets> sockets) {
  std::packaged_task<std::expected<Started, int>()> start(
      [options, supervisor, sockets = std::move(sockets)]() mutable {
        return Start(options, supervisor, std::move(sockets));
      });
  auto started = start.get_future();
  std::thread thread(std::move(start));
  sigset_t ends = OwnSignals();
  sigdelset(&ends, SIGHUP);
  while (started.wait_for(kStartLooks) != std::future_status::ready) {
    if (NextSignal(ends, std::chrono::milliseconds(0)) < 0) continue;
    thread.detach();
    return std::unexpected(kExitOk);
  }
  thread.join();
  return started.get();
}

void LogEndpoints(const HttpServer& server, bool tls) {
  for (const std::string& endpoint : server.endpoints()) {
    Log(LogLevel::kInfo, "listening",
        {{"address", endpoint},
         {"tls", tls ? "true" : "false"},
         {"version", std::string(kVersion)}});
  }
}

int Run(const std::shared_ptr<Service>& service, HttpServer& server, const Supervisor& supervisor) {
  Worker polling("poll", service, &Service::PollLoop);
  Worker reloading("reload", service, &Service::ReloadLoop);
  supervisor.Ready();
  WaitForEnd(*service, supervisor);
  supervisor.Stopping();
  service->Stop();
  server.Stop();
  const auto last_moment = std::chrono::steady_clock::now() + kPatienceAtEnd;
  reloading.EndBy(last_moment);
  if (polling.EndBy(last_moment)) {
    service->SendTheLastAlerts(kPatienceForAlerts);
  } else {
    // What was learnt is on disk since the last poll. The kernel may keep a thread that hangs, and
    // with it this process's files, long after its end: the next start needs the directory now.
    Log(LogLevel::kWarn, "a poll is still under way; ending without it");
    service->Abandon();
  }
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
  const auto supervisor = Supervisor::FromEnvironment();
  if (!supervisor) {
    Log(LogLevel::kError, supervisor.error().message);
    return kExitFailure;
  }
  // Here, since it changes the environment: there are no other threads yet.
  auto sockets = options.inherit_sockets ? InheritSockets() : Sockets();
  auto started = StartUnlessEnded(options, *supervisor, std::move(sockets));
  if (!started) return started.error();
  // Kept to the end of the process: a client that is destroyed may wait for a name server.
  static const std::shared_ptr<Service> kService = std::move(started->service);
  HttpServer& server = *started->server;
  LogEndpoints(server, started->door.door->tls != nullptr);
  const DoorWatch watch(std::move(started->door),
                        [&server](DoorPtr door) { server.Use(std::move(door)); });
  if (options.on_listening) options.on_listening(server.endpoints());
  return Run(kService, server, *supervisor);
}

}  // namespace tidegauge
