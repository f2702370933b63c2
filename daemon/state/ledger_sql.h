// The ledger's rows in and out of a database.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/history/ledger.h"
#include "core/result.h"
#include "daemon/state/database.h"
#include "daemon/state/ledger_rows.h"

namespace tidegauge {

/// Acknowledgements with the number of their row, in the order they were made.
using NumberedAcknowledgements = std::vector<std::pair<std::int64_t, Acknowledgement>>;

struct Remembered {
  Ledger ledger;  ///< with the acknowledgements
  NumberedAcknowledgements acknowledgements;
};

/// Each of these returns the errors of Database, and kCorrupt for a row that cannot be read.
Result<Remembered> ReadLedger(Database& database);
Result<NumberedAcknowledgements> ReadAcknowledgements(Database& database);

Result<void> PutRows(Database& database, const LedgerTable& table, const std::vector<Row>& rows);
Result<void> DeleteRows(Database& database, const LedgerTable& table, const std::vector<Row>& keys);
Result<void> InsertAcknowledgement(Database& database, const Acknowledgement& acknowledgement);
Result<void> DeleteAcknowledgement(Database& database, std::int64_t number);

}  // namespace tidegauge
