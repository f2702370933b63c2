#include "daemon/state/ledger_rows.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/daemon/state/sample_ledger.h"

namespace tidegauge {
namespace {

/// The ledger again, from its own rows.
Ledger ThereAndBack(const Ledger& ledger) {
  Ledger back;
  ForEachRow(ledger, [&](std::size_t table, const Row& row) {
    EXPECT_EQ(row.size(), LedgerTables()[table].columns.size());
    EXPECT_TRUE(AddRow(back, table, row)) << LedgerTables()[table].name;
  });
  for (const Acknowledgement& one : ledger.acknowledgements) {
    EXPECT_TRUE(FromRow(ToRow(one), back.acknowledgements.emplace_back()));
  }
  return back;
}

TEST(LedgerRows, EveryFieldSurvives) {
  EXPECT_TRUE(Same(ThereAndBack(SampleLedger(42)), SampleLedger(42)));
  EXPECT_FALSE(Same(ThereAndBack(SampleLedger(42)), SampleLedger(43)));
  EXPECT_TRUE(Same(ThereAndBack({}), {}));
}

TEST(LedgerRows, TheSampleHasARowInEveryTable) {
  std::set<std::size_t> tables;
  ForEachRow(SampleLedger(1), [&](std::size_t table, const Row&) { tables.insert(table); });
  EXPECT_EQ(tables.size(), LedgerTables().size());
}

TEST(LedgerRows, ARowOfAnotherShapeIsRefused) {
  ForEachRow(SampleLedger(1), [](std::size_t table, Row row) {
    Ledger ledger;
    EXPECT_FALSE(AddRow(ledger, table, {}));
    row.pop_back();
    EXPECT_FALSE(AddRow(ledger, table, row));
    EXPECT_FALSE(AddRow(ledger, LedgerTables().size(), row));
    EXPECT_TRUE(Same(ledger, {}));
  });
}

}  // namespace
}  // namespace tidegauge
