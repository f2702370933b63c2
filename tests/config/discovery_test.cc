#include "config/discovery.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/memory_storage.h"

namespace tidegauge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = testing::StorageCall::Kind;

QueryConfig Entry(std::string name, std::string checkpoint) {
  return {.name = std::move(name), .checkpoint = std::move(checkpoint), .kafka = "main"};
}

// "name=checkpoint" of each query found.
std::vector<std::string> Found(const Discovery& discovery) {
  std::vector<std::string> found;
  for (const Target& query : discovery.queries) {
    found.push_back(query.query + "=" + query.checkpoint);
  }
  return found;
}

class DiscoveryTest : public ::testing::Test {
 protected:
  void MakeDirectories(std::initializer_list<std::string> paths) {
    for (const std::string& path : paths) storage_.MakeDirectory(path);
  }

  testing::MemoryStorage storage_;
};

TEST_F(DiscoveryTest, a_literal_path_is_a_query_without_a_look) {
  const Discovery discovery = Discover({Entry("orders", "/no/such")}, storage_);
  EXPECT_THAT(Found(discovery), ElementsAre("orders=/no/such"));
  EXPECT_THAT(discovery.problems, IsEmpty());
  EXPECT_TRUE(discovery.complete);
  EXPECT_EQ(storage_.CallCount(), 0);
}

TEST_F(DiscoveryTest, an_entry_says_all_about_its_queries) {
  MakeDirectories({"/c/eu/orders"});
  const Discovery discovery = Discover({{.name = "{env}.{job}",
                                         .checkpoint = "/c/{env}/{job}",
                                         .sink = "/out/{job}-{env}",
                                         .compact_interval = 4,
                                         .source_compact_interval = 5,
                                         .kafka = "dr"}},
                                       storage_);
  EXPECT_THAT(discovery.queries, ElementsAre(Target{.query = "eu.orders",
                                                    .checkpoint = "/c/eu/orders",
                                                    .kafka_cluster = "dr",
                                                    .sink = "/out/orders-eu",
                                                    .compact_interval = 4,
                                                    .source_compact_interval = 5}));
}

TEST_F(DiscoveryTest, a_sink_without_a_log_on_purpose_is_not_watched) {
  MakeDirectories({"/c/orders"});
  for (const std::string checkpoint : {"/c/{job}", "/c/orders"}) {
    QueryConfig entry = Entry("orders", checkpoint);
    entry.sink = "/out/orders";
    entry.sink_log = false;
    EXPECT_EQ(DiscoverEntry(entry, storage_).queries.at(0).sink, "") << checkpoint;
  }
}

TEST_F(DiscoveryTest, queries_of_other_shards_are_not_looked_at) {
  MakeDirectories({"/c/clicks", "/c/orders"});  // shards 1 and 0 of 2
  const Shard second = Shard::Make(1, 2).value();
  const Discovery discovery = DiscoverEntry(Entry("{job}", "/c/{job}"), storage_, second);
  EXPECT_THAT(Found(discovery), ElementsAre("clicks=/c/clicks"));
  EXPECT_EQ(storage_.CallCount(), 2);  // the listing, and one candidate
  EXPECT_THAT(Found(DiscoverEntry(Entry("orders", "/c/orders"), storage_, second)), IsEmpty());
  EXPECT_THAT(Found(DiscoverEntry(Entry("clicks", "/c/clicks"), storage_, second)),
              ElementsAre("clicks=/c/clicks"));
}

TEST_F(DiscoveryTest, a_pattern_that_matches_in_other_shards_alone_is_no_problem) {
  MakeDirectories({"/c/orders"});
  const Shard second = Shard::Make(1, 2).value();
  EXPECT_THAT(DiscoverEntry(Entry("{job}", "/c/{job}"), storage_, second).problems, IsEmpty());
  EXPECT_THAT(DiscoverEntry(Entry("{job}", "/c/{job}/x"), storage_, second).problems, IsEmpty());
  EXPECT_THAT(DiscoverEntry(Entry("{job}", "/c/q{job}"), storage_, second).problems,
              ElementsAre(HasSubstr("matched nothing")));
}

TEST_F(DiscoveryTest, only_directories_match_in_order_of_their_names) {
  MakeDirectories({"/c/orders", "/c/clicks", "/c/.hidden", "/c/_tmp"});
  storage_.Write("/c/README", "text");
  const Discovery discovery = Discover({Entry("{job}", "/c/{job}")}, storage_);
  EXPECT_THAT(Found(discovery), ElementsAre("clicks=/c/clicks", "orders=/c/orders"));
  EXPECT_THAT(discovery.problems, IsEmpty());
}

