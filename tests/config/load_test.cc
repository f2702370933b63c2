#include "config/load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/address.h"
#include "config/read_text.h"
#include "config/yaml_node.h"
#include "tests/config/test_detectors.h"

namespace tidegauge {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::Pair;

namespace fs = std::filesystem;

const fs::path kTestdata = fs::path(TIDEGAUGE_SOURCE_DIR) / "tests/config/testdata";

std::optional<std::string> TestEnvironment(const std::string& name) {
  if (name == "CREDENTIALS_DIRECTORY") return "/run/credentials/tidegauge";
  return std::nullopt;
}

std::expected<Config, Mistakes> Load(const fs::path& file) {
  return LoadConfig(file.string(), TestDetectors(), TestEnvironment);
}

std::expected<Config, Mistakes> Parse(std::string_view text) {
  return ParseConfig(text, "/etc/tidegauge/", TestDetectors(), TestEnvironment);
}

constexpr std::string_view kMinimal =
    "kafka: [{name: main, bootstrap_servers: broker1:9092}]\n"
    "queries: [{name: orders, checkpoint: /data/orders}]\n";

// ---------------------------------------------------------------- bad files

std::vector<std::string> BadFiles() {
  std::vector<std::string> stems;
  for (const auto& entry : fs::directory_iterator(kTestdata)) {
    const std::string name = entry.path().filename();
    if (const auto end = name.find(".bad.yaml"); end != name.npos)
      stems.push_back(name.substr(0, end));
  }
  std::ranges::sort(stems);
  return stems;
}

// The mistakes of x.bad.yaml are in x.expected, as they are shown.
class BadFile : public testing::TestWithParam<std::string> {};

TEST_P(BadFile, has_exactly_its_mistakes) {
  const auto config = Load(kTestdata / (GetParam() + ".bad.yaml"));
  ASSERT_FALSE(config);
  std::string actual = Render(GetParam() + ".bad.yaml", config.error());
  // yaml-cpp names the anchor from 0.8 on.
  if (const auto name = actual.find(" not defined: nothing"); name != actual.npos) {
    actual.erase(name + std::string_view(" not defined").size(),
                 std::string_view(": nothing").size());
  }
  const fs::path golden = kTestdata / (GetParam() + ".expected");
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << actual;
  EXPECT_EQ(actual, ReadText(golden.string(), 1 << 20).value_or("no such file"));
}

INSTANTIATE_TEST_SUITE_P(Testdata, BadFile, testing::ValuesIn(BadFiles()),
                         [](const auto& file) { return file.param; });

TEST(LoadConfig, names_what_to_do_about_a_missing_file) {
  const auto config = Load(kTestdata / "no_such.yaml");
  ASSERT_FALSE(config);
  EXPECT_EQ(Render("no_such.yaml", config.error()),
            "no_such.yaml: no such file: check the path, or create it\n");
}

TEST(LoadConfig, refuses_a_directory) {
  const auto config = Load(kTestdata);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().front().message, "is a directory: name a file");
}

TEST(LoadConfig, refuses_an_empty_file) {
  const auto config = Load("/dev/null");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().front().message,
            "the file is empty: it needs at least 'kafka' and 'queries'");
}

TEST(LoadConfig, refuses_a_file_without_end_before_reading_it_all) {
  const auto config = Load("/dev/zero");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().front().message, "larger than 1048576 bytes");
}

// ---------------------------------------------------------------- good files

TEST(LoadConfig, reads_clusters) {
  const auto config = Load(kTestdata / "good.yaml");
  ASSERT_TRUE(config) << Render("good.yaml", config.error());
  ASSERT_EQ(config->kafka.size(), 3);
  const KafkaConfig& main = config->kafka[0];
  EXPECT_EQ(main.name, "main");
  EXPECT_EQ(main.bootstrap_servers, "broker1:9092, broker2:9092");
  EXPECT_EQ(main.timeout, seconds(90));
  EXPECT_THAT(main.properties,
              ElementsAre(Pair("sasl.mechanism", "SCRAM-SHA-512"), Pair("sasl.username", "gauge"),
                          Pair("security.protocol", "SASL_SSL")));
  EXPECT_THAT(main.properties_file,
              ElementsAre(Pair("sasl.password", "/run/credentials/tidegauge/kafka-password"),
                          Pair("ssl.key.password", (kTestdata / "secrets/key").string())));
  EXPECT_EQ(config->kafka[1].properties, main.properties);
  EXPECT_EQ(config->kafka[1].timeout, seconds(10));
  EXPECT_EQ(config->kafka[2].replay_file, (kTestdata / "recordings/kafka.yaml").string());
}

