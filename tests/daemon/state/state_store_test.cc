#include "daemon/state/state_store.h"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/daemon/state/sample_ledger.h"
#include "tests/daemon/state/state_directory.h"

namespace tidegauge {
namespace {

using ::testing::HasSubstr;
using std::string_literals::operator""s;
namespace fs = std::filesystem;

using StateStoreTest = StateDirectoryTest;

// ---------------------------------------------------------------- what is kept

TEST_F(StateStoreTest, ANewDirectoryIsMadeAndEmpty) {
  EXPECT_TRUE(Same(Reopened(), {}));
  EXPECT_EQ(fs::status(state_).permissions(), fs::perms(0750));
}

TEST_F(StateStoreTest, EverythingSavedIsThereAfterARestart) {
  ASSERT_TRUE(Open()->Save(SampleLedger(1)));
  EXPECT_TRUE(Same(Reopened(), SampleLedger(1)));
}

TEST_F(StateStoreTest, OddNamesSurvive) {
  const std::string odd = "'\";--\n\t\0\xff\xfe \xc3\xa9\xe6\xbc\xa2 %_"s;
  Ledger ledger = SampleLedger(1, odd);
  ledger.queries[""] = {};
  ledger.incarnations[{"", ""}] = {{}};
  ledger.bindings[{"", "", ""}] = {};
  ASSERT_TRUE(Open()->Save(ledger));
  EXPECT_TRUE(Same(Reopened(), ledger));
}

TEST_F(StateStoreTest, WhatIsGoneFromTheLedgerIsGoneFromTheFile) {
  {
    auto store = Open();
    ASSERT_TRUE(store->Save(SampleLedger(1, "a")));
    ASSERT_TRUE(store->Save(SampleLedger(2, "b")));
  }
  EXPECT_TRUE(Same(Reopened(), SampleLedger(2, "b")));
  ASSERT_TRUE(Open()->Save({})) << "nothing was loaded, so nothing is known to be there";
  EXPECT_TRUE(Same(Reopened(), SampleLedger(2, "b")));
  {
    auto store = Open();
    ASSERT_TRUE(store->Load());
    ASSERT_TRUE(store->Save({}));
  }
  EXPECT_TRUE(Same(Reopened(), {}));
}

TEST_F(StateStoreTest, AnUnchangedLedgerWritesNothing) {
  auto store = Open();
  ASSERT_TRUE(store->Save(SampleLedger(1)));
  const auto size = fs::file_size(file_ + "-wal");
  ASSERT_TRUE(store->Save(SampleLedger(1)));
  EXPECT_EQ(fs::file_size(file_ + "-wal"), size);
  ASSERT_TRUE(store->Load());
  ASSERT_TRUE(store->Save(SampleLedger(1)));
  EXPECT_EQ(fs::file_size(file_ + "-wal"), size);
  ASSERT_TRUE(store->Save(SampleLedger(2)));
  EXPECT_GT(fs::file_size(file_ + "-wal"), size);
}

TEST_F(StateStoreTest, OneChangedQueryWritesItsOwnRowOnly) {
  Ledger ledger;
  for (int i = 0; i < 1000; ++i)
    ledger.queries[fmt::format("q{}", i)].query_id = std::string(1000, 'x');
  auto store = Open();
  ASSERT_TRUE(store->Save(ledger));
  const auto size = fs::file_size(file_ + "-wal");
  ledger.queries["q500"].newest_batch = 7;
  ASSERT_TRUE(store->Save(ledger));
  EXPECT_LT(fs::file_size(file_ + "-wal") - size, 40'000U);
}

TEST_F(StateStoreTest, ACopyServesElsewhere) {
  auto store = Open();
  ASSERT_TRUE(store->Save(SampleLedger(1)));
  fs::create_directory(directory_ / "copy");
  for (const char* part : {"tidegauge.db", "tidegauge.db-wal"}) {
    fs::copy_file(fs::path(state_) / part, fs::path(directory_ / "copy") / part);
  }
  auto copy = StateStore::Open(directory_ / "copy");
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_TRUE(Same(*(*copy)->Load(), SampleLedger(1)));
}

TEST_F(StateStoreTest, TenThousandPartitionsAreCheap) {
  Ledger ledger;
  for (int topic = 0; topic < 100; ++topic) {
    const std::string name = fmt::format("topic{}", topic);
    auto& life = ledger.incarnations[{"lab-1", name}].emplace_back();
    for (int p = 0; p < 100; ++p) {
      life.log_end[p] = 1'000'000 + p;
      ledger.bindings[{"q" + name, name, ""}].position[p] = 1'000'000;
      for (int i = 0; i < 8; ++i) {
        ledger.log_start_rates[{"lab-1", name}][p].push_back({At(1'796'009'000'000 + i), i * 1000});
        ledger.position_rates[{"q" + name, name, ""}][p].push_back({At(1'796'009'000'000 + i), i});
      }
    }
  }
  auto store = Open();
  ASSERT_TRUE(store->Save(ledger));
  for (auto& [topic, lives] : ledger.incarnations) lives[0].last_seen = At(1);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(store->Save(ledger));
  const auto took = std::chrono::steady_clock::now() - start;
  // About 10 ms; the bound only catches a row for each partition, also under a sanitizer.
  EXPECT_LT(took, std::chrono::seconds(2));
  RecordProperty("save_microseconds", std::to_string(took / std::chrono::microseconds(1)));
  EXPECT_TRUE(Same(*store->Load(), ledger));
}

// ---------------------------------------------------------------- faults

TEST_F(StateStoreTest, KilledAtAnyMomentTheLastSavedLedgerIsThere) {
  for (int round = 0; round < 8; ++round) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto store = StateStore::Open(state_);
      if (!store || !(*store)->Load()) ::_exit(1);
      for (std::int64_t n = round * 1000;; ++n) {
        if (!(*store)->Save(SampleLedger(n))) ::_exit(2);
        if (::write(pipe[1], &n, sizeof(n)) != sizeof(n)) ::_exit(3);
      }
    }
    ::close(pipe[1]);
    std::int64_t last = -1;
    for (int i = 0; i <= round; ++i) ASSERT_EQ(::read(pipe[0], &last, sizeof(last)), 8);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    while (::read(pipe[0], &last, sizeof(last)) == 8) {
    }
    ::close(pipe[0]);

    const Ledger found = Reopened();
    const std::int64_t n = found.queries.begin()->second.newest_batch;
    EXPECT_TRUE(Same(found, SampleLedger(n)));
    EXPECT_TRUE(n == last || n == last + 1) << n << " after " << last;
  }
}

TEST_F(StateStoreTest, AFullDiskIsAnErrorAndTheNextSaveWritesEverything) {
  auto store = Open();
  ASSERT_TRUE(store->Save(SampleLedger(1)));

  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit full{fs::file_size(file_ + "-wal") + 100, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &full);
  auto first = store->Save(SampleLedger(2, "b"));
  auto second = store->Save(SampleLedger(3, "c"));
  ::setrlimit(RLIMIT_FSIZE, &before);

  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(first.error().message, HasSubstr(file_));
  EXPECT_FALSE(second);
  EXPECT_TRUE(Same(*StateStore::ReadCopy(state_), SampleLedger(1))) << "nothing was half written";

  ASSERT_TRUE(store->Save(SampleLedger(3, "c")));
  store.reset();
  EXPECT_TRUE(Same(Reopened(), SampleLedger(3, "c")));
}

TEST_F(StateStoreTest, AFileThatWasMovedAwayIsNotWrittenInSecret) {
  auto store = Open();
  fs::rename(file_, file_ + ".bad");
  auto saved = store->Save(SampleLedger(1));
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr("removed or replaced"));
}

