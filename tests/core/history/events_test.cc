#include "core/history/events.h"

#include <gmock/gmock.h>

namespace tidegauge {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::SizeIs;
using namespace std::chrono_literals;

void Note(Ledger& ledger, Duration at, const std::string& query) {
  NoteEvent(ledger, {.at = Time(at), .key = {.kind = "topic_missing", .query = query}});
}

TEST(Events, AreNumberedOn) {
  Ledger ledger;
  ledger.events[41] = {.at = Time(1s)};
  Note(ledger, 2s, "a");
  EXPECT_EQ(ledger.events.at(42).at, Time(2s));
}

TEST(Events, TheOldestOfAQueryGoFirst_AndNoOtherQuerys) {
  Ledger ledger;
  Note(ledger, 0s, "quiet");
  for (std::size_t i = 0; i <= kEventsPerQuery; ++i) Note(ledger, Duration(i + 1), "loud");
  EXPECT_THAT(ledger.events, SizeIs(1 + kEventsPerQuery));
  EXPECT_EQ(ledger.events.begin()->second.key.query, "quiet");
  EXPECT_EQ(std::next(ledger.events.begin())->second.at, Time(2ms));
}

TEST(Events, AreForgottenWhenTheyAreOld) {
  Ledger ledger;
  Note(ledger, 0s, "a");
  Note(ledger, kEventsRemembered, "b");
  EXPECT_THAT(ledger.events, SizeIs(2));
  Note(ledger, kEventsRemembered + 1ms, "b");
  EXPECT_THAT(ledger.events, SizeIs(2));
}

TEST(HistoryOf, IsNewestFirst_WithAcknowledgements) {
  Ledger ledger;
  Note(ledger, 1s, "a");
  Note(ledger, 3s, "a");
  Note(ledger, 3s, "b");
  ledger.acknowledgements = {{.key = {.kind = "records_skipped", .query = "a"},
                              .who = "ann",
                              .why = "replayed",
                              .at = Time(2s)}};
  const std::vector<Event> history = HistoryOf(ledger);
  EXPECT_THAT(history, ElementsAre(Field(&Event::at, Time(3s)), Field(&Event::at, Time(3s)),
                                   Field(&Event::at, Time(2s)), Field(&Event::at, Time(1s))));
  EXPECT_EQ(history[0].key.query, "b") << "of the same moment: the later";
  EXPECT_EQ(history[2].type, EventType::kAcknowledged);
  EXPECT_EQ(history[2].text, "by ann: replayed");
}

}  // namespace
}  // namespace tidegauge
