#include "daemon/state/state_file.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/state/schema.h"

namespace tidegauge {
namespace {

/// How long to wait for another process that writes: an acknowledgement takes milliseconds.
constexpr Duration kTimeout = std::chrono::seconds(5);

std::string StateFile(const std::string& directory) { return directory + "/tidegauge.db"; }

/// A root user who runs `check` once must not lock the daemon's own user out.
void GiveToOwnerOf(const std::string& directory) {
  struct stat status{};
  if (::geteuid() != 0 || ::stat(directory.c_str(), &status) != 0) return;
  for (const std::string& file : {StateFile(directory), directory + "/tidegauge.lock"}) {
    (void)!::lchown(file.c_str(), status.st_uid, status.st_gid);
  }
}

/// The version of a database that is one of ours, and not from a newer program.
Result<std::int64_t> VersionOf(Database& database) {
  Result<Value> id = database.Ask("PRAGMA application_id");
  if (!id) return std::unexpected(id.error());
  Result<Value> version = database.Ask("PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (*id != ToValue(kApplicationId)) {
    return Fail(
        ErrorKind::kCorrupt,
        fmt::format("{} is a database, but not a state file of tidegauge", database.path()));
  }
  const std::int64_t found = std::get<std::int64_t>(*version);
  if (found > kSchemaVersion) {
    return Fail(ErrorKind::kUnsupported,
                fmt::format("{} has version {} and this tidegauge knows versions up to {}: run the "
                            "newer one",
                            database.path(), found, kSchemaVersion));
  }
  if (found >= 1) return found;
  return Fail(ErrorKind::kCorrupt, fmt::format("{} has no version {}", database.path(), found));
}

/// Whether this program can read the database as it is.
Result<void> CheckIdentity(Database& database) {
  const Result<std::int64_t> version = VersionOf(database);
  if (!version) return std::unexpected(version.error());
  if (*version == kSchemaVersion) return {};
  return Fail(ErrorKind::kUnsupported,
              fmt::format("{} has version {}: the daemon of this tidegauge brings it to version {} "
                          "when it starts",
                          database.path(), *version, kSchemaVersion));
}

/// Brings an older file up to date, wholly or not at all.
Result<void> Migrate(Database& database) {
  Result<std::int64_t> version = VersionOf(database);
  if (!version) return std::unexpected(version.error());
  if (*version == kSchemaVersion) return {};
  Result<Transaction> transaction = Transaction::Begin(database, Transaction::Kind::kWrite);
  if (!transaction) return std::unexpected(transaction.error());
  for (std::int64_t from = *version; from < kSchemaVersion; ++from) {
    const char* step = kMigrations.at(static_cast<std::size_t>(from) - 1);
    if (Result<void> done = database.Execute(step); !done) return done;
  }
  Result<void> numbered = database.Execute(fmt::format("PRAGMA user_version = {}", kSchemaVersion));
  return numbered ? transaction->Commit() : numbered;
}

Result<void> CheckPages(Database& database) {
  Result<Value> verdict = database.Ask("PRAGMA quick_check(1)");
  if (!verdict) return std::unexpected(verdict.error());
  if (*verdict == Value(std::string("ok"))) return {};
  const auto* what = std::get_if<std::string>(&*verdict);
  return Fail(ErrorKind::kCorrupt, fmt::format("{} is broken: {}", database.path(),
                                               what == nullptr ? "no verdict" : *what));
}

Result<void> WriteSchema(Database& database) {
  Result<Transaction> transaction = Transaction::Begin(database, Transaction::Kind::kWrite);
  if (!transaction) return std::unexpected(transaction.error());
  Result<void> written =
      database.Execute(fmt::format("{}; PRAGMA application_id = {}; PRAGMA user_version = {}",
                                   kSchema, kApplicationId, kSchemaVersion));
  return written ? transaction->Commit() : written;
}

/// Makes the file under another name first: so a file that is there but empty or cut short is never
/// one that a start left half made.
Result<void> CreateStateFile(const std::string& file) {
  const std::string draft = file + ".new";
  // A log that a file moved away left behind would be taken for the new one's.
  for (const std::string& stale : {draft, draft + "-journal", file + "-wal", file + "-shm"}) {
    ::unlink(stale.c_str());
  }
  Result<std::unique_ptr<Database>> database =
      Database::Open(draft, Database::Mode::kCreate, kTimeout);
  if (!database) return std::unexpected(database.error());
  if (Result<void> written = WriteSchema(**database); !written) return written;
  database->reset();
  if (::rename(draft.c_str(), file.c_str()) == 0) return {};
  return Fail(ErrorKind::kUnavailable,
              fmt::format("{} cannot be made: {}", file, std::strerror(errno)));
}

std::int64_t SizeOf(const std::string& file) {
  struct stat status{};
  return ::stat(file.c_str(), &status) == 0 ? status.st_size : 0;
}

/// SQLite fills up a last page that is cut short. With a log such a page is rewritten from there.
Result<void> CheckLength(Database& database) {
  Result<Value> page = database.Ask("PRAGMA page_size");
  if (!page) return std::unexpected(page.error());
  if (SizeOf(database.path()) % std::get<std::int64_t>(*page) == 0) return {};
  return Fail(ErrorKind::kCorrupt, fmt::format("{} is cut short", database.path()));
}

/// FULL: what was saved survives loss of power too, for one fsync a poll.
Result<void> UseWriteAheadLog(Database& database) {
  Result<Value> mode = database.Ask("PRAGMA journal_mode = WAL");
  if (!mode) return std::unexpected(mode.error());
  if (*mode != Value(std::string("wal"))) {
    return Fail(ErrorKind::kUnavailable,
                fmt::format("{}: its file system cannot share memory; use a local directory",
                            database.path()));
  }
  return database.Execute("PRAGMA synchronous = FULL");
}

Result<std::unique_ptr<Database>> OpenOrCreate(const std::string& directory) {
  const std::string file = StateFile(directory);
  if (struct stat status{}; ::lstat(file.c_str(), &status) != 0 && errno == ENOENT) {
    if (Result<void> made = CreateStateFile(file); !made) return std::unexpected(made.error());
    GiveToOwnerOf(directory);
  }
  const bool closed_well = SizeOf(file + "-wal") == 0;
  Result<std::unique_ptr<Database>> database =
      Database::Open(file, Database::Mode::kWrite, kTimeout);
  if (!database) return database;
  Result<void> ready;
  if (auto version = VersionOf(**database); !version) ready = std::unexpected(version.error());
  if (ready && closed_well) ready = CheckLength(**database);
  if (ready) ready = CheckPages(**database);
  if (ready) ready = UseWriteAheadLog(**database);
  if (ready) ready = Migrate(**database);
  if (!ready) return std::unexpected(ready.error());
  return database;
}

}  // namespace

Error WithAdvice(Error error, const std::string& directory) {
  if (error.kind == ErrorKind::kCorrupt || error.kind == ErrorKind::kUnsupported) {
    error.message += fmt::format("; move it away to start without memory: mv '{0}' '{0}.bad'",
                                 StateFile(directory));
  } else if (error.kind == ErrorKind::kDenied) {
    error.message += fmt::format(
        "; run as the owner of {} or as root, or name another directory (--state.dir)", directory);
  }
  return error;
}

Result<void> MakeStateDirectory(const std::string& directory) {
  if (directory.empty()) return Fail(ErrorKind::kInvalid, "the state directory has no name");
  struct stat status{};
  if (::stat(directory.c_str(), &status) == 0 && !S_ISDIR(status.st_mode)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("state directory {} is not a directory", directory));
  }
  if (::mkdir(directory.c_str(), 0750) == 0 || errno == EEXIST) return {};
  const int error = errno;
  std::string what =
      fmt::format("state directory {} cannot be made: {}", directory, std::strerror(error));
  if (error == ENOENT) {
    return Fail(ErrorKind::kNotFound, what + "; make the directory above it first");
  }
  if (error == EACCES || error == EPERM || error == EROFS) {
    return Fail(ErrorKind::kDenied, fmt::format("{}; make it for this user: install -d -o {} '{}'",
                                                what, ::geteuid(), directory));
  }
  return Fail(ErrorKind::kUnavailable, what);
}

Result<std::unique_ptr<Database>> OpenOwnedStateFile(const std::string& directory) {
  Result<std::unique_ptr<Database>> database = OpenOrCreate(directory);
  if (!database) return std::unexpected(WithAdvice(database.error(), directory));
  return database;
}

Result<std::unique_ptr<Database>> OpenStateFile(const std::string& directory, Database::Mode mode) {
  Result<std::unique_ptr<Database>> database = Database::Open(StateFile(directory), mode, kTimeout);
  if (!database) return std::unexpected(WithAdvice(database.error(), directory));
  if (Result<void> known = CheckIdentity(**database); !known) {
    return std::unexpected(WithAdvice(known.error(), directory));
  }
  return database;
}

}  // namespace tidegauge
