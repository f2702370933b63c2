#include "core/history/recollection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr Time kNow(1000h);

SkipEvent Skip(BatchId batch, Time at) {
  return {.query = "orders", .topic = "t", .batch = batch, .query_id = "q1", .seen_at = at};
}

Acknowledgement Ack(Time at) {
  return {.key = {.kind = "records_skipped", .query = "orders", .topic = "t"}, .at = at};
}

Readings Read(Checkpoint checkpoint) {
  Readings readings;
  readings.queries.push_back(
      {.target = {.query = "orders"},
       .checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint))});
  return readings;
}

TEST(Recollection, AnAcknowledgementCoversWhatCameBeforeIt) {
  Ledger ledger;
  ledger.skips = {Skip(1, kNow - 1ms), Skip(2, kNow), Skip(3, kNow + 1ms)};
  ledger.acknowledgements = {Ack(kNow)};
  ApplyAcknowledgements(ledger);
  const auto open = OpenSkips(ledger, "orders");
  ASSERT_THAT(open, SizeIs(1));
  EXPECT_EQ(open[0].batch, 3);
  EXPECT_THAT(OpenSkips(ledger, "clicks"), IsEmpty());
}

TEST(Recollection, WhatWasAcceptedIsNotAcceptedAgainWhileItsFindingFiresOn) {
  const FindingKey key{.kind = "cluster_changed", .query = "orders"};
  Ledger ledger;
  ledger.acknowledgements = {{.key = key, .at = kNow}};
  ledger.findings[key] = {.finding = {.key = key}, .phase = Phase::kFiring, .pending_since = kNow};
  ledger.queries["orders"] = {.cluster_id = "old"};
  ApplyAcknowledgements(ledger);
  EXPECT_EQ(ledger.queries["orders"].cluster_id, "");
  ledger.queries["orders"].cluster_id = "new";
  ledger.findings[key].gone_since = kNow;
  ApplyAcknowledgements(ledger);
  EXPECT_EQ(ledger.queries["orders"].cluster_id, "new");
}

TEST(Recollection, AnAcknowledgedEventIsRememberedAsLongAsABatchFileShowsIt) {
  Ledger ledger;
  ledger.queries["orders"] = {.last_seen = kNow};
  ledger.skips = {Skip(7, kNow)};
  ledger.skips[0].acknowledged = true;
  Checkpoint shows{.query_id = "q1"};
  shows.steps.push_back({.batch = 7, .topic = "t"});
  Forget(ledger, Read(shows), kNow);
  EXPECT_THAT(ledger.skips, SizeIs(1));
  Forget(ledger, Readings{}, kNow);
  EXPECT_THAT(ledger.skips, SizeIs(1)) << "unread is not purged";
  Forget(ledger, Read({.query_id = "q1"}), kNow);
  EXPECT_THAT(ledger.skips, IsEmpty());
}

TEST(Recollection, AnEventThatNobodyAcknowledgedStays) {
  Ledger ledger;
  ledger.queries["orders"] = {.last_seen = kNow};
  ledger.skips = {Skip(7, kNow)};
  Forget(ledger, Read({.query_id = "q2"}), kNow);
  EXPECT_THAT(ledger.skips, SizeIs(1)) << "not even with another checkpoint";
}

TEST(Recollection, AQueryIsRememberedForThirtyDaysAfterItWasLastSeen) {
  Ledger ledger;
  ledger.queries["orders"] = {.last_seen = kNow};
  ledger.bindings[{"orders", "t", ""}] = {};
  ledger.position_rates[{"orders", "t", ""}] = {};
  ledger.skips = {Skip(7, kNow)};
  Forget(ledger, Readings{}, kNow + kRemembered);
  EXPECT_THAT(ledger.bindings, SizeIs(1));
  Forget(ledger, Readings{}, kNow + kRemembered + 1ms);
  EXPECT_TRUE(ledger.empty());
  EXPECT_THAT(ledger.position_rates, IsEmpty());
  EXPECT_THAT(ledger.skips, IsEmpty());
}