TEST_F(StateStoreTest, ARowThatCannotBeReadIsCorrupt) {
  ASSERT_TRUE(Open()->Save(SampleLedger(1)));
  Execute("UPDATE binding SET position = '0=x'");
  auto ledger = Open()->Load();
  ASSERT_FALSE(ledger);
  EXPECT_EQ(ledger.error().kind, ErrorKind::kCorrupt);
  EXPECT_THAT(ledger.error().message, HasSubstr("row in binding"));
  EXPECT_THAT(ledger.error().message, HasSubstr("mv '"));
}

// ---------------------------------------------------------------- several processes

TEST_F(StateStoreTest, ASecondOwnerIsRefusedAndToldWhoHasIt) {
  auto store = Open();
  const Error error = OpenError();
  EXPECT_EQ(error.kind, ErrorKind::kUnavailable);
  EXPECT_THAT(error.message,
              HasSubstr(fmt::format("in use by another tidegauge (process {})", ::getpid())));
  store.reset();
  EXPECT_NE(Open(), nullptr);
}

TEST_F(StateStoreTest, OthersReadACopyWhileItIsOwned) {
  EXPECT_EQ(StateStore::ReadCopy(state_).error().kind, ErrorKind::kNotFound);
  auto store = Open();
  ASSERT_TRUE(store->Save(SampleLedger(1)));
  auto copy = StateStore::ReadCopy(state_);
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_TRUE(Same(*copy, SampleLedger(1)));
  ASSERT_TRUE(store->Save(SampleLedger(2)));
  EXPECT_TRUE(Same(*StateStore::ReadCopy(state_), SampleLedger(2)));
}