TEST(LoadConfig, reads_queries_with_normal_paths) {
  const auto config = Load(kTestdata / "good.yaml");
  ASSERT_TRUE(config);
  ASSERT_EQ(config->queries.size(), 2);
  EXPECT_EQ(config->queries[0].name, "{team}/{job}");
  EXPECT_EQ(config->queries[0].checkpoint, "/data/{team}/checkpoints/q-{job}");
  EXPECT_EQ(config->queries[0].sink, "/data/{team}/out/{job}");
  EXPECT_FALSE(config->queries[0].sink_log);
  EXPECT_EQ(config->queries[0].compact_interval, 3);
  EXPECT_EQ(config->queries[0].source_compact_interval, 20);
  EXPECT_EQ(config->queries[0].kafka, "main");
  EXPECT_EQ(config->read_timeout, milliseconds(500));
  EXPECT_EQ(config->queries[1].checkpoint, "/data/orders/checkpoint");
  EXPECT_EQ(config->queries[1].sink, "");
}

TEST(LoadConfig, reads_everything_else) {
  const auto config = Load(kTestdata / "good.yaml");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->poll_interval, minutes(90));
  EXPECT_EQ(config->state_dir, (kTestdata / "state").string());
  EXPECT_EQ(config->read_concurrency, 16);
  EXPECT_EQ(config->metrics.granularity, Granularity::kTopic);
  EXPECT_EQ(config->metrics.series_limit, 1000);
  EXPECT_EQ(config->web.listen_address, "127.0.0.1:9999");
  EXPECT_THAT(SplitUrls(config->alertmanager.urls),
              ElementsAre("https://am1:9093", "http://am2/alerts"));
  EXPECT_EQ(config->alertmanager.resend_delay, std::chrono::seconds(30));
  EXPECT_EQ(config->alertmanager.external_labels.at("site"), "north");
  EXPECT_EQ(config->rules.clock_margin, seconds(2));
  EXPECT_EQ(config->rules.likely_hold, seconds(0));
}

TEST(LoadConfig, reads_what_detectors_declare) {
  const auto config = Load(kTestdata / "good.yaml");
  ASSERT_TRUE(config);
  ASSERT_EQ(config->rules.detectors.size(), 2);
  const Detector& plain = *config->rules.detectors[0];
  EXPECT_FALSE(plain.enabled());
  EXPECT_EQ(plain.severity(), Severity::kWarning);
  EXPECT_EQ(plain.hold(), hours(24));
  const auto& rich = dynamic_cast<const RichDetector&>(*config->rules.detectors[1]);
  EXPECT_TRUE(rich.enabled());
  EXPECT_EQ(rich.severity(), Severity::kInfo);
  EXPECT_EQ(rich.hold(), minutes(10));
  EXPECT_EQ(rich.horizon, hours(48));
  EXPECT_EQ(rich.margin, 0.25);
  EXPECT_EQ(rich.samples, 7);
  EXPECT_EQ(rich.note, "costs ${money}");
}

// Collects the paths of all keys that the declarations have.
class KeyCollector : public ConfigVisitor {
 public:
  std::vector<std::string> keys;

  using ConfigVisitor::Field;
  void Field(std::string_view name, bool&, std::string_view) override { Key(name); }
  void Field(std::string_view name, double&, std::string_view) override { Key(name); }
  void Field(std::string_view name, Severity&, std::string_view) override { Key(name); }
  void Field(std::string_view name, std::string&, std::string_view, const TextTraits&) override {
    Key(name);
  }
  void Field(std::string_view name, std::int64_t&, std::string_view,
             const Range<std::int64_t>&) override {
    Key(name);
  }
  void Field(std::string_view name, Duration&, std::string_view, const Range<Duration>&) override {
    Key(name);
  }
  void Field(std::string_view name, StringMap&, std::string_view, const MapTraits&) override {
    Key(name);
  }
  void Choice(std::string_view name, const ChoiceAccess&, std::string_view) override { Key(name); }
  void Group(std::string_view name, std::string_view, const Members& members) override {
    Inside(name, [&] { members(*this); });
  }
  void Items(std::string_view name, std::string_view, const ListAccess& list) override {
    list.resize(1);
    Inside(name, [&] { list.visit(0, *this); });
  }

