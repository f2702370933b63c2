#include "core/topics/incarnations.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using namespace std::chrono_literals;

class Incarnations : public ::testing::Test {
 protected:
  const Incarnation& Note(const std::string& id, std::optional<Offset> log_end,
                          std::optional<Offset> log_start = 0, bool offsets_fell = false) {
    now_ += 30s;
    TopicAnswer answer{.presence = TopicPresence::kPresent, .topic_id = id};
    answer.partitions[0] = {.log_start = log_start, .log_end = log_end};
    return NoteTopic(ledger_, "lab", "t", answer, offsets_fell, now_);
  }
  std::size_t Lives() { return ledger_.incarnations.at({"lab", "t"}).size(); }

  Ledger ledger_;
  Time now_{100h};
};

TEST_F(Incarnations, OneIdIsOneLife) {
  const Time first = now_ + 30s;
  Note("A", 500);
  const Incarnation& life = Note("A", 300);
  EXPECT_EQ(life.generation, 0);
  EXPECT_EQ(life.first_seen, first);
  EXPECT_EQ(life.last_seen, now_);
  EXPECT_EQ(Lives(), 1u) << "a log that was truncated is the same topic";
}

TEST_F(Incarnations, ANewIdIsANewLife_AndItsRateStartsAfresh) {
  Note("A", 500);
  ledger_.log_start_rates[{"lab", "t"}][0] = {{now_, 3}};
  EXPECT_EQ(Note("B", 500).generation, 1);
  EXPECT_EQ(Lives(), 2u);
  EXPECT_FALSE(ledger_.log_start_rates.contains({"lab", "t"}));
}

TEST_F(Incarnations, AnIdThatIsMissingOnceProvesNothing) {
  Note("A", 500);
  EXPECT_EQ(Note("", 500).topic_id, "A");
  EXPECT_EQ(Note("A", 500).generation, 0);
  EXPECT_EQ(Lives(), 1u);
}

TEST_F(Incarnations, AnIdThatAppearsIsThatOfTheLifeThatWasThere) {
  Note("", 500);
  ledger_.bindings[{"orders", "t", ""}] = {.cluster_id = "lab", .generation = 0};
  ledger_.bindings[{"other", "t", ""}] = {.cluster_id = "lab", .generation = -1};
  EXPECT_EQ(Note("A", 500).generation, 0);
  EXPECT_EQ(ledger_.bindings.at({"orders", "t", ""}).topic_id, "A");
  EXPECT_EQ(ledger_.bindings.at({"other", "t", ""}).topic_id, "") << "it is to another life";
}

TEST_F(Incarnations, AnIdThatComesBackIsTheSameLife) {
  Note("A", 500);
  Note("B", 20);
  EXPECT_EQ(Note("A", 500).generation, 0);
  EXPECT_EQ(Note("B", 30).generation, 1);
  EXPECT_EQ(Lives(), 2u);
}

TEST_F(Incarnations, WithoutIds_EndsThatStayBelowForTwoPollsAreANewLife) {
  Note("", 500);
  EXPECT_EQ(Note("", 499).generation, 0);
  EXPECT_EQ(Note("", 499).generation, 1);
}

TEST_F(Incarnations, WithoutIds_TheNewEndMayGrowMeanwhile) {
  Note("", 500);
  Note("", 10);
  EXPECT_EQ(Note("", 400).generation, 1) << "still below what was seen before";
}

TEST_F(Incarnations, WithoutIds_OneOddAnswerIsNone) {
  Note("", 500);
  Note("", 100);
  Note("", 501);
  Note("", 400);
  EXPECT_EQ(Note("", 502).generation, 0);
  EXPECT_EQ(Lives(), 1u);
}

TEST_F(Incarnations, WithoutIds_AnEndThatWasNotAnsweredIsNotBelow) {
  Note("", 500);
  Note("", std::nullopt);
  EXPECT_EQ(Note("", std::nullopt).generation, 0);
}

TEST_F(Incarnations, WithoutIds_ALogThatStartsAboveZeroWasTruncated) {
  Note("", 500, 100);
  Note("", 450, 100);
  EXPECT_EQ(Note("", 450, 100).generation, 0);
}

TEST_F(Incarnations, WithoutIds_OffsetsThatFellInACheckpointConfirmItAtOnce) {
  Note("", 500);
  EXPECT_EQ(Note("", 900, 0, true).generation, 1);
}

TEST_F(Incarnations, WithIds_OffsetsThatFellAreNoNewLife) {
  Note("A", 500);
  EXPECT_EQ(Note("A", 900, 0, true).generation, 0);
}

TEST_F(Incarnations, OnlyTheLastOnesAreRemembered) {
  for (std::size_t night = 0; night < kMaxIncarnations + 5; ++night) {
    Note("night " + std::to_string(night), 10);
  }
  EXPECT_EQ(Lives(), kMaxIncarnations);
  EXPECT_EQ(Note("one more", 10).generation, static_cast<std::int64_t>(kMaxIncarnations) + 5);
}

}  // namespace
}  // namespace tidegauge
