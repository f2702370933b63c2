// The arithmetic against a model of Spark's writer and reader that knows nothing of it: the model
// keeps a set of names, adds batch after batch, and says in plain loops what it cannot find.
#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/sinklog/log_view.h"
#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using Names = std::set<std::string>;

/// CompactibleFileStreamLog, retold.
class Model {
 public:
  Names names;

  /// The driver starts: compactInterval.
  void Start(std::int64_t configured) {
    std::vector<BatchId> compacts;
    for (const std::string& name : names) {
      if (name.ends_with(".compact")) compacts.push_back(std::stoll(name));
    }
    std::ranges::sort(compacts, std::greater<>());
    interval = configured;
    if (compacts.size() >= 2) interval = compacts[0] - compacts[1];
    if (compacts.size() == 1) interval = Derive(configured, compacts[0]);
  }

  static std::int64_t Derive(std::int64_t configured, BatchId compact) {
    const std::int64_t n = compact + 1;
    if (n <= configured) return n;
    if (configured < n / 2) {
      for (std::int64_t i = configured; i <= n / 2; ++i) {
        if (n % i == 0) return i;
      }
    }
    return n;
  }

  std::string NameOf(BatchId batch) const {
    return (batch + 1) % interval == 0 ? fmt::format("{}.compact", batch)
                                       : fmt::format("{}", batch);
  }

  std::optional<BatchId> Latest() const {
    std::optional<BatchId> latest;
    for (const std::string& name : names)
      latest = std::max(latest.value_or(-1), BatchId{std::stoll(name)});
    return latest;
  }

  /// FileStreamSink.addBatch; the name that compaction misses, if it fails.
  std::optional<std::string> Add(BatchId batch) {
    if (batch <= Latest().value_or(-1)) return std::nullopt;
    if ((batch + 1) % interval == 0) {
      for (BatchId id = std::max(BatchId{0}, batch - interval); id < batch; ++id) {
        if (!names.contains(NameOf(id))) return NameOf(id);
      }
    }
    names.insert(NameOf(batch));
    return std::nullopt;
  }

  /// allFiles; the name that a reader misses first.
  std::optional<std::string> Read() const {
    const auto latest = Latest();
    if (!latest) return std::nullopt;
    BatchId start = 0;
    for (BatchId id = 0; id <= *latest; ++id) {
      if ((id + 1) % interval == 0) start = id;
    }
    for (BatchId id = start; id <= *latest; ++id) {
      if (!names.contains(NameOf(id))) return NameOf(id);
    }
    return std::nullopt;
  }

  std::int64_t interval = 10;
};

class CompactionModel : public ::testing::TestWithParam<int> {
 protected:
  int Random(int least, int most) { return std::uniform_int_distribution(least, most)(random_); }

  /// A log that ran for a while, was started anew now and then, and lost a few files.
  Model RandomLog() {
    Model model;
    const int batches = Random(0, 70);
    model.Start(Random(1, 12));
    for (BatchId batch = 0; batch < batches; ++batch) {
      if (Random(0, 9) == 0) model.Start(Random(1, 12));
      if (model.Add(batch)) break;
      committed_ = batch;
    }
    for (int lost = Random(0, 3); lost > 0 && !model.names.empty(); --lost) {
      model.names.erase(
          std::next(model.names.begin(), Random(0, static_cast<int>(model.names.size()) - 1)));
    }
    if (Random(0, 9) == 0) model.names.clear();
    return model;
  }

  LogView View(const Model& model, std::int64_t configured) {
    MemoryStorage storage;
    storage.MakeDirectory("/out/_spark_metadata");
    for (const std::string& name : model.names) {
      storage.Write("/out/_spark_metadata/" + name, "v1\n{\"path\":\"file:///out/p\"}");
    }
    Checkpoint checkpoint{.path = "/c"};
    if (committed_ >= 0) checkpoint.newest_batch = checkpoint.committed_batch = committed_;
    const QueryLogs logs = ReadLogs(storage, checkpoint, "/out", {.sink = configured}, {}, Time());
    return ViewLogs(logs, checkpoint, Time()).at(0);
  }

  std::mt19937 random_{static_cast<unsigned>(GetParam())};
  BatchId committed_ = -1;
};

TEST_P(CompactionModel, ARestartFailsAtTheBatchAndForTheFileForetold) {
  Model model = RandomLog();
  const std::int64_t configured = Random(1, 12);
  const LogView view = View(model, configured);
  model.Start(configured);
  ASSERT_EQ(view.log->interval, model.interval);
  std::optional<std::string> failure;
  BatchId batch = committed_ + 1;
  for (; batch <= view.restarted.batch; ++batch) {
    failure = model.Add(batch);
    if (failure) break;
  }
  if (view.restarted.lacking.empty()) {
    EXPECT_EQ(failure, std::nullopt) << "at " << batch;
  } else {
    ASSERT_TRUE(failure) << "nothing failed up to " << view.restarted.batch;
    EXPECT_EQ(batch, view.restarted.batch);
    EXPECT_EQ(*failure, view.restarted.lacking.names.front());
    EXPECT_EQ(view.restarted.batches_left, batch - committed_);
  }
}

TEST_P(CompactionModel, AReaderMissesWhatIsForetold) {
  Model model = RandomLog();
  const std::int64_t configured = Random(1, 12);
  committed_ = model.Latest().value_or(-1);
  const LogView view = View(model, configured);
  model.Start(configured);
  const auto missed = model.Read();
  ASSERT_EQ(missed.has_value(), !view.gap.empty());
  if (missed) {
    EXPECT_EQ(*missed, view.gap.names.front());
  }
}

TEST_P(CompactionModel, ALogThatLostNothingHasNothingToReport) {
  Model model;
  const std::int64_t interval = Random(1, 12);
  model.Start(interval);
  const int batches = Random(0, 70);
  for (BatchId batch = 0; batch < batches; ++batch) {
    ASSERT_EQ(model.Add(batch), std::nullopt);
    committed_ = batch;
    const LogView view = View(model, interval);
    EXPECT_TRUE(view.gap.empty()) << batch;
    EXPECT_EQ(view.failing(), nullptr) << batch;
    EXPECT_FALSE(view.ahead) << batch;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CompactionModel, ::testing::Range(0, 300));

}  // namespace
}  // namespace tidegauge::testing
