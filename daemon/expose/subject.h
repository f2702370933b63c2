// What a finding is about, in words.
#pragma once

#include <string>

#include "core/model.h"

namespace tidegauge {

/// `query orders, topic t`; fit for a terminal.
std::string SubjectOf(const FindingKey& key);

}  // namespace tidegauge
