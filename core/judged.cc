#include "core/judged.h"

#include "core/topics/compare.h"

namespace tidegauge {

Judged::Judged(const std::vector<DetectorPtr>& detectors, const Readings& readings,
               const std::vector<QueryView>& views) {
  discovery_complete_ = readings.unknown.empty();
  for (const DetectorPtr& detector : detectors) {
    if (!detector->info().needs_kafka) offline_kinds_.emplace(detector->info().id);
  }
  for (const QueryView& view : views) {
    watched_.insert(view.query);
    if (view.checkpoint == nullptr) continue;
    read_.insert(view.query);
    if (!view.cluster_id.empty()) answered_clusters_.insert(view.query);
    for (const TopicComparison& topic : view.topics) {
      if (!WhyUnknown(topic).empty()) unknown_topics_.emplace(view.query, topic.topic);
    }
  }
}

bool Judged::Covers(const FindingKey& key) const {
  if (!watched_.contains(key.query)) return discovery_complete_;
  if (!read_.contains(key.query)) return false;
  if (offline_kinds_.contains(key.kind)) return true;
  if (key.topic.empty()) return answered_clusters_.contains(key.query);
  return answered_clusters_.contains(key.query) &&
         !unknown_topics_.contains({key.query, key.topic});
}

}  // namespace tidegauge
