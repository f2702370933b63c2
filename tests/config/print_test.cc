#include "config/print.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load.h"
#include "config/read_text.h"
#include "core/detectors/all.h"
#include "tests/config/test_detectors.h"

namespace tidegauge {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kRoot = TIDEGAUGE_SOURCE_DIR;

std::expected<Config, Mistakes> Parse(std::string_view text) {
  return ParseConfig(text, "/etc/tidegauge", TestDetectors(), [](const std::string&) {
    return std::optional<std::string>("/run/credentials/tidegauge");
  });
}

// What a printed configuration says when it is loaded and printed again.
std::string PrintedAgain(const std::string& printed) {
  const auto config = Parse(printed);
  return config ? PrintConfig(*config) : Render("printed", config.error());
}

std::string PrintGood() {
  const auto config = LoadConfig(kRoot + "/tests/config/testdata/good.yaml", TestDetectors(),
                                 [](const std::string&) { return "/run/credentials"; });
  return config ? PrintConfig(*config) : Render("good.yaml", config.error());
}

TEST(PrintConfig, shows_defaults) {
  const auto config = Parse(
      "kafka: [{name: main, replay_file: kafka.yaml}]\n"
      "queries: [{name: orders, checkpoint: /data/orders}]\n");
  ASSERT_TRUE(config);
  EXPECT_EQ(PrintConfig(*config), R"(kafka:
  - name: main
    replay_file: /etc/tidegauge/kafka.yaml
    timeout: 10s
queries:
  - name: orders
    checkpoint: /data/orders
    sink_log: true
    compact_interval: 0
    source_compact_interval: 0
    scan_data_files: false
    kafka: main
poll_interval: 30s
state_dir: /var/lib/tidegauge
read_timeout: 10s
read_concurrency: 8
data_file_scan:
  files_per_poll: 1000
  interval: 1h
metrics:
  granularity: partition
  series_limit: 200000
web:
  listen_address: :10977
alertmanager:
  resend_delay: 1m
  runbook_base: file:///usr/share/doc/tidegauge
rules:
  clock_margin: 1s
  likely_hold: 5m
detectors:
  topic_recreated:
    enabled: true
    severity: critical
    hold: 0s
  retention_headroom_low:
    enabled: true
    severity: warning
    hold: 5m
    horizon: 6h
    margin: 0.1
    samples: 3
)");
}

TEST(PrintConfig, reads_back_as_the_same) {
  const std::string printed = PrintGood();
  EXPECT_THAT(printed, HasSubstr("poll_interval: 1h30m"));
  EXPECT_EQ(PrintedAgain(printed), printed);
}

TEST(PrintConfig, hides_secrets_and_reads_none) {
  const auto config = Parse(R"(
kafka:
  - name: main
    bootstrap_servers: broker1:9092
    properties:
      sasl.username: gauge
      sasl.password: hunter2
      ssl.keystore.password: hunter3
      sasl.oauthbearer.client.secret: hunter4
    properties_file:
      ssl.key.password: /run/secrets/key
queries: [{name: orders, checkpoint: /data/orders}]
)");
  ASSERT_TRUE(config);
  const std::string printed = PrintConfig(*config);
  EXPECT_THAT(printed, Not(HasSubstr("hunter")));
  EXPECT_THAT(printed, HasSubstr("sasl.username: gauge"));
  EXPECT_THAT(printed, HasSubstr("sasl.password: <secret>"));
  EXPECT_THAT(printed, HasSubstr("ssl.key.password: /run/secrets/key"));
  EXPECT_EQ(PrintedAgain(printed), printed);
}

TEST(PrintConfig, escapes_what_would_be_substituted) {
  EXPECT_THAT(PrintGood(), HasSubstr("note: costs $${money}"));
}

TEST(ReferencePage, loads_and_has_the_defaults) {
  const auto reference = Parse(ReferencePage(TestDetectors()));
  ASSERT_TRUE(reference) << Render("reference", reference.error());
  const auto minimal = Parse(
      "kafka: [{name: main, bootstrap_servers: 'broker1:9092,broker2:9092'}]\n"
      "queries: [{name: '{job}', checkpoint: '/data/checkpoints/{job}'}]\n");
  ASSERT_TRUE(minimal);
  EXPECT_EQ(PrintConfig(*reference), PrintConfig(*minimal));
}

TEST(ReferencePage, has_no_line_over_100_columns) {
  std::istringstream page(ReferencePage(TestDetectors()));
  for (std::string line; std::getline(page, line);) EXPECT_LE(line.size(), 100) << line;
}

TEST(ReferencePage, uncommented_it_says_what_it_says) {
  // Each commented-out setting is valid where it stands, once its alternative is gone.
  std::string page = ReferencePage(TestDetectors());
  for (const char* setting : {"properties:", "  security.protocol:", "properties_file:",
                              "  sasl.password:", "sink:", "kafka:"}) {
    const std::size_t at = page.find("# " + std::string(setting));
    ASSERT_NE(at, page.npos) << setting;
    page.erase(at, 2);
  }
  const auto config = Parse(page);
  ASSERT_TRUE(config) << Render("reference", config.error());
  EXPECT_EQ(config->queries[0].sink, "/data/out/{job}");
  EXPECT_EQ(config->kafka[0].properties_file.at("sasl.password"),
            "/run/credentials/tidegauge/kafka-password");
}

TEST(ReferencePage, the_committed_one_is_current) {
  const std::string file = kRoot + "/config/reference.yaml";
  const std::string page = ReferencePage(AllDetectors());
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(file) << page;
  EXPECT_EQ(ReadText(file, 1 << 20).value_or("no such file"), page)
      << "run this test with UPDATE_GOLDEN=1";
}

TEST(Examples, load) {
  for (const char* name : {"minimal", "full"}) {
    const std::string file = kRoot + "/config/examples/" + name + ".yaml";
    const auto config = LoadConfig(file, AllDetectors(), [](const std::string&) {
      return std::optional<std::string>("/run/credentials/tidegauge");
    });
    EXPECT_TRUE(config) << Render(file, config.error());
  }
}

}  // namespace
}  // namespace tidegauge
