#include "daemon/rules/daemon_rules.h"

#include <algorithm>
#include <cctype>

#include <fmt/core.h>

namespace tidegauge {
namespace {

using std::chrono::minutes;

/// The newest value, also across some failed scrapes or a restart: all these series are there for
/// as long as the daemon runs.
std::string Last(const char* series) { return fmt::format("last_over_time({}[5m])", series); }

std::string Anchor(std::string name) {
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

AlertRule Alert(const char* name, std::string expr, Duration hold, const char* severity,
                const char* summary, const char* description) {
  return {.alert = name,
          .expr = std::move(expr),
          .hold = hold,
          .severity = severity,
          .summary = summary,
          .description = description,
          .runbook = fmt::format("alerts.md#{}", Anchor(name))};
}

/// It judges nothing at all.
std::vector<AlertRule> Blind(const std::string& up) {
  return {
      Alert("TidegaugeDown", fmt::format("{} == 0", up), minutes(5), "critical",
            "Prometheus cannot scrape tidegauge.",
            "{{ $labels.instance }} has not answered for 5 minutes: nobody watches its queries. "
            "What it had found keeps firing."),
      Alert("TidegaugeAbsent", fmt::format("absent({}) == 1", up), minutes(10), "critical",
            "Prometheus has no tidegauge to scrape.",
            "Job {{ $labels.job }} has no target: nobody watches any query. Look at scrape_configs "
            "and service discovery."),
      Alert("TidegaugeShardMissing",
            fmt::format("count by (job) (count by (job, shard) ({}))\n< max by (job) ({})",
                        Last("tidegauge_shards"), Last("tidegauge_shards")),
            minutes(15), "critical", "Some shards of tidegauge are not there.",
            "Only {{ $value }} of job {{ $labels.job }} answer: nobody watches the queries of the "
            "others."),
      Alert("TidegaugeNotReady", fmt::format("{} == 0", Last("tidegauge_ready")), minutes(10),
            "critical", "tidegauge runs, but has not completed a poll since its start.",
            "{{ $labels.instance }} has judged nothing yet. Its log says what it waits for."),
      Alert("TidegaugePollTooOld",
            fmt::format("time() - {}\n> 2 * {}", Last("tidegauge_last_poll_timestamp_seconds"),
                        Last("tidegauge_poll_overdue_seconds")),
            minutes(5), "critical", "tidegauge answers, but polls no more.",
            "What {{ $labels.instance }} shows is {{ $value | humanizeDuration }} old, and so is "
            "every finding."),
  };
}

/// It judges, but not everything.
std::vector<AlertRule> PartlyBlind() {
  return {
      Alert("TidegaugeQueryUnknown", fmt::format("{} == 1", Last("tidegauge_query_unknown")),
            minutes(30), "warning", "Something about a query could not be judged for half an hour.",
            "A fault of query {{ $labels.query }} might go unseen. "
            "`tidegauge check --query={{ $labels.query }}` on the host of {{ $labels.instance }} "
            "says what is unknown, and why."),
      Alert("TidegaugeClusterUnknown", fmt::format("{} == 0", Last("tidegauge_kafka_up")),
            minutes(15), "warning", "A Kafka cluster has not answered tidegauge for 15 minutes.",
            "The queries on cluster {{ $labels.kafka_cluster }} are not compared with Kafka. The "
            "log of {{ $labels.instance }} has the reason."),
      Alert(
          "TidegaugeDiscoveryUnknown", fmt::format("{} > 0", Last("tidegauge_discovery_unknown")),
          minutes(30), "warning", "tidegauge cannot find out which queries there are.",
          "{{ $value }} entries of `queries` in the configuration of {{ $labels.instance }} could "
          "not be listed whole, or match nothing. `tidegauge check` says which, and why."),
  };
}

std::vector<AlertRule> Ailing() {
  return {
      Alert("TidegaugeReloadFailed",
            fmt::format("{} == 0", Last("tidegauge_config_last_reload_successful")), minutes(5),
            "warning", "tidegauge could not reload its configuration, and keeps the old one.",
            "At its next start {{ $labels.instance }} would not come up. `tidegauge config check` "
            "says every mistake."),
      Alert("TidegaugeStateNotPersistent",
            fmt::format("{} == 0", Last("tidegauge_state_persistent")), minutes(10), "warning",
            "tidegauge cannot save what it learns.",
            "A restart of {{ $labels.instance }} would forget it, and a topic that was recreated "
            "meanwhile might go unseen. Its log has the reason."),
      Alert("TidegaugeSeriesLimitReached", fmt::format("{} > 0", Last("tidegauge_series_dropped")),
            minutes(15), "warning", "tidegauge leaves out series because of its series limit.",
            "{{ $value }} series of offsets and lag are not on the page of {{ $labels.instance }}. "
            "Findings are complete."),
      Alert("TidegaugeWatchdog", "vector(1) == 1", {}, "none",
            "Always fires: shows that alerts reach their receiver.",
            "Send it to a service that raises an alarm when it stops."),
  };
}

}  // namespace

RuleGroup DaemonRules(const std::string& job) {
  RuleGroup group{.name = "tidegauge-daemon"};
  const std::string up = fmt::format("up{{job={}}}", QuotedForPromql(job));
  for (auto alerts : {Blind(up), PartlyBlind(), Ailing()}) {
    std::ranges::move(alerts, std::back_inserter(group.alerts));
  }
  return group;
}

}  // namespace tidegauge
