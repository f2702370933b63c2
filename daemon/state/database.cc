#include "daemon/state/database.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sqlite3.h>

namespace tidegauge {
namespace {

ErrorKind KindOfSystemError(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return ErrorKind::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorKind::kDenied;
    default:
      return ErrorKind::kUnavailable;
  }
}

ErrorKind KindOf(int code, int system_error) {
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorKind::kCorrupt;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return ErrorKind::kDenied;
    case SQLITE_CANTOPEN:
      return KindOfSystemError(system_error);
    default:
      return ErrorKind::kUnavailable;
  }
}

int OpenFlags(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::kRead:
      return SQLITE_OPEN_READONLY;
    case Database::Mode::kWrite:
      return SQLITE_OPEN_READWRITE;
    case Database::Mode::kCreate:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return 0;
}

int Bind(sqlite3_stmt* statement, int index, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return sqlite3_bind_int64(statement, index, *number);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  }
  return sqlite3_bind_null(statement, index);
}

Value Column(sqlite3_stmt* statement, int index) {
  switch (sqlite3_column_type(statement, index)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, index)};
    default: {
      const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, index));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, index));
      return text == nullptr ? std::string() : std::string(text, size);
    }
  }
}

}  // namespace

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

void Database::Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Error Database::LastError(int code) const {
  const int system_error = connection_ ? sqlite3_system_errno(connection_.get()) : 0;
  std::string why = connection_ ? sqlite3_errmsg(connection_.get()) : sqlite3_errstr(code);
  const int primary = code & 0xff;
  if (system_error != 0 && (primary == SQLITE_CANTOPEN || primary == SQLITE_IOERR)) {
    why += fmt::format(" ({})", std::strerror(system_error));
  }
  return {KindOf(code, system_error), fmt::format("{}: {}", path_, why)};
}

Result<std::unique_ptr<Database>> Database::Open(const std::string& path, Mode mode,
                                                 Duration timeout) {
  std::unique_ptr<Database> database(new Database(path));
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &connection, OpenFlags(mode), nullptr);
  database->connection_.reset(connection);
  if (code != SQLITE_OK) return std::unexpected(database->LastError(code));
  // A file that may not be written is opened all the same, for reading.
  if (mode != Mode::kRead && sqlite3_db_readonly(connection, "main") == 1) {
    return Fail(ErrorKind::kDenied, fmt::format("{} may not be written", path));
  }
  sqlite3_busy_timeout(connection, static_cast<int>(timeout.count()));
  return database;
}

Result<void> Database::Execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return std::unexpected(LastError(code));
  return {};
}

Result<Database::Statement> Database::Prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.c_str(), -1, &statement, nullptr);
  if (code != SQLITE_OK) return std::unexpected(LastError(code));
  return Statement(*this, statement);
}

Result<void> Database::Statement::Run(const std::vector<Value>& values) {
  int index = 0;
  for (const Value& value : values) {
    const int code = Bind(statement_.get(), ++index, value);
    if (code != SQLITE_OK) return std::unexpected(database_->LastError(code));
  }
  int code = SQLITE_ROW;
  while (code == SQLITE_ROW) code = sqlite3_step(statement_.get());
  Result<void> result;
  if (code != SQLITE_DONE) result = std::unexpected(database_->LastError(code));
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  return result;
}

Result<std::vector<Value>> Database::Statement::Next() {
  const int code = sqlite3_step(statement_.get());
  std::vector<Value> row;
  if (code == SQLITE_DONE) return row;
  if (code != SQLITE_ROW) return std::unexpected(database_->LastError(code));
  for (int i = 0; i < sqlite3_column_count(statement_.get()); ++i) {
    row.push_back(Column(statement_.get(), i));
  }
  return row;
}

Result<Value> Database::Ask(const std::string& sql) {
  Result<Statement> statement = Prepare(sql);
  if (!statement) return std::unexpected(statement.error());
  Result<std::vector<Value>> row = statement->Next();
  if (!row) return std::unexpected(row.error());
  return row->empty() ? Value() : row->front();
}

std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(connection_.get());
}

bool Database::HasMoved() const {
  int moved = 0;
  sqlite3_file_control(connection_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

Result<Transaction> Transaction::Begin(Database& database, Kind kind) {
  Result<void> begun = database.Execute(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN");
  if (!begun) return std::unexpected(begun.error());
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // Fails where SQLite has rolled back already: then there is nothing left to do.
  [[maybe_unused]] const Result<void> rolled_back = database_->Execute("ROLLBACK");
}

Result<void> Transaction::Commit() {
  Result<void> committed = database_->Execute("COMMIT");
  if (committed) database_ = nullptr;
  return committed;
}

}  // namespace tidegauge
