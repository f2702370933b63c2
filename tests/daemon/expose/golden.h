// Output held against a file in testdata, byte for byte.
#pragma once

#include <string>
#include <string_view>

namespace tidegauge {

/// The content of testdata/`name`. With UPDATE_GOLDEN=1 in the environment, `actual` is written
/// there first, so that a change of the output is reviewed as a change of the file.
std::string Golden(const std::string& name, std::string_view actual);

}  // namespace tidegauge
