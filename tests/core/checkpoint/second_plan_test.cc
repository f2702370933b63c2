#include "core/checkpoint/second_plan.h"

#include <string>

#include <gmock/gmock.h>

#include "tests/core/checkpoint/checkpoint_fixture.h"

namespace tidegauge {
namespace {

using namespace testing;
using ::testing::IsEmpty;

class SecondPlan : public CheckpointFixture {};

TEST_F(SecondPlan, IsLaterThanTheOneThatCounts) {
  constexpr const char* kLeft = "offsets/.1.b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp";
  const auto leave = [&](std::int64_t planned_ms) {
    write_.File(kLeft, OffsetsFile{.lines = {T(9)}, .planned_ms = planned_ms}.Text());
  };
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Offsets(1, {T(10)});
  const std::int64_t planned_ms = kFirstBatchMs + 60'000;
  for (const bool ended : {false, true}) {
    if (ended) write_.Commit(1);
    leave(planned_ms + 1);
    EXPECT_EQ(MustRead()->planned_again,
              std::optional(BatchTime{.batch = 1, .planned_at = Time(Duration(planned_ms + 1))}));
    leave(planned_ms);
    EXPECT_EQ(MustRead()->planned_again, std::nullopt) << "a crash leaves one that is not later";
    write_.File(kLeft, "v1");
    EXPECT_EQ(MustRead()->planned_again, std::nullopt);
    EXPECT_THAT(MustRead()->problems, IsEmpty());
  }
  storage_.Remove(std::string("/c/") + kLeft);
  write_.File("offsets/.2.b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp",
              OffsetsFile{.lines = {T(9)}, .planned_ms = planned_ms * 2}.Text());
  EXPECT_EQ(MustRead()->planned_again, std::nullopt) << "it is only being written";
}

TEST_F(SecondPlan, OnlyTheNewestBatchesAreLookedAt) {
  write_.Metadata().Initial("0", T(0));
  for (BatchId batch = 0; batch < 12; ++batch) {
    write_.Batch(batch, {T(batch + 1)});
    write_.File("offsets/." + std::to_string(batch) + ".b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp",
                OffsetsFile{.lines = {T(9)}, .planned_ms = kFirstBatchMs * 2}.Text());
  }
  storage_.ResetCalls();
  EXPECT_EQ(MustRead()->planned_again->batch, 11);
  std::size_t temporaries = 0;
  for (const StorageCall& call : storage_.Calls()) {
    if (call.kind == StorageCall::Kind::kRead && call.path.ends_with(".tmp")) ++temporaries;
  }
  EXPECT_EQ(temporaries, kMostTemporaries);
}

}  // namespace
}  // namespace tidegauge
