// The ledger as rows of tables. Knows no database.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/history/ledger.h"
#include "daemon/state/column.h"

namespace tidegauge {

using Row = std::vector<Value>;

struct LedgerTable {
  std::string name;
  std::vector<std::string> columns;
  std::size_t keys = 0;  ///< how many columns, the first ones, tell its rows apart
};

/// All of the ledger but the acknowledgements, which other processes write too.
const std::vector<LedgerTable>& LedgerTables();

/// Every row of `ledger`; `table` is an index into LedgerTables(). A topic key without incarnations
/// has none. A finding's key is the one it is filed under.
void ForEachRow(const Ledger& ledger, const std::function<void(std::size_t table, Row row)>& sink);

/// The other way; rows of one table come in the order of their keys. False: that is no row of it.
bool AddRow(Ledger& ledger, std::size_t table, const Row& row);

/// The same for acknowledgements, whose key is a number outside the ledger.
const std::vector<std::string>& AcknowledgementColumns();
Row ToRow(const Acknowledgement& acknowledgement);
bool FromRow(const Row& row, Acknowledgement& acknowledgement);

}  // namespace tidegauge