TEST_F(StateStoreTest, AnAcknowledgementOfAnotherProcessIsSeenOnceAndKept) {
  auto store = Open();
  Ledger ledger = SampleLedger(1);
  ASSERT_TRUE(store->Save(ledger));
  const Acknowledgement made{{"records_skipped", "q", "main", "t", ""}, "bob", "replayed", At(5)};
  ASSERT_TRUE(StateStore::Acknowledge(state_, made));
  // A save that does not know of it yet leaves it alone.
  ledger.queries["new"] = {};
  ASSERT_TRUE(store->Save(ledger));

  auto fresh = store->PollAcknowledgements();
  ASSERT_TRUE(fresh) << fresh.error().message;
  ASSERT_EQ(fresh->size(), 1U);
  EXPECT_EQ(fresh->front(), made);
  EXPECT_TRUE(store->PollAcknowledgements()->empty());

  ledger.acknowledgements.push_back(made);
  ASSERT_TRUE(store->Save(ledger));
  store.reset();
  EXPECT_EQ(Reopened().acknowledgements, ledger.acknowledgements);
}

TEST_F(StateStoreTest, AnAcknowledgementThatTheLedgerDroppedIsDeleted) {
  auto store = Open();
  Ledger ledger = SampleLedger(1);
  ASSERT_TRUE(store->Save(ledger));
  ledger.acknowledgements.pop_back();
  ASSERT_TRUE(store->Save(ledger));
  EXPECT_EQ(StateStore::ReadCopy(state_)->acknowledgements, ledger.acknowledgements);
  EXPECT_TRUE(store->PollAcknowledgements()->empty());
}

TEST_F(StateStoreTest, WithoutAnOwnerAnAcknowledgementWaits) {
  EXPECT_EQ(StateStore::Acknowledge(state_, {}).error().kind, ErrorKind::kNotFound);
  (void)Open();
  const Acknowledgement made{{"records_skipped", "q", "", "", ""}, "bob", "ok", At(5)};
  ASSERT_TRUE(StateStore::Acknowledge(state_, made));
  EXPECT_THAT(Reopened().acknowledgements, ::testing::ElementsAre(made));
}

}  // namespace
}  // namespace tidegauge