 private:
  void Key(std::string_view name) { keys.push_back(prefix_ + std::string(name)); }
  template <typename F>
  void Inside(std::string_view name, F visit) {
    const std::string outer = prefix_;
    prefix_ += std::string(name) + ".";
    visit();
    prefix_ = outer;
  }

  std::string prefix_;
};

void CollectKeys(const YamlNode& node, const std::string& prefix, std::set<std::string>& keys) {
  if (node.kind == YamlNode::Kind::kSequence) {
    for (const YamlNode& item : node.items) CollectKeys(item, prefix, keys);
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const std::string key = prefix + node.keys[i].scalar;
    keys.insert(key);
    CollectKeys(node.items[i], key + ".", keys);
  }
}

TEST(LoadConfig, good_file_sets_every_setting) {
  Config config;
  config.rules.detectors = TestDetectors();
  KeyCollector declared;
  Visit(declared, config);
  Mistakes mistakes;
  std::set<std::string> set;
  CollectKeys(*ParseYaml(ReadText((kTestdata / "good.yaml").string(), 1 << 20).value(), mistakes),
              "", set);
  EXPECT_GT(declared.keys.size(), 25);
  for (const std::string& key : declared.keys) EXPECT_TRUE(set.contains(key)) << key;
}

// ---------------------------------------------------------------- defaults and substitution

TEST(LoadConfig, has_the_documented_defaults) {
  const auto config = Parse(kMinimal);
  ASSERT_TRUE(config) << Render("", config.error());
  EXPECT_EQ(config->poll_interval, seconds(30));
  EXPECT_EQ(config->state_dir, "/var/lib/tidegauge");
  EXPECT_EQ(config->read_concurrency, 8);
  EXPECT_EQ(config->metrics.granularity, Granularity::kPartition);
  EXPECT_EQ(config->metrics.series_limit, 200'000);
  EXPECT_EQ(config->web.listen_address, ":10977");
  EXPECT_EQ(config->kafka[0].timeout, seconds(10));
  EXPECT_EQ(config->read_timeout, seconds(10));
  EXPECT_EQ(config->rules.clock_margin, seconds(1));
  EXPECT_EQ(config->rules.likely_hold, minutes(5));
  EXPECT_TRUE(config->rules.detectors[0]->enabled());
  EXPECT_EQ(config->rules.detectors[1]->hold(), minutes(5));
}

TEST(LoadConfig, a_query_reads_the_only_cluster) {
  const auto config = Parse(kMinimal);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->queries[0].kafka, "main");
}

TEST(LoadConfig, substitutes_variables_in_values_of_every_type) {
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    if (name == "SERVERS") return "broker1:9092";
    if (name == "INTERVAL") return "5s";
    if (name == "LIMIT") return "10";
    return std::nullopt;
  };
  const auto config = ParseConfig(
      "kafka: [{name: main, bootstrap_servers: '${SERVERS}', properties: {sasl.username: "
      "'a${LIMIT}b'}}]\n"
      "queries: [{name: orders, checkpoint: /data/orders}]\n"
      "poll_interval: ${INTERVAL}\n"
      "metrics: {series_limit: '${LIMIT}'}\n",
      "", {}, environment);
  ASSERT_TRUE(config) << Render("", config.error());
  EXPECT_EQ(config->kafka[0].bootstrap_servers, "broker1:9092");
  EXPECT_EQ(config->kafka[0].properties.at("sasl.username"), "a10b");
  EXPECT_EQ(config->poll_interval, seconds(5));
  EXPECT_EQ(config->metrics.series_limit, 10);
}

TEST(LoadConfig, reads_a_byte_order_mark_and_windows_line_ends) {
  std::string text = "\xEF\xBB\xBF" + std::string(kMinimal) + "poll_interval: 5s\n";
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 2) {
    text.replace(at, 1, "\r\n");
  }
  const auto config = Parse(text);
  ASSERT_TRUE(config) << Render("", config.error());
  EXPECT_EQ(config->poll_interval, seconds(5));
}

TEST(LoadConfig, survives_every_truncation_of_the_good_file) {
  const std::string text = ReadText((kTestdata / "good.yaml").string(), 1 << 20).value();
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto config = Parse(std::string_view(text).substr(0, length));
    EXPECT_TRUE(config || !config.error().empty()) << length;
  }
}

}  // namespace
}  // namespace tidegauge
