// A whole small file, or why not.
#pragma once

#include <string>

#include "core/result.h"

namespace tidegauge {

/// The bytes of `path`: a file, or a pipe such as /dev/stdin. The message is for after the file's
/// name, and says what to do. kNotFound, kDenied; kInvalid: a directory, or more than `max_bytes`
/// (which are not read); kUnavailable: anything else.
Result<std::string> ReadText(const std::string& path, std::size_t max_bytes);

}  // namespace tidegauge
