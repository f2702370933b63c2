// Which queries there are: the entries of the configuration, compared with the directories on disk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "core/ports.h"
#include "core/world.h"

namespace tidegauge {

/// More directories are left out, and reported.
inline constexpr std::size_t kMaxMatches = 100'000;

struct Discovery {
  std::vector<Target> queries;
  std::vector<std::string> problems;  ///< sentences for a person
  /// Every directory that had to be listed was: what is not in `queries` does not exist. When
  /// false, a query that was there before may be there still.
  bool complete = true;
};

/// The queries that one entry of a loaded configuration stands for, by path. One listing of each
/// directory whose children a pattern names, and one look at each candidate. An entry without a
/// pattern is one query, whether its checkpoint exists or not, and costs nothing. Only directories
/// match. Queries of other shards are left out, and not looked at. Thread-safe when `storage` is;
/// takes as long as `storage` does.
Discovery DiscoverEntry(const QueryConfig& entry, Storage& storage, const Shard& shard = {});

/// The query that `entry` makes of a checkpoint in `directory`; absent: it does not stand for it.
std::optional<Target> QueryAt(const QueryConfig& entry, const std::string& directory);

/// Puts entries together, in the order of the configuration. The first of two queries with one name
/// stays; the second is a problem, unless it is the same checkpoint: so that an entry of its own
/// for one query can stand before a pattern that matches it too.
Discovery Merge(std::vector<Discovery> entries);

/// Both, one entry after the other.
Discovery Discover(const std::vector<QueryConfig>& entries, Storage& storage);

}  // namespace tidegauge
