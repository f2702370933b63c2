#include "core/checkpoint/initial_position.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/checkpoint/checkpoint_fixture.h"

namespace tidegauge {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InitialPosition : public CheckpointFixture {
 protected:
  void Version2(BatchId batch, std::vector<std::string> lines) {
    write_.File("offsets/" + std::to_string(batch),
                OffsetsFile{.lines = std::move(lines), .version = 2}.Text());
    write_.Commit(batch);
  }

  /// "topic=offset" of the only partition of every topic.
  std::vector<std::string> Position() {
    std::vector<std::string> texts;
    const auto read = MustRead();
    for (const SourceTopic& topic : read->position) {
      texts.push_back(topic.topic + "=" + std::to_string(topic.offsets.at(0)));
    }
    return texts;
  }
};

constexpr const char* kFileLog = "v1\n{\"path\":\"file:///in/f\",\"timestamp\":1,\"batchId\":0}";

TEST_F(InitialPosition, ADashTakesTheInitialOffsets) {
  write_.Metadata().Initial("0", R"({"a":{"0":3}})").Initial("1", R"({"b":{"0":7}})");
  write_.Batch(0, {R"({"a":{"0":5}})", "-"});
  EXPECT_THAT(Position(), ElementsAre("a=5", "b=7"));
  EXPECT_EQ(MustRead()->undecided_sources, 0u);
}

TEST_F(InitialPosition, ADashOfAnotherSourceSaysNothing) {
  write_.Metadata().Initial("0", R"({"a":{"0":3}})").File("sources/1/0", kFileLog);
  write_.Batch(0, {R"({"a":{"0":5}})", "-"});
  EXPECT_THAT(Position(), ElementsAre("a=5"));
  EXPECT_EQ(MustRead()->undecided_sources, 1u);
  EXPECT_THAT(MustRead()->problems, IsEmpty());
}

TEST_F(InitialPosition, ADashWithoutAnyLogSaysNothing) {
  write_.Metadata().Initial("0", R"({"a":{"0":3}})");
  storage_.MakeDirectory("/c/sources/1");
  write_.Batch(0, {R"({"a":{"0":5}})", "-"});
  EXPECT_THAT(Position(), ElementsAre("a=5"));
  EXPECT_THAT(MustRead()->problems, IsEmpty());
}

TEST_F(InitialPosition, LinesAreNotDirectoriesWhenASourceIsUnitedWithItself) {
  write_.Metadata().Initial("0", R"({"a":{"0":3}})").Initial("1", R"({"b":{"0":7}})");
  write_.Batch(0, {R"({"a":{"0":5}})", R"({"a":{"0":5}})", "-"});
  EXPECT_THAT(Position(), ElementsAre("a=5", "b=7"));
}

TEST_F(InitialPosition, SourcesAreInNumericalOrder) {
  write_.Metadata();
  std::vector<std::string> lines;
  for (int i = 0; i < 12; ++i) {
    const std::string name = std::to_string(i);
    write_.Initial(name, "{\"t" + name + "\":{\"0\":" + name + "}}");
    lines.push_back(i < 10 ? "{\"t" + name + "\":{\"0\":100}}" : "-");
  }
  write_.Batch(0, lines);
  const auto read = MustRead();
  ASSERT_EQ(read->position.size(), 12u);
  EXPECT_EQ(read->position[2].topic, "t10");
  EXPECT_EQ(read->position[2].offsets.at(0), 10);
}

TEST_F(InitialPosition, Version2LeavesOutWhatHasNoOffsetYet) {
  write_.Metadata().Initial("alpha", R"({"a":{"0":3}})").Initial("beta", R"({"b":{"0":7}})");
  Version2(0, {R"(alpha:{"a":{"0":5}})"});
  EXPECT_THAT(Position(), ElementsAre("a=5", "b=7"));
  EXPECT_THAT(MustRead()->problems, IsEmpty());
}

TEST_F(InitialPosition, Version2CannotForgetASource) {
  write_.Metadata().Initial("alpha", R"({"a":{"0":3}})").Initial("beta", R"({"b":{"0":7}})");
  Version2(0, {R"(beta:{"b":{"0":9}})", R"(alpha:{"a":{"0":5}})"});
  Version2(1, {R"(alpha:{"a":{"0":6}})"});
  EXPECT_THAT(Position(), ElementsAre("a=6"));
  EXPECT_THAT(MustRead()->problems, ElementsAre(HasSubstr("source 'beta' is missing")));
}

TEST_F(InitialPosition, BeforeTheFirstBatchEverySourceCounts) {
  write_.Metadata().Initial("0", R"({"a":{"0":3}})").File("sources/1/0", kFileLog);
  write_.Initial("2", "{}").Initial("10", R"({"b":{"0":7}})");
  storage_.MakeDirectory("/c/sources/11");
  write_.File("sources/.hidden/0", "x");
  EXPECT_THAT(Position(), ElementsAre("a=3", "b=7"));
  const auto read = MustRead();
  EXPECT_EQ(read->kafka_sources, 2u);
  EXPECT_EQ(read->unmonitored_sources, 1u);
  EXPECT_EQ(read->undecided_sources, 2u) << "{} and the directory without a log";
}

TEST_F(InitialPosition, TornInitialOffsetsAreNotAnotherSources) {
  const std::string whole = InitialOffsetsText(T(3));
  write_.Metadata().Offsets(0, {T(5)});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_.File("sources/0/0", whole.substr(0, size));
    EXPECT_EQ(Fatal().file, "sources/0/0") << size;
  }
}

TEST_F(InitialPosition, InitialOffsetsOfANewerSparkAreUnsupported) {
  write_.Metadata().File("sources/0/0", std::string(1, '\0') + "v2\n{}").Offsets(0, {T(5)});
  EXPECT_EQ(Fatal().kind, Damage::Kind::kVersion);
}

TEST_F(InitialPosition, SourcesAreDeletedWhileTheFirstBatchIsInFlight) {
  write_.Metadata().Offsets(0, {T(5)});
  const auto read = MustRead();
  EXPECT_THAT(read->position, IsEmpty());
  EXPECT_THAT(read->problems, ElementsAre(HasSubstr("where batch 0 begins is not known")));
}

TEST_F(InitialPosition, IsNotAskedForWhenEveryLineHasAnOffset) {
  write_.Metadata().Initial("0", T(3)).Batch(0, {T(5)});
  MustRead();
  EXPECT_THAT(storage_.ReadPaths(), ::testing::Not(::testing::Contains("/c/sources/0/0")));
}

}  // namespace
}  // namespace tidegauge
