#include "daemon/state/database.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "tests/daemon/state/state_directory.h"

namespace tidegauge {
namespace {

using DatabaseTest = StateDirectoryTest;

TEST_F(DatabaseTest, AWriterThatHoldsTheFileIsAnErrorAndNotAWaitWithoutEnd) {
  (void)Open();
  auto other = Database::Open(file_, Database::Mode::kWrite, Duration(0));
  ASSERT_TRUE(other && (*other)->Execute("BEGIN IMMEDIATE"));
  auto third = Database::Open(file_, Database::Mode::kWrite, Duration(1));
  ASSERT_TRUE(third);
  auto begun = (*third)->Execute("BEGIN IMMEDIATE");
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().kind, ErrorKind::kUnavailable);
}

TEST_F(DatabaseTest, WhatIsNotCommittedIsTakenBack) {
  auto store = Open();
  auto database = Database::Open(file_, Database::Mode::kWrite, Duration(0));
  ASSERT_TRUE(database);
  {
    auto transaction = Transaction::Begin(**database, Transaction::Kind::kWrite);
    ASSERT_TRUE(transaction);
    ASSERT_TRUE((*database)->Execute("INSERT INTO findings_total VALUES ('x', 1)"));
  }
  EXPECT_EQ((*database)->Ask("SELECT count(*) FROM findings_total"), Value(std::int64_t{0}));
}

TEST_F(DatabaseTest, ErrorsNameTheFile) {
  (void)Open();
  auto database = Database::Open(file_, Database::Mode::kRead, Duration(0));
  ASSERT_TRUE(database);
  auto prepared = (*database)->Prepare("SELECT * FROM nowhere");
  ASSERT_FALSE(prepared);
  EXPECT_TRUE(prepared.error().message.starts_with(file_)) << prepared.error().message;
  EXPECT_EQ((*database)->Execute("DELETE FROM query").error().kind, ErrorKind::kDenied);
  EXPECT_EQ(Database::Open(state_ + "/none", Database::Mode::kWrite, Duration(0)).error().kind,
            ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tidegauge
