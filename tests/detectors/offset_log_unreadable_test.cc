#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class OffsetLogUnreadable : public DamageStory {
 protected:
  OffsetLogUnreadable() : DamageStory("offset_log_unreadable") {}
};

TEST_F(OffsetLogUnreadable, IsQuietWhileAllCanBeRead) {
  Batches(3);
  EXPECT_FALSE(Fires());
}

TEST_F(OffsetLogUnreadable, TheNewestIsEmptyAndCommitted) {
  Batches(2);
  Write("offsets/2", "");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(),
              HasSubstr("offsets/2 cannot be read (empty): a restart fails with \"Failed to read "
                        "log file /data/checkpoints/orders/offsets/2. Incomplete log file\""));
  EXPECT_EQ(QueryOf(story_.report).state, QueryState::kFindings);
  EXPECT_FALSE(QueryOf(story_.report).checkpoint_up) << "there is no position to judge by";
}

TEST_F(OffsetLogUnreadable, TheNewestMayBeWrittenStill_NotAfterAMinute) {
  Batches(1);
  Write("offsets/2", "v1\n{\"batch");
  story_.JudgeAtOnce();
  story_.Poll(59s);
  EXPECT_THAT(Firing(story_.report), IsEmpty());
  EXPECT_EQ(QueryOf(story_.report).state, QueryState::kUnknown);
  story_.Poll(1s);
  EXPECT_TRUE(JudgeOne::Fires(story_.report));
}

TEST_F(OffsetLogUnreadable, WhatIsCompleteAtTheNextPollWasBeingWritten) {
  Batches(1);
  Write("offsets/2", "");
  story_.Poll();
  story_.query().SetNext(2);
  story_.query().Plan(Ends(2));
  EXPECT_FALSE(Fires());
}

TEST_F(OffsetLogUnreadable, TheBatchBeforeTheNewestIsRead_TooIfTheNewestHasEnded) {
  Batches(2);
  Write("offsets/1", "v1");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("next on empty iterator"));
  EXPECT_TRUE(QueryOf(story_.report).checkpoint_up) << "the position is known all the same";
}

TEST_F(OffsetLogUnreadable, AnOlderOneIsReadByNoRestart) {
  Batches(4);
  Write("offsets/1", "");
  EXPECT_FALSE(Fires());
  EXPECT_NE(QueryOf(story_.report).state, QueryState::kOk) << "but something was not looked at";
}

TEST_F(OffsetLogUnreadable, InitialOffsetsThatBatch0StartsFrom) {
  Batches(0, false);
  Write("sources/0/0", std::string(1, '\0') + "v1\n{\"t\":{\"0\":");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("sources/0/0 cannot be read"));
}

TEST_F(OffsetLogUnreadable, InitialOffsetsThatNothingRestsOnAnyMore) {
  // https://github.com/mozilla/telemetry-streaming/issues/14
  Batches(2);
  Write("sources/0/0", std::string(1, '\0') + "v1\n{\"t\":{\"0\":");
  EXPECT_FALSE(Fires());
  EXPECT_EQ(QueryOf(story_.report).state, QueryState::kOk);
}

TEST_F(OffsetLogUnreadable, AFileThatIsListedAndStaysAwayForPolls) {
  // https://docs.cloudera.com/HDPDocuments/HDP2/HDP-2.6.5/bk_cloud-data-access/
  Batches(2);
  story_.storage.OnCall([](const StorageCall& call) -> std::optional<Error> {
    if (call.kind != StorageCall::Kind::kRead || !call.path.ends_with("/offsets/2")) return {};
    return Error{ErrorKind::kNotFound, call.path + ": not found"};
  });
  story_.Poll();
  EXPECT_THAT(Firing(story_.report), IsEmpty());
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("Unable to find batch"));
  story_.storage.ClearFaults();
  EXPECT_FALSE(Fires());
}

TEST_F(OffsetLogUnreadable, DeniedIsUnknown) {
  Batches(2);
  story_.storage.OnCall([](const StorageCall& call) -> std::optional<Error> {
    if (!call.path.ends_with("/offsets/2")) return {};
    return Error{ErrorKind::kDenied, call.path + ": permission denied"};
  });
  Later();
  EXPECT_THAT(story_.report.findings, IsEmpty());
  EXPECT_EQ(QueryOf(story_.report).state, QueryState::kUnknown);
}

TEST_F(OffsetLogUnreadable, WhatWasFoundBeforeStays_AndRestartsOfTheDaemonToo) {
  Batches(2);
  story_.Poll();
  story_.kafka.Expire("t", 0, 600);
  story_.Poll();
  Write("offsets/2", "");
  EXPECT_TRUE(Fires());
  story_.RestartDaemon();
  EXPECT_THAT(Firing(Later()), ::testing::UnorderedElementsAre(id_, "records_expired"))
      << "where there is no position, nothing is over";
}

}  // namespace
}  // namespace tidegauge::testing
