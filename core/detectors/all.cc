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
DetectorPtr MakeSinkLogMissing();
DetectorPtr MakeSinkLogGap();
DetectorPtr MakeCompactionWillFail();
DetectorPtr MakeSinkLogUnreadable();
DetectorPtr MakeSinkAheadOfCheckpoint();
DetectorPtr MakeCompactLogLarge();
DetectorPtr MakeCompactIntervalChanged();
DetectorPtr MakeSinkFileMissing();
DetectorPtr MakeSinkFileTruncated();
DetectorPtr MakeSinkOrphanFiles();
DetectorPtr MakeSinkPathOutsideRoot();
DetectorPtr MakeSinkSmallFiles();
DetectorPtr MakeOffsetLogGap();
DetectorPtr MakeOffsetLogUnreadable();
DetectorPtr MakeCommitLogUnreadable();
DetectorPtr MakeLogVersionUnsupported();
DetectorPtr MakeOffsetsMissing();
DetectorPtr MakeQueryIdMissing();
DetectorPtr MakeQueryIdChanged();
DetectorPtr MakeCheckpointRestarted();
DetectorPtr MakeCheckpointMissing();
DetectorPtr MakeCheckpointEmpty();
DetectorPtr MakeSourceCountChanged();
DetectorPtr MakeCheckpointShared();
DetectorPtr MakeBatchStuck();
DetectorPtr MakeQueryStalled();

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
  all.push_back(MakeSinkLogMissing());
  all.push_back(MakeSinkLogGap());
  all.push_back(MakeCompactionWillFail());
  all.push_back(MakeSinkLogUnreadable());
  all.push_back(MakeSinkAheadOfCheckpoint());
  all.push_back(MakeCompactLogLarge());
  all.push_back(MakeCompactIntervalChanged());
  all.push_back(MakeSinkFileMissing());
  all.push_back(MakeSinkFileTruncated());
  all.push_back(MakeSinkOrphanFiles());
  all.push_back(MakeSinkPathOutsideRoot());
  all.push_back(MakeSinkSmallFiles());
  all.push_back(MakeOffsetLogGap());
  all.push_back(MakeOffsetLogUnreadable());
  all.push_back(MakeCommitLogUnreadable());
  all.push_back(MakeLogVersionUnsupported());
  all.push_back(MakeOffsetsMissing());
  all.push_back(MakeQueryIdMissing());
  all.push_back(MakeQueryIdChanged());
  all.push_back(MakeCheckpointRestarted());
  all.push_back(MakeCheckpointMissing());
  all.push_back(MakeCheckpointEmpty());
  all.push_back(MakeSourceCountChanged());
  all.push_back(MakeCheckpointShared());
  all.push_back(MakeBatchStuck());
  all.push_back(MakeQueryStalled());
  return all;
}

}  // namespace tidegauge
