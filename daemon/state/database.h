// SQLite behind values: the only file of this program that calls it is database.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/model.h"
#include "core/result.h"
#include "daemon/state/column.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tidegauge {

/// One connection to a database file. Errors name the file: kNotFound, kDenied, kCorrupt (no
/// database, or a broken one), kUnavailable (locked for longer than the timeout, disk full, input
/// and output).
///
/// One thread at a time.
class Database {
 public:
  enum class Mode { kRead, kWrite, kCreate };

  class Statement {
   public:
    /// Runs it to the end with `values` bound in order; any rows are thrown away.
    Result<void> Run(const std::vector<Value>& values);
    /// The next row, without values at the end.
    Result<std::vector<Value>> Next();

   private:
    friend class Database;
    struct Finalize {
      void operator()(sqlite3_stmt* statement) const;
    };
    Statement(const Database& database, sqlite3_stmt* statement)
        : database_(&database), statement_(statement) {}

    const Database* database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  };

  /// `timeout`: how long to wait for another process that writes.
  static Result<std::unique_ptr<Database>> Open(const std::string& path, Mode mode,
                                                Duration timeout);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  /// May hold several statements.
  Result<void> Execute(const std::string& sql);
  /// Must not outlive the database.
  Result<Statement> Prepare(const std::string& sql);
  /// The one value of a one-row, one-column answer.
  Result<Value> Ask(const std::string& sql);
  std::int64_t last_insert_id() const;
  /// The file is no longer the one that `path` names: what is written reaches nobody.
  bool HasMoved() const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(std::string path) : path_(std::move(path)) {}
  Error LastError(int code) const;

  std::string path_;
  std::unique_ptr<sqlite3, Close> connection_;
};

/// Everything between its creation and Commit happens wholly or not at all.
class Transaction {
 public:
  enum class Kind { kRead, kWrite };

  static Result<Transaction> Begin(Database& database, Kind kind);
  /// Rolls back what was not committed.
  ~Transaction();
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;

  Result<void> Commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;
};

}  // namespace tidegauge
