#include "config/shard.h"

#include <fmt/format.h>

namespace tidegauge {
namespace {

std::uint64_t Fnv1a(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001B3;
  return hash;
}

}  // namespace

std::int64_t ShardOf(std::string_view query, std::int64_t count) {
  std::uint64_t key = Fnv1a(query);
  std::int64_t shard = 0;
  for (std::int64_t next = 0; next < count;) {
    shard = next;
    key = key * 2862933555777941757 + 1;
    const double jump = 2147483648.0 / static_cast<double>((key >> 33U) + 1);
    next = static_cast<std::int64_t>(static_cast<double>(shard + 1) * jump);
  }
  return shard;
}

Result<Shard> Shard::Make(std::int64_t index, std::int64_t count) {
  if (count < 1) return Fail(ErrorKind::kInvalid, fmt::format("{} shards: 1 at least", count));
  if (count > kMaxShards) {
    return Fail(ErrorKind::kInvalid, fmt::format("{} shards: {} at most", count, kMaxShards));
  }
  if (index >= 0 && index < count) return Shard(index, count);
  return Fail(
      ErrorKind::kInvalid,
      fmt::format("no shard {} among {}: they are numbered from 0 to {}", index, count, count - 1));
}

}  // namespace tidegauge
