// A state directory for tests.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "daemon/state/database.h"
#include "daemon/state/state_store.h"
#include "tests/daemon/temp_directory.h"

namespace tidegauge {

class StateDirectoryTest : public ::testing::Test {
 protected:
  std::unique_ptr<StateStore> Open() {
    auto store = StateStore::Open(state_);
    EXPECT_TRUE(store) << store.error().message;
    return store ? std::move(*store) : nullptr;
  }

  /// What a new process would find.
  Ledger Reopened() {
    auto ledger = Open()->Load();
    EXPECT_TRUE(ledger) << ledger.error().message;
    return ledger.value_or(Ledger{});
  }

  Error OpenError() {
    auto store = StateStore::Open(state_);
    EXPECT_FALSE(store);
    return store ? Error{} : store.error();
  }

  void Execute(const std::string& sql) {
    auto database = Database::Open(file_, Database::Mode::kCreate, Duration(0));
    ASSERT_TRUE(database);
    auto done = (*database)->Execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }

  TempDirectory directory_;
  std::string state_ = directory_ / "state";
  std::string file_ = state_ + "/tidegauge.db";
};

}  // namespace tidegauge