TEST(Recollection, ATopicIsRememberedForThirtyDaysAfterItWasLastSeen) {
  Ledger ledger;
  ledger.incarnations[{"lab", "t"}] = {{.topic_id = "A", .last_seen = kNow}};
  ledger.log_start_rates[{"lab", "t"}] = {};
  Forget(ledger, Readings{}, kNow + kRemembered);
  EXPECT_THAT(ledger.incarnations, SizeIs(1));
  Forget(ledger, Readings{}, kNow + kRemembered + 1ms);
  EXPECT_THAT(ledger.incarnations, IsEmpty());
  EXPECT_THAT(ledger.log_start_rates, IsEmpty());
}

TEST(Recollection, ANewQueryIdForgetsWhichTopicTheOldOffsetsBelongedTo) {
  Ledger ledger;
  NoteQuery(ledger, "orders", {.query_id = "q1", .newest_batch = 9}, "lab", std::nullopt, kNow);
  ledger.bindings[{"orders", "t", ""}] = {.batch = 9};
  ledger.bindings[{"other", "t", ""}] = {.batch = 1};
  ForgetOtherCheckpoint(ledger, "orders", {.query_id = "q1"});
  ForgetOtherCheckpoint(ledger, "orders", {.query_id = ""});
  EXPECT_THAT(ledger.bindings, SizeIs(2)) << "the same, or unreadable";
  ForgetOtherCheckpoint(ledger, "orders", {.query_id = "q2"});
  ASSERT_THAT(ledger.bindings, SizeIs(1));
  EXPECT_EQ(ledger.bindings.begin()->second.batch, 1);
  EXPECT_EQ(ledger.queries.at("orders").cluster_id, "");
  EXPECT_EQ(ledger.queries.at("orders").newest_batch, -1);
  EXPECT_EQ(ledger.queries.at("orders").first_seen, kNow);
}

TEST(Recollection, NotingAQueryGivesBackWhatWasKnownBefore) {
  Ledger ledger;
  const auto first =
      NoteQuery(ledger, "orders", {.query_id = "q1", .newest_batch = 9}, "lab", std::nullopt, kNow);
  EXPECT_EQ(first.newest_batch, -1);
  EXPECT_EQ(first.cluster_id, "");
  const auto second = NoteQuery(ledger, "orders", {.query_id = "", .newest_batch = 10}, "elsewhere",
                                std::nullopt, kNow + 1min);
  EXPECT_EQ(second.newest_batch, 9);
  EXPECT_EQ(second.cluster_id, "lab");
  EXPECT_EQ(ledger.queries.at("orders").cluster_id, "lab") << "until it is acknowledged";
  EXPECT_EQ(ledger.queries.at("orders").query_id, "q1");
  EXPECT_EQ(ledger.queries.at("orders").newest_batch, 10);
}

TEST(Recollection, AnIdleQuerysRowChangesOnceAnHour) {
  Ledger ledger;
  NoteQuery(ledger, "orders", {.query_id = "q1"}, "lab", std::nullopt, kNow);
  const QueryMemory row = ledger.queries.at("orders");
  NoteQuery(ledger, "orders", {.query_id = "q1"}, "lab", std::nullopt, kNow + 59min);
  EXPECT_EQ(ledger.queries.at("orders"), row);
  NoteQuery(ledger, "orders", {.query_id = "q1"}, "lab", std::nullopt, kNow + 60min);
  EXPECT_NE(ledger.queries.at("orders"), row);
}

TEST(Recollection, TheAcknowledgementOfAChangedClusterCountsOnlyForTheChangeItSaw) {
  const FindingKey key{.kind = "cluster_changed", .query = "orders", .kafka_cluster = "main"};
  for (const bool saw : {true, false}) {
    Ledger ledger;
    ledger.queries["orders"] = {.cluster_id = "lab"};
    ledger.findings[key] = {.phase = Phase::kFiring, .pending_since = kNow};
    ledger.acknowledgements = {{.key = key, .at = saw ? kNow : kNow - 1ms}};
    ApplyAcknowledgements(ledger);
    EXPECT_EQ(ledger.queries.at("orders").cluster_id, saw ? "" : "lab");
  }
}

}  // namespace
}  // namespace tidegauge
