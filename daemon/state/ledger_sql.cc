#include "daemon/state/ledger_sql.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tidegauge {
namespace {

Error BadRow(const Database& database, std::string_view table) {
  return {ErrorKind::kCorrupt,
          fmt::format("{} has a row in {} that cannot be read", database.path(), table)};
}

/// Hands every row that `sql` gives to `add`, which says whether it could be read.
Result<void> ReadRows(Database& database, std::string_view table, const std::string& sql,
                      const std::function<bool(Row)>& add) {
  Result<Database::Statement> statement = database.Prepare(sql);
  if (!statement) return std::unexpected(statement.error());
  while (true) {
    Result<Row> row = statement->Next();
    if (!row) return std::unexpected(row.error());
    if (row->empty()) return {};
    if (!add(std::move(*row))) return std::unexpected(BadRow(database, table));
  }
}

/// `?, ?, ?`
std::string Marks(std::size_t count) {
  return fmt::format("{}", fmt::join(std::vector<char>(count, '?'), ", "));
}

}  // namespace

Result<NumberedAcknowledgements> ReadAcknowledgements(Database& database) {
  NumberedAcknowledgements found;
  const std::string sql = fmt::format("SELECT {}, seq FROM acknowledgement ORDER BY seq",
                                      fmt::join(AcknowledgementColumns(), ", "));
  Result<void> read = ReadRows(database, "acknowledgement", sql, [&](Row row) {
    auto& [seq, acknowledgement] = found.emplace_back();
    return FromValue(row.back(), seq) && FromRow(row, acknowledgement);
  });
  if (!read) return std::unexpected(read.error());
  return found;
}

Result<Remembered> ReadLedger(Database& database) {
  Result<Transaction> transaction = Transaction::Begin(database, Transaction::Kind::kRead);
  if (!transaction) return std::unexpected(transaction.error());
  Remembered remembered;
  for (std::size_t i = 0; i < LedgerTables().size(); ++i) {
    const auto& [name, columns, keys] = LedgerTables()[i];
    const std::string sql = fmt::format(
        "SELECT {} FROM {} ORDER BY {}", fmt::join(columns, ", "), name,
        fmt::join(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(keys), ", "));
    Result<void> read = ReadRows(database, name, sql,
                                 [&](const Row& row) { return AddRow(remembered.ledger, i, row); });
    if (!read) return std::unexpected(read.error());
  }
  Result<NumberedAcknowledgements> acknowledgements = ReadAcknowledgements(database);
  if (!acknowledgements) return std::unexpected(acknowledgements.error());
  for (const auto& [seq, one] : *acknowledgements) {
    remembered.ledger.acknowledgements.push_back(one);
  }
  remembered.acknowledgements = std::move(*acknowledgements);
  return remembered;
}

Result<void> PutRows(Database& database, const LedgerTable& table, const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  Result<Database::Statement> statement =
      database.Prepare(fmt::format("INSERT OR REPLACE INTO {} ({}) VALUES ({})", table.name,
                                   fmt::join(table.columns, ", "), Marks(table.columns.size())));
  if (!statement) return std::unexpected(statement.error());
  for (const Row& row : rows) {
    if (Result<void> put = statement->Run(row); !put) return put;
  }
  return {};
}

Result<void> DeleteRows(Database& database, const LedgerTable& table,
                        const std::vector<Row>& keys) {
  if (keys.empty()) return {};
  std::vector<std::string> conditions;
  conditions.reserve(table.keys);
  for (std::size_t i = 0; i < table.keys; ++i) conditions.push_back(table.columns[i] + " = ?");
  Result<Database::Statement> statement = database.Prepare(
      fmt::format("DELETE FROM {} WHERE {}", table.name, fmt::join(conditions, " AND ")));
  if (!statement) return std::unexpected(statement.error());
  for (const Row& key : keys) {
    if (Result<void> deleted = statement->Run(key); !deleted) return deleted;
  }
  return {};
}

Result<void> InsertAcknowledgement(Database& database, const Acknowledgement& acknowledgement) {
  const std::vector<std::string>& columns = AcknowledgementColumns();
  Result<Database::Statement> statement =
      database.Prepare(fmt::format("INSERT INTO acknowledgement ({}) VALUES ({})",
                                   fmt::join(columns, ", "), Marks(columns.size())));
  if (!statement) return std::unexpected(statement.error());
  return statement->Run(ToRow(acknowledgement));
}

Result<void> DeleteAcknowledgement(Database& database, std::int64_t number) {
  return database.Execute(fmt::format("DELETE FROM acknowledgement WHERE seq = {}", number));
}

}  // namespace tidegauge