TEST_F(DiscoveryTest, literal_components_below_a_capture_must_be_there) {
  MakeDirectories({"/c/a/checkpoint", "/c/b/other", "/c/d/checkpoint/x"});
  storage_.Write("/c/e/checkpoint", "a file");
  storage_.Write("/c/f", "a file");
  EXPECT_THAT(Found(Discover({Entry("{job}", "/c/{job}/checkpoint")}, storage_)),
              ElementsAre("a=/c/a/checkpoint", "d=/c/d/checkpoint"));
}

TEST_F(DiscoveryTest, patterns_on_two_levels) {
  MakeDirectories({"/c/eu/q-orders/_ckpt", "/c/eu/q-clicks/_ckpt", "/c/us/q-orders/_ckpt",
                   "/c/us/x-orders/_ckpt", "/c/us/q-/_ckpt"});
  storage_.Write("/c/file", "text");
  const Discovery discovery = Discover({Entry("{env}-{job}", "/c/{env}/q-{job}/_ckpt")}, storage_);
  EXPECT_THAT(Found(discovery),
              ElementsAre("eu-clicks=/c/eu/q-clicks/_ckpt", "eu-orders=/c/eu/q-orders/_ckpt",
                          "us-orders=/c/us/q-orders/_ckpt"));
  EXPECT_EQ(storage_.CallCount(Kind::kList), 3) << "one for /c and one for each directory in it";
}

TEST_F(DiscoveryTest, a_pattern_that_matches_nothing_is_a_problem) {
  MakeDirectories({"/c"});
  const Discovery discovery = Discover({Entry("{job}", "/c/{job}")}, storage_);
  EXPECT_THAT(discovery.queries, IsEmpty());
  EXPECT_THAT(discovery.problems, ElementsAre("queries entry '{job}': /c/{job} matched nothing"));
  EXPECT_TRUE(discovery.complete);
}

TEST_F(DiscoveryTest, a_missing_directory_is_a_problem_and_not_nothing) {
  const Discovery discovery = Discover({Entry("{job}", "/gone/{job}")}, storage_);
  EXPECT_THAT(discovery.problems, ElementsAre(HasSubstr("/gone")));
  EXPECT_FALSE(discovery.complete);
}

TEST_F(DiscoveryTest, a_storage_that_fails_leaves_the_discovery_incomplete) {
  MakeDirectories({"/c/a/x", "/c/b/x"});
  for (const ErrorKind kind : {ErrorKind::kUnavailable, ErrorKind::kDenied}) {
    for (std::size_t call = 1; call <= 4; ++call) {
      storage_.ClearFaults();
      storage_.ResetCalls();
      // Calls: list /c; look at /c/a, list it, look at /c/a/x; the same for b.
      storage_.FailCall(call, kind);
      const Discovery discovery = Discover({Entry("{a}{_}", "/c/{a}/{_}")}, storage_);
      const bool shown_as_unreadable = call == 4 && kind == ErrorKind::kUnavailable;
      EXPECT_EQ(discovery.complete, shown_as_unreadable) << call;
      EXPECT_EQ(discovery.problems.size(), shown_as_unreadable ? 0 : 1) << call;
      EXPECT_EQ(discovery.queries.size(), call == 1 ? 0 : shown_as_unreadable ? 2 : 1) << call;
    }
  }
}

TEST_F(DiscoveryTest, a_directory_that_gives_no_answer_may_be_a_query) {
  MakeDirectories({"/c/a", "/c/b"});
  storage_.FailCall(2, ErrorKind::kUnavailable);
  const Discovery discovery = Discover({Entry("{job}", "/c/{job}")}, storage_);
  EXPECT_THAT(Found(discovery), ElementsAre("a=/c/a", "b=/c/b"));
  EXPECT_TRUE(discovery.complete);
}

TEST_F(DiscoveryTest, what_vanishes_meanwhile_is_no_problem) {
  MakeDirectories({"/c/a/x", "/c/b/x"});
  // Calls: list /c, look at /c/a, list /c/a.
  storage_.VanishBefore(3, "/c/a");
  const Discovery discovery = Discover({Entry("{a}{_}", "/c/{a}/{_}")}, storage_);
  EXPECT_THAT(Found(discovery), ElementsAre("bx=/c/b/x"));
  EXPECT_THAT(discovery.problems, IsEmpty());
  EXPECT_TRUE(discovery.complete);
}

