#include "daemon/commands/demo.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/core.h>

#include "config/replay_file.h"
#include "daemon/commands/demo_scene.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"
#include "daemon/kafka/mock_cluster.h"
#include "daemon/poller.h"
#include "daemon/run_service.h"

namespace tidegauge {
namespace {

namespace fs = std::filesystem;

/// A directory that is gone when this is.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    const char* parent = std::getenv("TMPDIR");
    path_ = fs::path(parent == nullptr ? "/tmp" : parent) / "tidegauge-demo-XXXXXX";
    std::string path = path_.string();
    if (mkdtemp(path.data()) == nullptr) {
      problem_ = fmt::format("no temporary directory {}: {}", path, std::strerror(errno));
    } else {
      path_ = path;
    }
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (problem_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const fs::path& path() const { return path_; }
  /// Why there is none; empty: there is one.
  const std::string& problem() const { return problem_; }

 private:
  fs::path path_;
  std::string problem_;
};

/// The part of the scene that a Kafka inside this process can play.
Result<std::unique_ptr<MockCluster>> StartKafka(const std::vector<DemoQuery>& queries) {
  auto kafka = MockCluster::Start(1);
  if (!kafka) return kafka;
  for (const DemoQuery& query : queries) {
    if (query.live_records < 0) continue;
    if (auto made = (*kafka)->CreateTopic(query.name, 1); !made) {
      return std::unexpected(made.error());
    }
    if (auto done = (*kafka)->Produce(query.name, 0, query.live_records); !done) {
      return std::unexpected(done.error());
    }
  }
  return kafka;
}

/// `endpoint` as a browser on this host can open it.
std::string AddressOf(const std::string& endpoint) {
  for (const std::string_view everywhere : {"[::]:", "0.0.0.0:"}) {
    if (endpoint.starts_with(everywhere)) return "localhost:" + endpoint.substr(everywhere.size());
  }
  return endpoint;
}

void Introduce(const std::vector<DemoQuery>& queries, const std::string& address) {
  std::string text = fmt::format(
      "\ntidegauge demo: {0} queries, made up. In a few seconds, open\n\n"
      "  http://{1}/                  what is broken, since when, what to do\n"
      "  http://{1}/metrics           what Prometheus scrapes\n"
      "  http://{1}/api/v1/findings   the same as JSON\n\n",
      queries.size(), address);
  for (const DemoQuery& query : queries) {
    text += fmt::format("  {:<18} {}\n{:>21}{}\n", query.name, query.shows, "", query.story);
  }
  // The demo goes on when nobody reads this.
  static_cast<void>(PrintResult(text + "\nCtrl-C ends it and leaves nothing behind.\n\n"));
}

Result<ServiceOptions> SetUp(const fs::path& directory, const std::vector<DemoQuery>& queries,
                             const MockCluster& kafka, const DemoOptions& options) {
  if (auto done = WriteScene(directory, queries, kafka.bootstrap_servers()); !done) {
    return std::unexpected(done.error());
  }
  return ServiceOptions{.config_file = (directory / "tidegauge.yaml").string(),
                        .listen_addresses = {options.listen_address},
                        .state_dir = (directory / "state").string(),
                        .on_listening = [&queries](const std::vector<std::string>& endpoints) {
                          Introduce(queries, AddressOf(endpoints.front()));
                        }};
}

}  // namespace

int RunDemo(const DemoOptions& options) {
  HoldSignals();
  const TemporaryDirectory directory;
  if (!directory.problem().empty()) {
    Explain(directory.problem());
    return kExitFailure;
  }
  const std::vector<DemoQuery> queries = DemoScene(Now());
  const auto kafka = StartKafka(queries);
  if (!kafka) {
    Explain(kafka.error().message);
    return kExitFailure;
  }
  const auto service = SetUp(directory.path(), queries, **kafka, options);
  if (!service) {
    Explain(service.error().message);
    return kExitFailure;
  }
  return RunService(*service);
}

}  // namespace tidegauge
