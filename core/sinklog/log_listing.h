// The names in the directory of a compactible log.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model.h"

namespace tidegauge {

struct LogListing {
  std::vector<BatchId> plain;     ///< `N`, ascending, each once
  std::vector<BatchId> compacts;  ///< `N.compact`, ascending, each once

  bool empty() const { return plain.empty() && compacts.empty(); }
  /// The highest id under either name: what Spark (3.1 and later) takes for the newest batch.
  std::optional<BatchId> newest() const;
  /// Whether the one file is there that `interval` gives `batch`.
  bool Has(BatchId batch, std::int64_t interval) const;

  friend bool operator==(const LogListing&, const LogListing&) = default;
};

/// What Spark would take for batch files among `names`. Everything else, temporary files and
/// checksums first of all, is none.
LogListing ParseLogNames(const std::vector<std::string>& names);

}  // namespace tidegauge