TEST_F(DiscoveryTest, the_first_of_two_with_one_name_stays) {
  MakeDirectories({"/c/eu/orders", "/c/us/orders"});
  const Discovery discovery =
      Discover({Entry("orders", "/other"), Entry("{job}", "/c/*/{job}")}, storage_);
  EXPECT_THAT(Found(discovery), ElementsAre("orders=/other"));
  EXPECT_THAT(
      discovery.problems,
      ElementsAre(
          "two checkpoints for the query 'orders': /other is watched, /c/eu/orders is not",
          "two checkpoints for the query 'orders': /other is watched, /c/us/orders is not"));
}

TEST_F(DiscoveryTest, an_entry_of_its_own_goes_before_a_pattern) {
  MakeDirectories({"/c/orders", "/c/clicks"});
  QueryConfig own = Entry("orders", "/c/orders");
  own.kafka = "other";
  const Discovery discovery = Discover({own, Entry("{job}", "/c/{job}")}, storage_);
  EXPECT_THAT(Found(discovery), ElementsAre("orders=/c/orders", "clicks=/c/clicks"));
  EXPECT_EQ(discovery.queries[0].kafka_cluster, "other");
  EXPECT_THAT(discovery.problems, IsEmpty());
}

TEST_F(DiscoveryTest, a_name_that_cannot_be_shown_is_left_out) {
  MakeDirectories({"/c/orders", "/c/M\xFCnchen", "/c/a\nb"});
  const Discovery discovery = Discover({Entry("{job}", "/c/{job}")}, storage_);
  EXPECT_THAT(Found(discovery), ElementsAre("orders=/c/orders"));
  EXPECT_EQ(discovery.problems.size(), 2);
}

TEST_F(DiscoveryTest, many_problems_are_cut_short) {
  for (int i = 0; i < 1000; ++i) storage_.MakeDirectory(fmt::format("/c/{}\x01", i));
  EXPECT_LE(Discover({Entry("{job}", "/c/{job}")}, storage_).problems.size(), 30);
}

// A directory of 100,001 directories, which MemoryStorage would take long to fill.
class EndlessStorage : public Storage {
 public:
  std::string listed;

  Result<std::vector<std::string>> List(const std::string& directory) override {
    listed = directory;
    std::vector<std::string> names;
    for (std::size_t i = 0; i <= kMaxMatches; ++i) names.push_back(fmt::format("q{}", i));
    return names;
  }
  Result<std::string> Read(const std::string& path, std::size_t /*max_bytes*/) override {
    return Fail(ErrorKind::kNotFound, path);
  }
  Result<std::string> ReadPart(const std::string& path, std::uint64_t /*offset*/,
                               std::size_t max_bytes) override {
    return Read(path, max_bytes);
  }
  Result<FileStatus> Stat(const std::string& /*path*/) override {
    return FileStatus{.kind = EntryKind::kDirectory};
  }
};

TEST(Discovery, has_an_end) {
  EndlessStorage storage;
  const Discovery discovery = DiscoverEntry(Entry("{job}", "/c/{job}"), storage);
  EXPECT_EQ(discovery.queries.size(), kMaxMatches);
  EXPECT_THAT(discovery.problems, ElementsAre(HasSubstr("more than 100000 directories")));
  EXPECT_FALSE(discovery.complete);
}

TEST(Discovery, lists_the_root) {
  EndlessStorage storage;
  const Discovery discovery = DiscoverEntry(Entry("{job}", "/{job}/checkpoint"), storage);
  EXPECT_EQ(storage.listed, "/");
  EXPECT_EQ(discovery.queries[0].checkpoint, "/q0/checkpoint");
}

TEST(QueryAt, is_what_discovery_would_make_of_the_directory) {
  QueryConfig entry = Entry("{env}.{job}", "/c/{env}/x_{job}");
  entry.sink = "/out/{job}";
  const auto query = QueryAt(entry, "/c/eu/x_orders");
  ASSERT_TRUE(query);
  EXPECT_EQ(query->query, "eu.orders");
  EXPECT_EQ(query->checkpoint, "/c/eu/x_orders");
  EXPECT_EQ(query->kafka_cluster, "main");
  EXPECT_EQ(query->sink, "/out/orders");
  for (const char* other : {"/c/eu/orders", "/c/eu", "/c/eu/x_orders/y", "/d/eu/x_orders", ""}) {
    EXPECT_FALSE(QueryAt(entry, other)) << other;
  }
  EXPECT_TRUE(QueryAt(Entry("orders", "/c/orders"), "/c/orders"));
}

}  // namespace
}  // namespace tidegauge
