#include "core/judged.h"

#include "core/topics/compare.h"
#include "core/topics/waiting.h"

namespace tidegauge {

Judged::Judged(const std::vector<DetectorPtr>& detectors, const Readings& readings,
               const std::vector<QueryView>& views) {
  discovery_complete_ = readings.complete;
  for (const DetectorPtr& detector : detectors) {
    if (!detector->info().needs_kafka) offline_kinds_.emplace(detector->info().id);
    sees_.emplace(detector->info().id, detector->info().sees);
  }
  for (const Reading& reading : readings.queries) {
    if (reading.data_files && reading.data_files->last == nullptr) {
      unscanned_.insert(reading.target.query);
    }
  }
  for (const QueryView& view : views) {
    watched_.insert(view.query);
    if (view.checkpoint_missing) looked_at_.insert(view.query);
    if (view.checkpoint == nullptr) continue;
    looked_at_.insert(view.query);
    read_.insert(view.query);
    if (view.checkpoint->position_known) placed_.insert(view.query);
    if (RecordsWaiting(view.topics)) measured_.insert(view.query);
    if (!view.cluster_id.empty()) known_clusters_.insert(view.query);
    if (view.checkpoint->undecided_sources > 0) undecided_.insert(view.query);
    for (const LogView& log : view.logs) {
      if (log.log == nullptr) unread_logs_.emplace(view.query, log.name);
    }
    for (const TopicComparison& topic : view.topics) {
      compared_[{view.query, topic.topic, topic.source}] = WhyUnknown(topic).empty();
    }
  }
}

bool Judged::Sees(const std::string& kind, const std::string& query) const {
  const auto known = sees_.find(kind);
  switch (known == sees_.end() ? tidegauge::Sees::kPosition : known->second) {
    case tidegauge::Sees::kDirectory:
      return looked_at_.contains(query);
    case tidegauge::Sees::kLogs:
      return read_.contains(query);
    case tidegauge::Sees::kDataFiles:
      return read_.contains(query) && !unscanned_.contains(query);
    case tidegauge::Sees::kLag:
      return measured_.contains(query);
    case tidegauge::Sees::kPosition:
      return placed_.contains(query);
  }
  return false;
}

bool Judged::Covers(const FindingKey& key) const {
  if (!watched_.contains(key.query)) return discovery_complete_;
  if (!Sees(key.kind, key.query)) return false;
  if (!key.log.empty()) return CoversLog(key);
  if (offline_kinds_.contains(key.kind)) return true;
  if (key.topic.empty()) return known_clusters_.contains(key.query);
  const auto topic = compared_.find({key.query, key.topic, key.source});
  return topic == compared_.end() ? !undecided_.contains(key.query) : topic->second;
}

bool Judged::CoversLog(const FindingKey& key) const {
  if (unread_logs_.contains({key.query, key.log})) return false;
  return key.log == "sink" || !unread_logs_.contains({key.query, std::string(kUnlistedSources)});
}

}  // namespace tidegauge
