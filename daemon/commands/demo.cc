#include "daemon/commands/demo.h"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "config/replay_file.h"
#include "daemon/commands/demo_scene.h"
#include "daemon/commands/exit_status.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/kafka/mock_cluster.h"
#include "daemon/poller.h"
#include "daemon/service.h"

namespace tidegauge {
namespace {

namespace fs = std::filesystem;

/// A directory that is gone when this is.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "tidegauge-demo-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
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

void Introduce(const std::vector<DemoQuery>& queries, const std::string& address) {
  fmt::print("\ntidegauge demo: {} queries, made up. In a few seconds, open\n\n"
             "  http://{}/                  what is broken, since when, what to do\n"
             "  http://{}/metrics           what Prometheus scrapes\n"
             "  http://{}/api/v1/findings   the same as JSON\n\n",
             queries.size(), address, address, address);
  for (const DemoQuery& query : queries) {
    fmt::print("  {:<18} {}\n{:>21}{}\n", query.name, query.shows, "", query.story);
  }
  fmt::print("\nCtrl-C ends it and leaves nothing behind.\n\n");
}

Result<ServiceOptions> SetUp(const fs::path& directory, const std::vector<DemoQuery>& queries,
                             const MockCluster& kafka, const DemoOptions& options) {
  if (auto done = WriteScene(directory, queries, kafka.bootstrap_servers()); !done) {
    return std::unexpected(done.error());
  }
  return ServiceOptions{.config_file = (directory / "tidegauge.yaml").string(),
                        .listen_addresses = {options.listen_address},
                        .state_dir = (directory / "state").string()};
}

}  // namespace

int RunDemo(const DemoOptions& options) {
  const TemporaryDirectory directory;
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
  Introduce(queries, options.listen_address);
  return RunService(*service);
}

}  // namespace tidegauge
