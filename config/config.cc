#include "config/config.h"

namespace tidegauge {
namespace {

constexpr Range<Duration> kTimeouts{std::chrono::milliseconds(1), std::chrono::hours(1)};
// Faster would only ask brokers and disks again before anything can have changed.
constexpr Range<Duration> kPollIntervals{std::chrono::milliseconds(100), std::chrono::days(1)};
constexpr Range<Duration> kScanIntervals{std::chrono::milliseconds(1), std::chrono::days(366)};
constexpr Range<Duration> kResendDelays{std::chrono::seconds(1), std::chrono::hours(1)};
constexpr Range<std::int64_t> kCompactIntervals{0, 1'000'000};

void VisitMetrics(ConfigVisitor& visitor, MetricsConfig& metrics) {
  visitor.Choice(
      "granularity",
      {.names = {"partition", "topic", "query"},
       .chosen = static_cast<std::size_t>(metrics.granularity),
       .choose = [&](std::size_t i) { metrics.granularity = static_cast<Granularity>(i); }},
      "How far lags and offsets are broken down: partition, topic or query.");
  visitor.Field("series_limit", metrics.series_limit,
                "At most this many series; what is beyond them is left out and counted.",
                Range<std::int64_t>{1, 100'000'000});
}

void VisitScan(ConfigVisitor& visitor, ScanLimits& scan) {
  visitor.Field("files_per_poll", scan.files,
                "At most this many data files of a query are looked at in one poll.",
                Range<std::int64_t>{1, 1'000'000});
  visitor.Field("interval", scan.interval,
                "How long after the end of a scan the next one begins; at once, while files are "
                "missing or truncated.",
                kScanIntervals);
}

void VisitWeb(ConfigVisitor& visitor, WebConfig& web) {
  visitor.Field("listen_address", web.listen_address,
                "Where HTTP is served, as host:port or :port; --web.listen-address overrides it.",
                TextTraits{.presence = Presence::kRequired});
}

void VisitAlertmanager(ConfigVisitor& visitor, AlertmanagerConfig& alertmanager) {
  const auto file = [&](std::string_view name, std::string& value, std::string_view doc,
                        std::string_view example) {
    visitor.Field(name, value, doc, TextTraits{.kind = TextKind::kFile, .example = example});
  };
  visitor.Field("urls", alertmanager.urls,
                "Every instance of it, as http://host:port, separated by commas; none: alerts are "
                "Prometheus's business.",
                TextTraits{.example = "http://alertmanager1:9093,http://alertmanager2:9093"});
  visitor.Field("basic_auth_user", alertmanager.basic_auth_user, "A user's name for it.",
                TextTraits{.example = "tidegauge"});
  file("basic_auth_password_file", alertmanager.basic_auth_password_file,
       "The file that holds the user's password.",
       "${CREDENTIALS_DIRECTORY}/alertmanager-password");
  file("bearer_token_file", alertmanager.bearer_token_file,
       "The file that holds a token, instead of user and password.",
       "${CREDENTIALS_DIRECTORY}/alertmanager-token");
  file("ca_file", alertmanager.ca_file, "Whom its certificate must come from; else the system's.",
       "/etc/ssl/certs/site-ca.pem");
  file("cert_file", alertmanager.cert_file, "A certificate of this client.", "client.pem");
  file("key_file", alertmanager.key_file, "The key of that certificate.", "client.key");
  visitor.Field("resend_delay", alertmanager.resend_delay,
                "How often what still fires is said again.", kResendDelays);
  visitor.Field("external_labels", alertmanager.external_labels,
                "Labels that each alert gets besides its own.",
                MapTraits{.example_key = "site", .example_value = "north"});
  visitor.Field("external_url", alertmanager.external_url, "Where people reach this daemon's page.",
                TextTraits{.example = "http://ops1:10977/"});
  visitor.Field("runbook_base", alertmanager.runbook_base,
                "Where the folder docs/ is to be read; alerts point into it.", TextTraits{});
}

void VisitRules(ConfigVisitor& visitor, Rules& rules) {
  visitor.Field("clock_margin", rules.clock_margin,
                "How far apart the clocks of Spark's driver and of the brokers may be before a "
                "record's timestamp counts as later than a batch.");
  visitor.Field("likely_hold", rules.likely_hold,
                "How long evidence that rests on producers' clocks must hold before it fires.");
}

void VisitDetectors(ConfigVisitor& visitor, std::vector<DetectorPtr>& detectors) {
  for (const DetectorPtr& detector : detectors) {
    visitor.Group(detector->info().id, detector->info().summary,
                  [&](ConfigVisitor& inner) { detector->VisitSettings(inner); });
  }
}

}  // namespace

void Visit(ConfigVisitor& visitor, KafkaConfig& kafka) {
  visitor.Field("name", kafka.name, "What queries, metrics and findings call this cluster.",
                TextTraits{.presence = Presence::kRequired, .example = "main"});
  visitor.Field("bootstrap_servers", kafka.bootstrap_servers,
                "Brokers to ask first, as host:port, separated by commas.",
                TextTraits{.presence = Presence::kUsual, .example = "broker1:9092,broker2:9092"});
  visitor.Field("replay_file", kafka.replay_file,
                "Instead of bootstrap_servers: judge against the answers in this file, which "
                "`tidegauge record` writes.",
                TextTraits{.kind = TextKind::kFile, .example = "kafka.yaml"});
  visitor.Field("properties", kafka.properties, "Client settings, by librdkafka's names.",
                MapTraits{.may_hold_secrets = true,
                          .example_key = "security.protocol",
                          .example_value = "SASL_SSL"});
  visitor.Field("properties_file", kafka.properties_file,
                "Client settings whose value is the content of a file: the place for secrets.",
                MapTraits{.kind = TextKind::kFile,
                          .example_key = "sasl.password",
                          .example_value = "${CREDENTIALS_DIRECTORY}/kafka-password"});
  visitor.Field("timeout", kafka.timeout,
                "How long this cluster may take to answer in one poll; what is late is unknown.",
                kTimeouts);
}

void Visit(ConfigVisitor& visitor, QueryConfig& query) {
  visitor.Field("name", query.name,
                "What metrics and findings call the query; {job} is what the checkpoint's path has "
                "in its place.",
                TextTraits{.presence = Presence::kRequired, .example = "{job}"});
  visitor.Field("checkpoint", query.checkpoint,
                "The checkpoint's directory, absolute or file:/; {job} captures one component of "
                "the path or a part of it, * matches without capturing.",
                TextTraits{.presence = Presence::kRequired, .example = "/data/checkpoints/{job}"});
  visitor.Field("sink", query.sink,
                "The file sink's output directory, with captures of the checkpoint; turns the "
                "sink-log rules on.",
                TextTraits{.example = "/data/out/{job}"});
  visitor.Field("sink_log", query.sink_log,
                "false for a sink whose log is emptied or trimmed on purpose: no sink-log rules.");
  visitor.Field("compact_interval", query.compact_interval,
                "spark.sql.streaming.fileSink.log.compactInterval, if the query sets it; 0 if not: "
                "Spark's default is 10.",
                kCompactIntervals);
  visitor.Field("source_compact_interval", query.source_compact_interval,
                "spark.sql.streaming.fileSource.log.compactInterval, the same for its file "
                "sources.",
                kCompactIntervals);
  visitor.Field("scan_data_files", query.scan_data_files,
                "true: the data files in `sink` are held against its log, some in each poll.");
  visitor.Field("kafka", query.kafka,
                "The name of the cluster it reads; may be left out when there is only one.",
                TextTraits{.example = "main"});
}

void Visit(ConfigVisitor& visitor, Config& config) {
  visitor.List("kafka", config.kafka, "The Kafka clusters that queries read.");
  visitor.List("queries", config.queries, "The queries to watch; one entry may stand for many.");
  visitor.Field("poll_interval", config.poll_interval,
                "How often checkpoints are read and clusters asked.", kPollIntervals);
  visitor.Field("state_dir", config.state_dir,
                "The directory that keeps what was learnt, over restarts.",
                TextTraits{.kind = TextKind::kFile, .presence = Presence::kRequired});
  visitor.Field("read_timeout", config.read_timeout,
                "How long reading one checkpoint may take; what is late is unknown.", kTimeouts);
  visitor.Field("read_concurrency", config.read_concurrency,
                "How many checkpoints are read at the same time.", Range<std::int64_t>{1, 1024});
  visitor.Group("data_file_scan",
                "How the data files of queries with scan_data_files are looked through.",
                [&](ConfigVisitor& inner) { VisitScan(inner, config.data_file_scan); });
  visitor.Group("metrics", "What /metrics shows.",
                [&](ConfigVisitor& inner) { VisitMetrics(inner, config.metrics); });
  visitor.Group("web", "The HTTP server.",
                [&](ConfigVisitor& inner) { VisitWeb(inner, config.web); });
  visitor.Group("alertmanager", "Alerts without Prometheus in between, off by default.",
                [&](ConfigVisitor& inner) { VisitAlertmanager(inner, config.alertmanager); });
  visitor.Group("rules", "The margins of evidence.",
                [&](ConfigVisitor& inner) { VisitRules(inner, config.rules); });
  visitor.Group("detectors", "What is looked for, each with its severity and hold time.",
                [&](ConfigVisitor& inner) { VisitDetectors(inner, config.rules.detectors); });
}

}  // namespace tidegauge
