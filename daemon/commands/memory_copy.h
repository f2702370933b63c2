// What a daemon has learnt, for commands that only look.
#pragma once

#include <string>

#include "core/history/ledger.h"

namespace tidegauge {

/// A copy of what is remembered in `directory`; nothing where nothing is, and after telling why
/// where it cannot be read.
Ledger CopyMemory(const std::string& directory);

}  // namespace tidegauge
