#include "core/detectors/all.h"

#include <utility>

namespace tidegauge {

DetectorPtr MakeTopicRecreated();
DetectorPtr MakeRecordsSkipped();
DetectorPtr MakeEndBelowCheckpoint();
DetectorPtr MakeTopicMissing();
DetectorPtr MakePartitionMissing();
DetectorPtr MakeRecordsExpired();
DetectorPtr MakeRetentionHeadroomLow();
DetectorPtr MakeNewPartitionNotFromStart();
DetectorPtr MakeClusterChanged();
DetectorPtr MakeSourceOffsetsEmpty();
DetectorPtr MakePartitionDropped();

std::vector<DetectorPtr> AllDetectors() {
  std::vector<DetectorPtr> all;
  all.push_back(MakeTopicRecreated());
  all.push_back(MakeRecordsSkipped());
  all.push_back(MakeEndBelowCheckpoint());
  all.push_back(MakeTopicMissing());
  all.push_back(MakePartitionMissing());
  all.push_back(MakeRecordsExpired());
  all.push_back(MakeRetentionHeadroomLow());
  all.push_back(MakeNewPartitionNotFromStart());
  all.push_back(MakeClusterChanged());
  all.push_back(MakeSourceOffsetsEmpty());
  all.push_back(MakePartitionDropped());
  return all;
}

}  // namespace tidegauge
