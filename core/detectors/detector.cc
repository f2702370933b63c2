#include "core/detectors/detector.h"

namespace tidegauge {

void Detector::VisitSettings(SettingsVisitor& visitor) {
  visitor.Field("enabled", enabled_, "Whether this kind is looked for at all.");
  visitor.Field("severity", severity_, "What its findings count as: info, warning or critical.");
  visitor.Field("hold", hold_, "How long it must hold before it fires.");
}

Finding Detector::MakeFinding(const QueryView& query) const {
  Finding finding{.key = {.kind = std::string(info_.id),
                          .query = query.query,
                          .kafka_cluster = query.kafka_cluster},
                  .severity = severity_};
  return finding;
}

Finding Detector::MakeFinding(const QueryView& query, const TopicComparison& topic) const {
  Finding finding = MakeFinding(query);
  finding.key.topic = topic.topic;
  finding.key.source = topic.source;
  return finding;
}

Finding Detector::MakeFinding(const QueryView& query, const LogView& log) const {
  Finding finding = MakeSinkFinding(query);
  finding.key.log = log.name;
  return finding;
}

Finding Detector::MakeSinkFinding(const QueryView& query) const {
  Finding finding = MakeFinding(query);
  finding.key.kafka_cluster.clear();
  finding.key.log = "sink";
  return finding;
}

}  // namespace tidegauge
