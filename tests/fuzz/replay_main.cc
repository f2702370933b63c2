// An ordinary main for a fuzz target: replays the files below its arguments, each whole and cut
// short. So that targets build and hold everywhere; the search for new inputs is libFuzzer's.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void Run(const std::string& text) {
  // A copy of its own, so that a sanitizer sees a read past the end.
  const std::string exact(text.data(), text.size());
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(exact.data()), exact.size());
}

std::size_t Replay(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  Run(text);
  constexpr std::size_t kCuts = 64;
  for (std::size_t i = 0; i < kCuts; ++i) Run(text.substr(0, text.size() * i / kCuts));
  return 1;
}

std::size_t ReplayAll(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return Replay(path);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files += Replay(entry.path());
  }
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    const std::size_t found = ReplayAll(argv[i]);
    if (found == 0) {
      std::fprintf(stderr, "%s: nothing to replay\n", argv[i]);
      return 1;
    }
    files += found;
  }
  std::printf("%zu files replayed\n", files);
  return files == 0 ? 1 : 0;
}
