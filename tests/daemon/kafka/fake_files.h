// Files that change as a test wants.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "daemon/kafka/client_files.h"

namespace tidegauge {

struct FakeFiles {
  std::map<std::string, std::string> content;  ///< by path

  /// Reads what is there at that moment; this object must be live then.
  ReadFile reader() {
    return [this](const std::string& path) -> Result<std::string> {
      const auto found = content.find(path);
      if (found == content.end()) return Fail(ErrorKind::kNotFound, path + ": no such file");
      return found->second;
    };
  }
};

}  // namespace tidegauge
