// The file `metadata` of a checkpoint (StreamMetadata): the query's id, written once.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace tidegauge {

inline constexpr std::size_t kMaxQueryMetadataBytes = 64 << 10;

/// The query id. kCorrupt when `text` is not what Spark writes.
Result<std::string> ParseQueryMetadata(std::string_view text);

}  // namespace tidegauge
