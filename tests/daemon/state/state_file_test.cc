#include "daemon/state/state_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/daemon/state/sample_ledger.h"
#include "tests/daemon/state/schema_1.h"
#include "tests/daemon/state/state_directory.h"
#include "tests/daemon/unprivileged.h"

namespace tidegauge {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

using StateFileTest = StateDirectoryTest;

TEST_F(StateFileTest, AnythingButADatabaseIsRefusedWithWhatToDo) {
  fs::create_directory(state_);
  std::ofstream(file_) << std::string(5000, 'x');
  const Error error = OpenError();
  EXPECT_EQ(error.kind, ErrorKind::kCorrupt);
  EXPECT_THAT(error.message, HasSubstr(fmt::format("mv '{0}' '{0}.bad'", file_)));
  EXPECT_EQ(StateStore::ReadCopy(state_).error().kind, ErrorKind::kCorrupt);
}

TEST_F(StateFileTest, ABrokenPageIsRefused) {
  {
    Ledger ledger;
    for (int i = 0; i < 1000; ++i) ledger.queries[std::to_string(i)] = {};
    ASSERT_TRUE(Open()->Save(ledger));
  }
  const auto size = static_cast<std::streamoff>(fs::file_size(file_));
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  for (std::streamoff page = 4096; page < size; page += 4096) {
    file.seekp(page + 3);
    file << std::string(64, '\xee');
  }
  file.close();
  const Error error = OpenError();
  EXPECT_EQ(error.kind, ErrorKind::kCorrupt) << error.message;
  EXPECT_THAT(error.message, HasSubstr("mv '"));
}

TEST_F(StateFileTest, ATruncatedFileIsRefusedWhereverItEnds) {
  ASSERT_TRUE(Open()->Save(SampleLedger(1)));
  const auto size = fs::file_size(file_);
  for (std::uintmax_t end : {std::uintmax_t{0}, std::uintmax_t{1}, std::uintmax_t{100},
                             std::uintmax_t{4096}, size / 2, size - 1}) {
    fs::resize_file(file_, end);
    auto store = StateStore::Open(state_);
    ASSERT_FALSE(store) << end;
    EXPECT_EQ(store.error().kind, ErrorKind::kCorrupt) << end << ": " << store.error().message;
    fs::remove_all(state_);
    ASSERT_TRUE(Open()->Save(SampleLedger(1)));
  }
}

TEST_F(StateFileTest, AStartThatWasKilledWhileItMadeTheFileIsMadeGood) {
  fs::create_directory(state_);
  std::ofstream(file_ + ".new") << "half a page";
  EXPECT_TRUE(Same(Reopened(), {}));
}

TEST_F(StateFileTest, TheAdviceWorks) {
  {
    auto store = Open();
    ASSERT_TRUE(store->Save(SampleLedger(1)));
    // As after kill -9: the write-ahead log is left behind.
    for (const char* part : {"", "-wal"})
      fs::copy_file(file_ + part, directory_ / ("kept" + std::string(part)));
  }
  fs::rename(directory_ / "kept-wal", file_ + "-wal");
  fs::rename(file_, file_ + ".bad");
  EXPECT_TRUE(Same(Reopened(), {}));
}

TEST_F(StateFileTest, TheDatabaseOfAnotherProgramIsRefused) {
  fs::create_directory(state_);
  Execute("CREATE TABLE song (name TEXT)");
  const Error error = OpenError();
  EXPECT_EQ(error.kind, ErrorKind::kCorrupt);
  EXPECT_THAT(error.message, HasSubstr("not a state file"));
}

TEST_F(StateFileTest, ANewerVersionIsRefusedNamingBoth) {
  (void)Open();
  Execute("PRAGMA user_version = 7");
  const Error error = OpenError();
  EXPECT_EQ(error.kind, ErrorKind::kUnsupported);
  EXPECT_THAT(error.message, HasSubstr("version 7"));
  EXPECT_THAT(error.message, HasSubstr("up to 2"));
  EXPECT_EQ(StateStore::ReadCopy(state_).error().kind, ErrorKind::kUnsupported);
}

/// As the first version left it, with a finding and an acknowledgement.
class OldStateFileTest : public StateFileTest {
 protected:
  OldStateFileTest() {
    fs::create_directory(state_);
    Execute(std::string(kSchema1) + R"sql(
      INSERT INTO finding VALUES ('records_skipped', 'orders', 'main', 't', '1', 'critical',
        'certain', '', '', 500, 'exact', 7, 1000, '0 500 0 800 500', 'what happened', 'firing',
        2000, 3000, NULL);
      INSERT INTO acknowledgement VALUES (4, 'records_skipped', 'orders', 'main', 't', '1', 'ann',
        'known', 5000);
      INSERT INTO query VALUES ('orders', 'id', 'lab-1', 7, 1000, 2000);
      PRAGMA application_id = 0x54494445; PRAGMA user_version = 1)sql");
  }
};

TEST_F(OldStateFileTest, IsBroughtUpToDateAndKeepsItsRows) {
  const Ledger ledger = Reopened();
  const FindingKey key{.kind = "records_skipped",
                       .query = "orders",
                       .kafka_cluster = "main",
                       .topic = "t",
                       .source = "1"};
  ASSERT_TRUE(ledger.findings.contains(key));
  const FindingReport& found = ledger.findings.at(key);
  EXPECT_EQ(found.finding.records, 500);
  EXPECT_EQ(found.finding.batch, 7);
  EXPECT_EQ(found.finding.batches_left, std::nullopt);
  EXPECT_EQ(found.finding.summary, "what happened");
  EXPECT_TRUE(found.finding.missing.empty());
  EXPECT_EQ(found.firing_since, At(3000));
  ASSERT_EQ(ledger.acknowledgements.size(), 1U);
  EXPECT_EQ(ledger.acknowledgements[0],
            (Acknowledgement{.key = key, .who = "ann", .why = "known", .at = At(5000)}));
  EXPECT_EQ(ledger.queries.at("orders"), (QueryMemory{.query_id = "id",
                                                      .cluster_id = "lab-1",
                                                      .newest_batch = 7,
                                                      .first_seen = At(1000),
                                                      .last_seen = At(2000)}))
      << "what was not known then is unknown";
}

TEST_F(OldStateFileTest, TakesWhatIsNew_AndGivesItBack) {
  {
    auto store = Open();
    ASSERT_TRUE(store->Load());
    ASSERT_TRUE(store->Save(SampleLedger(3)));
  }
  EXPECT_TRUE(Same(Reopened(), SampleLedger(3)));
}

TEST_F(OldStateFileTest, IsNotChangedByWhoDoesNotOwnIt) {
  const auto copy = StateStore::ReadCopy(state_);
  ASSERT_FALSE(copy);
  EXPECT_EQ(copy.error().kind, ErrorKind::kUnsupported);
  EXPECT_THAT(copy.error().message, HasSubstr("version 1"));
}

TEST_F(StateFileTest, ADirectoryThatCannotBeMadeSaysWhy) {
  state_ = directory_ / "none/state";
  EXPECT_EQ(OpenError().kind, ErrorKind::kNotFound);
  EXPECT_THAT(OpenError().message, HasSubstr(state_));
  directory_.Write("file", "");
  state_ = directory_ / "file";
  EXPECT_EQ(OpenError().kind, ErrorKind::kInvalid);
  state_ = "";
  EXPECT_EQ(OpenError().kind, ErrorKind::kInvalid);
}

TEST_F(StateFileTest, WithoutPermissionItSaysWhatToDo) {
  ASSERT_TRUE(Open()->Save(SampleLedger(1)));
  ::chmod(directory_.path().c_str(), 0555);
  ::chmod(state_.c_str(), 0555);
  {
    Unprivileged nobody;
    const Error error = OpenError();
    EXPECT_EQ(error.kind, ErrorKind::kDenied) << error.message;
    EXPECT_THAT(error.message, HasSubstr("or as root"));
    auto missing = StateStore::Open(directory_ / "other");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().kind, ErrorKind::kDenied);
    EXPECT_THAT(missing.error().message, HasSubstr("install -d"));
  }
  ::chmod(state_.c_str(), 0777);
  ::chmod((state_ + "/tidegauge.lock").c_str(), 0666);
  ::chmod(file_.c_str(), 0444);
  {
    Unprivileged nobody;
    EXPECT_EQ(OpenError().kind, ErrorKind::kDenied) << "the file itself may not be written";
    auto done = StateStore::Acknowledge(state_, {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, ErrorKind::kDenied);
  }
  ::chmod(directory_.path().c_str(), 0755);
}

}  // namespace
}  // namespace tidegauge
