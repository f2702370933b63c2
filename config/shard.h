// Several daemons share the queries of one configuration: which of them watches which.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace tidegauge {

inline constexpr std::int64_t kMaxShards = 10'000;

/// The shard of `query` among `count` of them, 1 to kMaxShards: the jump consistent hash (Lamping
/// and Veach, arXiv:1406.2294) of its name's FNV-1a hash of 64 bits. It is the same on every
/// machine and in every version: a daemon of another opinion would leave queries to nobody. With
/// one shard more, one query in that many moves, always to the new shard
/// (docs/decisions/0008-shards.md).
std::int64_t ShardOf(std::string_view query, std::int64_t count);

/// One of several daemons; by default the only one.
class Shard {
 public:
  Shard() = default;
  /// Errors: kInvalid, unless 0 <= `index` < `count` <= kMaxShards.
  static Result<Shard> Make(std::int64_t index, std::int64_t count);

  bool Owns(std::string_view query) const { return ShardOf(query, count_) == index_; }
  std::int64_t index() const { return index_; }
  std::int64_t count() const { return count_; }

 private:
  Shard(std::int64_t index, std::int64_t count) : index_(index), count_(count) {}

  std::int64_t index_ = 0;
  std::int64_t count_ = 1;
};

}  // namespace tidegauge
