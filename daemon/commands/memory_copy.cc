#include "daemon/commands/memory_copy.h"

#include <utility>

#include <fmt/core.h>

#include "daemon/commands/load_or_explain.h"
#include "daemon/state/state_store.h"

namespace tidegauge {

Ledger CopyMemory(const std::string& directory) {
  auto copy = StateStore::ReadCopy(directory);
  if (copy) return std::move(*copy);
  if (copy.error().kind != ErrorKind::kNotFound) {
    Explain(fmt::format("{}; judging without memory", copy.error().message));
  }
  return {};
}

}  // namespace tidegauge
