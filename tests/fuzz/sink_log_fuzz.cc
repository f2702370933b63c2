#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ports.h"
#include "core/sinklog/entry_reader.h"
#include "core/sinklog/log_file.h"
#include "tests/fuzz/fuzz_check.h"

namespace tidegauge {
namespace {

using fuzz::Check;

/// One file, whatever it is called.
class OneFile : public Storage {
 public:
  explicit OneFile(std::string_view text) : text_(text) {}
  Result<std::vector<std::string>> List(const std::string& /*directory*/) override { return {}; }
  Result<std::string> Read(const std::string& /*path*/, std::size_t /*max_bytes*/) override {
    return std::string(text_);
  }
  Result<std::string> ReadPart(const std::string& /*path*/, std::uint64_t offset,
                               std::size_t max_bytes) override {
    if (offset >= text_.size()) return std::string();
    return std::string(text_.substr(offset, max_bytes));
  }
  Result<FileStatus> Stat(const std::string& /*path*/) override {
    return FileStatus{.size = text_.size()};
  }

 private:
  std::string_view text_;
};

void CheckFile(std::string_view text) {
  OneFile storage(text);
  const auto check = CheckLogFile(storage, "f", text.size());
  Check(check.has_value(), "the file can be read");
  Check((check->fault == LogFileFault::kNone) == check->why.empty(), "a fault has a reason");
  Check((check->fault == LogFileFault::kEmpty) == text.empty(), "only nothing is empty");
  const auto read = ReadLogEntries(storage, "f", 0, [](const LogEntry& entry) {
    Check(!entry.path.empty(), "an entry has a path");
    return true;
  });
  Check(read || !read.error().message.empty(), "an error says what is wrong");
  if (check->fault == LogFileFault::kTooNew || check->fault == LogFileFault::kEmpty) {
    Check(!read, "what is too new or empty has no entries");
  }
}

}  // namespace
}  // namespace tidegauge

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tidegauge::CheckFile({reinterpret_cast<const char*>(data), size});
  return 0;
}
