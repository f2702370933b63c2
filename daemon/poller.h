// One poll after the other: the cycle with its world, its memory and what surrounds both.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "config/config.h"
#include "core/history/ledger.h"
#include "core/report.h"
#include "core/result.h"
#include "core/world.h"
#include "daemon/state/state_store.h"

namespace tidegauge {

/// Used by one thread.
class Poller {
 public:
  /// `store` may be null: then what is learnt lasts as long as this object. `ledger` is what it
  /// remembers at the start.
  Poller(std::unique_ptr<StateStore> store, Ledger ledger);

  /// Polls once. A failure to save is counted and shown in the report; the ledger goes on in memory.
  ReportPtr Poll(World& world, const Rules& rules);

 private:
  void TakeAcknowledgements();
  void Count(const Report& report);
  bool Save();

  std::unique_ptr<StateStore> store_;
  Ledger ledger_;
  std::uint64_t polls_ = 0;
  std::map<std::string, std::uint64_t> errors_;
};

/// The present moment, to the millisecond.
Time Now();

}  // namespace tidegauge
