// Killed at any step of a poll, a daemon that starts again ends with the memory, findings and
// history that one without the accident has: nothing is lost, told twice or resolved.
#include <csignal>
#include <map>
#include <optional>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/daemon/state/sample_ledger.h"
#include "tests/daemon/state/state_directory.h"
#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

enum class Step { kTaken, kRead, kAsked, kDated, kJudged, kSaved };

/// The daemon's poll (poller.h), in the time and the world of a story.
class MortalDaemon : public Scenario {
 public:
  void PollWith(StateStore& store) {
    auto made = store.PollAcknowledgements();
    ASSERT_TRUE(made);
    for (Acknowledgement& one : *made) ledger.acknowledgements.push_back(std::move(one));
    MayDie(Step::kTaken);
    Poll();
    MayDie(Step::kJudged);
    ASSERT_TRUE(store.Save(ledger));
    MayDie(Step::kSaved);
  }

  Readings ReadCheckpoints(Time at) override {
    Readings readings = Scenario::ReadCheckpoints(at);
    MayDie(Step::kRead);
    return readings;
  }
  Answers Ask(const Questions& topics) override {
    Answers answers = Scenario::Ask(topics);
    MayDie(Step::kAsked);
    return answers;
  }
  StampAnswers AskStamps(const Questions& topics) override {
    StampAnswers answers = Scenario::AskStamps(topics);
    MayDie(Step::kDated);
    return answers;
  }

  std::optional<Step> dies_at;

 private:
  void MayDie(Step step) const {
    if (dies_at == step) ::kill(::getpid(), SIGKILL);
  }
};

class KilledPoll : public StateDirectoryTest, public ::testing::WithParamInterface<Step> {
 protected:
  static constexpr int kPolls = 8;

  /// What happens before the poll of this number.
  void Happen(MortalDaemon& daemon, int poll) const {
    if (poll == 0) {
      daemon.kafka.Set("t", "A", {{0, {0, 500}}});
      daemon.query().Batch({{"t", {{0, 500}}}});
    }
    if (poll == 1) daemon.kafka.Set("t", "B", {{0, {0, 800}}});
    if (poll == 5) daemon.query().Batch({{"t", {{0, 800}}}});
    if (poll == 7) {
      ASSERT_TRUE(StateStore::Acknowledge(
          state_, {.key = {.kind = "records_skipped", .query = "orders", .topic = "t"},
                   .who = "ann",
                   .why = "replayed",
                   .at = daemon.now}));
    }
  }

  void PollOnce(MortalDaemon& daemon) {
    auto store = Open();
    auto remembered = store->Load();
    ASSERT_TRUE(remembered);
    daemon.ledger = std::move(*remembered);
    daemon.RestartDaemon();
    daemon.PollWith(*store);
  }

  /// False: its poll does not come to `step`.
  bool DiesAt(MortalDaemon& daemon, Step step) {
    const pid_t child = ::fork();
    if (child == 0) {
      daemon.dies_at = step;
      PollOnce(daemon);
      ::_exit(0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }

  /// The memory after all polls; the one of number `killed` is killed first, and then made again.
  Ledger LedgerAfter(int killed, int& deaths) {
    std::filesystem::remove_all(state_);
    MortalDaemon daemon;
    for (int poll = 0; poll < kPolls; ++poll) {
      Happen(daemon, poll);
      if (poll == killed && DiesAt(daemon, GetParam())) ++deaths;
      PollOnce(daemon);
    }
    return Reopened();
  }
};

TEST_P(KilledPoll, TheNextDaemonEndsWhereItWouldHave) {
  int deaths = 0;
  const Ledger expected = LedgerAfter(-1, deaths);
  ASSERT_EQ(deaths, 0);
  ASSERT_EQ(expected.events.size(), 4u) << "two findings that fired and were resolved";
  for (int poll = 0; poll < kPolls; ++poll) {
    EXPECT_TRUE(Same(LedgerAfter(poll, deaths), expected)) << "killed in poll " << poll;
  }
  EXPECT_GE(deaths, GetParam() == Step::kDated ? 1 : kPolls);
}

INSTANTIATE_TEST_SUITE_P(AtEveryStep, KilledPoll,
                         ::testing::Values(Step::kTaken, Step::kRead, Step::kAsked, Step::kDated,
                                           Step::kJudged, Step::kSaved));

}  // namespace
}  // namespace tidegauge::testing
