// One detector on a scan of the data files of one query.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "core/sinklog/compaction.h"
#include "tests/detectors/judge_log.h"

namespace tidegauge::testing {

class JudgeDataFiles : public JudgeLog {
 protected:
  explicit JudgeDataFiles(std::string_view id) : JudgeLog(id) {
    files_->root = kOut;
    files_->listed = 10;
    files_->listed_bytes = 100;
  }

  /// A scan that found nothing wrong, and none.
  void ExpectQuietWhenAllIsWell_AndWhenNothingIsKnown() {
    EXPECT_TRUE(CheckFiles().empty());
    view_.data_files = nullptr;
    EXPECT_TRUE(Check().empty());
  }
  std::vector<Finding> CheckFiles() {
    view_.data_files = files_;
    return Check();
  }
  Finding FoundInFiles() {
    view_.data_files = files_;
    return Found();
  }
  static LackingFiles Lacking(const std::vector<std::string>& names) {
    return {.names = names, .count = names.size()};
  }

  /// From now on story_'s query writes batches of one file each, which are scanned whole in each
  /// poll.
  void BeginScans() {
    BeginStory();
    story_.scanned["orders"] = {.files = 1000, .interval = std::chrono::milliseconds(1)};
    story_.storage.SetClock(story_.now);
  }
  /// A batch that writes `below`, of ten bytes.
  void Write(const std::string& below) {
    const BatchId batch = next_++;
    story_.query().Batch({{"t", {{0, 5 * next_}}}});
    story_.storage.Write(kOut + "/" + below, "0123456789");
    Files({LogFileName(batch, 10)},
          fmt::format("v1\n{{\"path\":\"file://{}/{}\",\"size\":10,\"isDir\":false,"
                      "\"modificationTime\":{},\"blockReplication\":1,\"blockSize\":1,"
                      "\"action\":\"add\"}}",
                      kOut, below, story_.now.time_since_epoch().count()));
    story_.Wait(std::chrono::minutes(5));
    story_.storage.SetClock(story_.now);
  }
  /// The finding of this story survives a log that cannot be read and a restart until a scan has
  /// ended, and `mend` ends it.
  template <typename Mend>
  void ExpectToStayUntil(Mend mend) {
    story_.PollFor(std::chrono::minutes(3));
    EXPECT_TRUE(Fires(story_.report));
    Unreadable();
    EXPECT_TRUE(Fires(story_.Poll()));
    story_.storage.ClearFaults();
    story_.RestartDaemon();
    story_.scanned["orders"].files = 1;
    EXPECT_TRUE(Fires(story_.Poll())) << "a scan that has just begun calls nothing off";
    story_.scanned["orders"].files = 1000;
    EXPECT_TRUE(Fires(story_.Poll()));
    mend();
    EXPECT_FALSE(Fires(story_.Poll()));
  }

  std::shared_ptr<DataFiles> files_ = std::make_shared<DataFiles>();
};

}  // namespace tidegauge::testing
