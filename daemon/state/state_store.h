// The ledger on disk: one SQLite file in the state directory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/history/ledger.h"
#include "core/result.h"
#include "daemon/state/database.h"
#include "daemon/state/ledger_rows.h"
#include "daemon/state/ledger_sql.h"
#include "daemon/state/owner_lock.h"

namespace tidegauge {

/// Owns a state directory: nobody else can, in this or another process, until this is destroyed or
/// its process ends. Others may read a copy and add acknowledgements meanwhile.
///
/// What was saved survives kill -9 and loss of power at any moment: afterwards Load gives what one
/// Save wrote, whole. The file names no host: a copy (with its -wal) serves elsewhere.
///
/// Every error's message names the file and what to do. One thread at a time.
class StateStore {
 public:
  /// Takes over `directory`, which is made if only its last component is missing.
  /// Errors: kUnavailable, another process owns it, or input and output fail; kDenied, not
  /// writable; kNotFound, its parent is missing; kCorrupt, the file is no state file or broken;
  /// kUnsupported, a newer program wrote it; kInvalid, not a directory.
  static Result<std::unique_ptr<StateStore>> Open(const std::string& directory);

  /// What is remembered in `directory`, whoever owns it. Changes nothing.
  /// Errors: those of Open, but for ownership; kNotFound: nothing is remembered there.
  static Result<Ledger> ReadCopy(const std::string& directory);

  /// Adds one for the owner of `directory`, if there is one, to see. Errors: as ReadCopy, and
  /// kDenied.
  static Result<void> Acknowledge(const std::string& directory,
                                  const Acknowledgement& acknowledgement);

  ~StateStore();
  StateStore(const StateStore&) = delete;
  StateStore& operator=(const StateStore&) = delete;

  /// What was last saved, with every acknowledgement there is.
  Result<Ledger> Load();

  /// Makes the file equal to `ledger`: all of it or, with an error, nothing. Writes only what
  /// changed since the last Save or Load that worked. Acknowledgements that this store has not
  /// shown yet stay.
  Result<void> Save(const Ledger& ledger);

  /// Lets another process own the directory from now on: for an end that cannot wait for the thread
  /// that uses this. Any thread; nothing may be saved afterwards.
  void GiveUp() const { lock_.Release(); }

  /// The acknowledgements that others made since they were last shown. The caller puts them into
  /// its ledger: one that was shown and is missing from the next Save is deleted.
  Result<std::vector<Acknowledgement>> PollAcknowledgements();

 private:
  /// Of each row, by its key, what it was.
  using Hashes = std::map<Row, std::size_t>;
  struct Changes;

  StateStore(std::string directory, OwnerLock lock, std::unique_ptr<Database> database);
  Changes Compare(const Ledger& ledger) const;
  Result<NumberedAcknowledgements> Write(const Changes& changes);

  std::string directory_;
  OwnerLock lock_;
  std::unique_ptr<Database> database_;
  std::vector<Hashes> saved_;  ///< by table
  NumberedAcknowledgements shown_;
};

}  // namespace tidegauge
