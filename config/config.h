// What tidegauge is told to do. Each setting is a member with its default here and one line in
// config.cc that names and documents it; loading, printing and the reference page follow from that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/shard.h"
#include "config/visitor.h"
#include "core/cycle.h"
#include "core/model.h"
#include "core/output/data_file_scan.h"

namespace tidegauge {

struct KafkaConfig {
  std::string name;
  std::string bootstrap_servers;  ///< empty: judged against `replay_file`
  std::string replay_file;        ///< empty: a live cluster
  StringMap properties;           ///< librdkafka's own
  StringMap properties_file;      ///< property -> the file that holds its value
  Duration timeout = std::chrono::seconds(10);

  friend bool operator==(const KafkaConfig&, const KafkaConfig&) = default;
};

struct QueryConfig {
  std::string name;        ///< with `{capture}`s of `checkpoint`
  std::string checkpoint;  ///< an absolute path, normalised, no scheme; see path_pattern.h
  std::string sink;        ///< as `checkpoint`; empty: the sink log is not watched
  bool sink_log = true;    ///< false: `sink` keeps no log, or only a part of it, on purpose
  std::int64_t compact_interval = 0;         ///< as Spark's configuration sets it; 0: not set
  std::int64_t source_compact_interval = 0;  ///< the same for its file sources
  bool scan_data_files = false;              ///< the files in `sink` are held against its log
  std::string kafka;                         ///< a cluster's name; set after loading

  friend bool operator==(const QueryConfig&, const QueryConfig&) = default;
};

/// How far lags and offsets are broken down in metrics.
enum class Granularity { kPartition, kTopic, kQuery };

struct MetricsConfig {
  Granularity granularity = Granularity::kPartition;
  std::int64_t series_limit = 200'000;
};

/// Alerts that go to Alertmanager without Prometheus in between.
struct AlertmanagerConfig {
  std::string urls;  ///< of all its instances, separated by commas; empty: off
  std::string basic_auth_user;
  std::string basic_auth_password_file;
  std::string bearer_token_file;
  std::string ca_file;
  std::string cert_file;
  std::string key_file;
  Duration resend_delay = std::chrono::minutes(1);
  StringMap external_labels;
  std::string external_url;
  std::string runbook_base = "file:///usr/share/doc/tidegauge";

  friend bool operator==(const AlertmanagerConfig&, const AlertmanagerConfig&) = default;
};

struct WebConfig {
  std::string listen_address = ":10977";
};

struct Config {
  std::vector<KafkaConfig> kafka;    ///< at least one; names are unique
  std::vector<QueryConfig> queries;  ///< at least one
  Duration poll_interval = std::chrono::seconds(30);
  std::string state_dir = "/var/lib/tidegauge";
  Duration read_timeout = std::chrono::seconds(10);  ///< of one checkpoint, or one path pattern
  std::int64_t read_concurrency = 8;
  ScanLimits data_file_scan;
  MetricsConfig metrics;
  WebConfig web;
  AlertmanagerConfig alertmanager;
  Rules rules;  ///< its detectors carry their settings
  Shard shard;  ///< of the command line, not of the file
};

/// The declarations. A reader changes what it visits; a printer only looks.
void Visit(ConfigVisitor& visitor, KafkaConfig& kafka);
void Visit(ConfigVisitor& visitor, QueryConfig& query);
void Visit(ConfigVisitor& visitor, Config& config);

}  // namespace tidegauge
