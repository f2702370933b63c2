#include "daemon/expose/alerts.h"

#include <boost/json.hpp>
#include <cctype>

#include <fmt/core.h>

#include "daemon/expose/clean_text.h"
#include "daemon/expose/next_step.h"
#include "daemon/expose/wording.h"

namespace tidegauge {
namespace {

namespace json = boost::json;

json::object ToJson(const std::map<std::string, std::string>& texts) {
  json::object object;
  for (const auto& [name, text] : texts) object[name] = WellFormed(text);
  return object;
}

json::object ToJson(const TimedAlert& timed) {
  json::object object;
  object["labels"] = ToJson(timed.alert.labels);
  object["annotations"] = ToJson(timed.alert.annotations);
  object["startsAt"] = Rfc3339(timed.alert.starts_at);
  object["endsAt"] = Rfc3339(timed.ends_at);
  if (!timed.alert.generator_url.empty()) {
    object["generatorURL"] = WellFormed(timed.alert.generator_url);
  }
  return object;
}

}  // namespace

std::string AlertName(std::string_view kind) {
  std::string name = "Tidegauge";
  bool at_begin = true;
  for (const char c : kind) {
    if (c != '_') name += at_begin ? static_cast<char>(std::toupper(c)) : c;
    at_begin = c == '_';
  }
  return name;
}

Alert AlertOf(const FindingReport& report, const AlertTraits& traits) {
  const FindingKey& key = report.finding.key;
  Alert alert{
      .labels = {{"alertname", AlertName(key.kind)},
                 {"kind", key.kind},
                 {"severity", std::string(ToString(report.finding.severity))}},
      .annotations = {{"summary", report.finding.summary},
                      {"description", fmt::format("{} The commands to type: tidegauge plan {}",
                                                  NextStep(key.kind), key.query)},
                      {"runbook_url",
                       fmt::format("{}/detectors/{}.md", traits.runbook_base, key.kind)}},
      .generator_url = traits.external_url,
      .starts_at = report.pending_since};
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::string>>{
           {"query", key.query},
           {"kafka_cluster", key.kafka_cluster},
           {"topic", key.topic},
           {"source", key.source},
           {"log", key.log}}) {
    if (!value.empty()) alert.labels.emplace(name, value);
  }
  alert.labels.insert(traits.external_labels.begin(), traits.external_labels.end());
  return alert;
}

std::string AlertsJson(const std::vector<TimedAlert>& alerts) {
  json::array array;
  for (const TimedAlert& alert : alerts) array.push_back(ToJson(alert));
  return json::serialize(array);
}

}  // namespace tidegauge
