#include "daemon/state/state_store.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "daemon/state/database.h"
#include "daemon/state/ledger_sql.h"
#include "daemon/state/state_file.h"

namespace tidegauge {
namespace {

std::size_t HashOf(const Row& row) {
  std::size_t hash = row.size();
  for (const Value& value : row) {
    hash ^= std::hash<Value>()(value) + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  }
  return hash;
}

Row KeyOf(const Row& row, std::size_t table) {
  return {row.begin(), row.begin() + static_cast<std::ptrdiff_t>(LedgerTables()[table].keys)};
}

}  // namespace

/// From what the file holds to what a ledger says.
struct StateStore::Changes {
  struct Table {
    std::vector<Row> put;
    std::vector<Row> deleted;  ///< keys
    Hashes hashes;             ///< of all rows, afterwards
  };
  std::vector<Table> tables;
  std::vector<Acknowledgement> made;
  NumberedAcknowledgements kept;
  std::vector<std::int64_t> dropped;

  bool empty() const {
    return made.empty() && dropped.empty() && std::ranges::all_of(tables, [](const Table& table) {
             return table.put.empty() && table.deleted.empty();
           });
  }
};

StateStore::StateStore(std::string directory, OwnerLock lock, std::unique_ptr<Database> database)
    : directory_(std::move(directory)),
      lock_(std::move(lock)),
      database_(std::move(database)),
      saved_(LedgerTables().size()) {}

StateStore::~StateStore() = default;

Result<std::unique_ptr<StateStore>> StateStore::Open(const std::string& directory) {
  if (Result<void> made = MakeStateDirectory(directory); !made) {
    return std::unexpected(made.error());
  }
  Result<OwnerLock> lock = OwnerLock::Take(directory);
  if (!lock) return std::unexpected(WithAdvice(lock.error(), directory));
  Result<std::unique_ptr<Database>> database = OpenOwnedStateFile(directory);
  if (!database) return std::unexpected(database.error());
  return std::unique_ptr<StateStore>(
      new StateStore(directory, std::move(*lock), std::move(*database)));
}

Result<Ledger> StateStore::ReadCopy(const std::string& directory) {
  Result<std::unique_ptr<Database>> database = OpenStateFile(directory, Database::Mode::kRead);
  if (!database) return std::unexpected(database.error());
  Result<Remembered> remembered = ReadLedger(**database);
  if (!remembered) return std::unexpected(WithAdvice(remembered.error(), directory));
  return std::move(remembered->ledger);
}

Result<void> StateStore::Acknowledge(const std::string& directory,
                                     const Acknowledgement& acknowledgement) {
  Result<std::unique_ptr<Database>> database = OpenStateFile(directory, Database::Mode::kWrite);
  if (!database) return std::unexpected(database.error());
  Result<void> inserted = InsertAcknowledgement(**database, acknowledgement);
  if (!inserted) return std::unexpected(WithAdvice(inserted.error(), directory));
  return {};
}

Result<Ledger> StateStore::Load() {
  Result<Remembered> remembered = ReadLedger(*database_);
  if (!remembered) return std::unexpected(WithAdvice(remembered.error(), directory_));
  std::vector<Hashes> hashes(LedgerTables().size());
  ForEachRow(remembered->ledger, [&](std::size_t table, const Row& row) {
    hashes[table].emplace(KeyOf(row, table), HashOf(row));
  });
  saved_ = std::move(hashes);
  shown_ = std::move(remembered->acknowledgements);
  return std::move(remembered->ledger);
}

StateStore::Changes StateStore::Compare(const Ledger& ledger) const {
  Changes changes;
  changes.tables.resize(saved_.size());
  ForEachRow(ledger, [&](std::size_t table, Row row) {
    Row key = KeyOf(row, table);
    const std::size_t hash = HashOf(row);
    auto before = saved_[table].find(key);
    if (before == saved_[table].end() || before->second != hash) {
      changes.tables[table].put.push_back(std::move(row));
    }
    changes.tables[table].hashes.emplace(std::move(key), hash);
  });
  for (std::size_t table = 0; table < saved_.size(); ++table) {
    auto& [put, deleted, hashes] = changes.tables[table];
    for (const auto& [key, hash] : saved_[table]) {
      if (!hashes.contains(key)) deleted.push_back(key);
    }
  }

  NumberedAcknowledgements unmatched = shown_;
  for (const Acknowledgement& one : ledger.acknowledgements) {
    auto known = std::ranges::find(unmatched, one, &NumberedAcknowledgements::value_type::second);
    if (known == unmatched.end()) {
      changes.made.push_back(one);
    } else {
      changes.kept.push_back(std::move(*known));
      unmatched.erase(known);
    }
  }
  for (const auto& [seq, one] : unmatched) changes.dropped.push_back(seq);
  return changes;
}

/// Returns the acknowledgements that are shown from now on.
Result<NumberedAcknowledgements> StateStore::Write(const Changes& changes) {
  Result<Transaction> transaction = Transaction::Begin(*database_, Transaction::Kind::kWrite);
  if (!transaction) return std::unexpected(transaction.error());
  for (std::size_t i = 0; i < changes.tables.size(); ++i) {
    const LedgerTable& table = LedgerTables()[i];
    Result<void> done = DeleteRows(*database_, table, changes.tables[i].deleted);
    if (done) done = PutRows(*database_, table, changes.tables[i].put);
    if (!done) return std::unexpected(done.error());
  }
  for (std::int64_t seq : changes.dropped) {
    Result<void> deleted = DeleteAcknowledgement(*database_, seq);
    if (!deleted) return std::unexpected(deleted.error());
  }
  NumberedAcknowledgements shown = changes.kept;
  for (const Acknowledgement& one : changes.made) {
    Result<void> inserted = InsertAcknowledgement(*database_, one);
    if (!inserted) return std::unexpected(inserted.error());
    shown.emplace_back(database_->last_insert_id(), one);
  }
  Result<void> committed = transaction->Commit();
  if (!committed) return std::unexpected(committed.error());
  return shown;
}

Result<void> StateStore::Save(const Ledger& ledger) {
  if (database_->HasMoved()) {
    return Fail(
        ErrorKind::kUnavailable,
        fmt::format("{} was removed or replaced; restart tidegauge to use what is there now",
                    database_->path()));
  }
  Changes changes = Compare(ledger);
  if (changes.empty()) return {};
  Result<NumberedAcknowledgements> shown = Write(changes);
  if (!shown) return std::unexpected(WithAdvice(shown.error(), directory_));
  for (std::size_t i = 0; i < saved_.size(); ++i) saved_[i] = std::move(changes.tables[i].hashes);
  shown_ = std::move(*shown);
  return {};
}

Result<std::vector<Acknowledgement>> StateStore::PollAcknowledgements() {
  Result<NumberedAcknowledgements> all = ReadAcknowledgements(*database_);
  if (!all) return std::unexpected(WithAdvice(all.error(), directory_));
  std::set<std::int64_t> known;
  for (const auto& [seq, one] : shown_) known.insert(seq);
  std::vector<Acknowledgement> fresh;
  for (auto& [seq, one] : *all) {
    if (known.contains(seq)) continue;
    fresh.push_back(one);
    shown_.emplace_back(seq, std::move(one));
  }
  return fresh;
}

}  // namespace tidegauge
