#include "core/checkpoint/damage.h"

#include <string_view>

#include "core/checkpoint/layout.h"

namespace tidegauge {
namespace {

/// The batch whose file `file` is; -1: it is none's.
BatchId BatchOf(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  const std::string_view folder = file.substr(0, slash);
  if (slash == std::string_view::npos || folder == kSourcesDirectory) return -1;
  if (folder != kOffsetsDirectory && folder != kCommitsDirectory) return -1;
  return ParseBatchFileName(file.substr(slash + 1)).value_or(-1);
}

}  // namespace

Damage DescribeDamage(Damage::Kind kind, const std::string& path, const std::string& message) {
  Damage damage{.kind = kind, .what = message};
  const std::string prefix = path + "/";
  if (!message.starts_with(prefix)) return damage;
  const std::size_t end = message.find_first_of(": ", prefix.size());
  damage.file = message.substr(prefix.size(), end - prefix.size());
  damage.batch = BatchOf(damage.file);
  if (end == std::string::npos) return damage;
  const std::size_t begin = message.find_first_not_of(": ", end);
  damage.what = begin == std::string::npos ? "" : message.substr(begin);
  return damage;
}

}  // namespace tidegauge
