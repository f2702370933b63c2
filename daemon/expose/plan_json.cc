#include "daemon/expose/plan_json.h"

#include <boost/json.hpp>

#include "daemon/expose/clean_text.h"

namespace tidegauge {
namespace {

namespace json = boost::json;

json::array Texts(const std::vector<std::string>& texts) {
  json::array array;
  for (const std::string& text : texts) array.emplace_back(WellFormed(text));
  return array;
}

json::object ToJson(const Remedy& remedy) {
  json::array steps;
  for (const PlanStep& step : remedy.steps) {
    steps.push_back(
        json::object{{"what", WellFormed(step.what)}, {"commands", Texts(step.commands)}});
  }
  return {{"id", remedy.id},
          {"title", remedy.title},
          {"cost", remedy.cost},
          {"steps", std::move(steps)}};
}

json::object ToJson(const FindingPlan& plan) {
  const FindingKey& key = plan.finding.key;
  json::object object{{"kind", key.kind}, {"severity", ToString(plan.finding.severity)}};
  if (!key.topic.empty()) object["topic"] = WellFormed(key.topic);
  object["summary"] = WellFormed(plan.finding.summary);
  json::array remedies;
  for (const Remedy& remedy : plan.remedies) remedies.push_back(ToJson(remedy));
  object["remedies"] = std::move(remedies);
  return object;
}

}  // namespace

std::string PlanJson(const Plan& plan, const std::string& directory,
                     const std::vector<std::string>& set_up) {
  json::array findings;
  for (const FindingPlan& finding : plan.findings) findings.push_back(ToJson(finding));
  json::array files;
  for (const PlanFile& file : plan.files) files.emplace_back(WellFormed(file.name));
  json::object object{{"query", WellFormed(plan.query)},
                      {"unknown", Texts(plan.unknown)},
                      {"files", std::move(files)},
                      {"directory", nullptr}};
  if (!directory.empty()) object["directory"] = WellFormed(directory);
  object["set_up"] = UsesDirectory(plan) ? Texts(set_up) : json::array();
  object["findings"] = std::move(findings);
  return json::serialize(object) + "\n";
}

}  // namespace tidegauge
