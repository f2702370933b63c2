// One poll after the other: the cycle with its world, its memory and what surrounds both.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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

  /// Lets go of the memory on disk while a poll hangs, and may go on hanging: the process ends now.
  /// Any thread.
  void Abandon() const;

  /// Polls once. A failure to save is counted and shown in the report; the ledger goes on in
  /// memory.
  ReportPtr Poll(World& world, const Rules& rules);

 private:
  void TakeAcknowledgements();
  void Count(const Report& report);
  /// A cluster that is down shows when it last answered.
  void NoteSuccesses(Report& report);
  /// Counts and logs a failure of the memory on disk; again only once it has become another.
  bool Failed(std::string_view what, const Error& error);
  bool Save();

  std::unique_ptr<StateStore> store_;
  Ledger ledger_;
  std::uint64_t polls_ = 0;
  std::map<std::string, std::uint64_t> errors_;
  std::map<std::string, std::optional<Time>>
      last_success_;           ///< by the cluster's name in the configuration
  std::string state_problem_;  ///< why the memory on disk cannot be used; empty: it can
};

/// The present moment, to the millisecond.
Time Now();

}  // namespace tidegauge
