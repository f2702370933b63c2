// One detector on the logs of one query, read from files in memory as a poll reads them.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/sinklog/compaction.h"
#include "core/sinklog/query_logs.h"
#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {

inline const std::string kOut = "/out/orders";
inline const std::string kLogDirectory = kOut + "/_spark_metadata";
inline const std::string kLogText = "v1\n{\"path\":\"file:///out/orders/part-00000\",\"size\":6}";

/// A query that has planned and committed batch `committed`, each batch a minute after the other.
class JudgeLog : public JudgeOne {
 protected:
  explicit JudgeLog(std::string_view id) : JudgeOne(id) { checkpoint_->path = "/c/orders"; }

  void Files(const std::vector<std::string>& names, const std::string& text = kLogText) {
    story_.storage.MakeDirectory(kLogDirectory);
    for (const std::string& name : names) story_.storage.Write(kLogDirectory + "/" + name, text);
  }
  void Range(BatchId first, BatchId last) {
    for (BatchId batch = first; batch <= last; ++batch) Files({std::to_string(batch)});
  }
  void Remove(const std::string& name) { story_.storage.Remove(kLogDirectory + "/" + name); }

  void Committed(BatchId batch) {
    checkpoint_->newest_batch = checkpoint_->committed_batch = batch;
    checkpoint_->batch_times.clear();
    for (BatchId b = std::max(BatchId{0}, batch - 9); b <= batch; ++b) {
      checkpoint_->batch_times.push_back({b, kStart + (b - batch) * std::chrono::minutes(1)});
    }
    checkpoint_->newest_batch_at = kStart;
  }
  void Planned(BatchId batch) { checkpoint_->newest_batch = batch; }

  std::vector<Finding> CheckLogs() {
    view_.logs = ViewLogs(ReadLogs(story_.storage, *checkpoint_, kOut, settings_, {}, kStart),
                          *checkpoint_, kStart);
    return Check();
  }
  Finding FoundInLogs() {
    const std::vector<Finding> found = CheckLogs();
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Finding{} : found.front();
  }
  void Unreadable() {
    story_.storage.OnCall([](const StorageCall& call) -> std::optional<Error> {
      if (!call.path.starts_with("/out")) return std::nullopt;
      return Error{ErrorKind::kDenied, call.path + ": permission denied"};
    });
  }
  /// From now on story_'s query writes to kOut, and Kafka has its topic.
  void BeginStory() {
    story_.kafka.Set("t", "A", {{0, {0, 100'000}}});
    story_.sinks["orders"] = kOut;
  }
  /// Batches up to `last`, with their files.
  void RunTo(BatchId last) {
    while (next_ <= last) {
      story_.query().Batch({{"t", {{0, 5 * (next_ + 1)}}}});
      Files({LogFileName(next_, 10)});
      ++next_;
    }
  }

  CompactIntervals settings_;
  BatchId next_ = 0;
};

}  // namespace tidegauge::testing
