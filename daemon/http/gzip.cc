#include "daemon/http/gzip.h"

#include <cstddef>
#include <limits>

#include <zlib.h>

namespace tidegauge {
namespace {

// A scrape is read once, mostly over a local network: time matters more than the last bytes.
constexpr int kLevel = Z_BEST_SPEED;
constexpr int kGzipWindow = 15 + 16;  // zlib.h, deflateInit2: 16 asks for a gzip header
constexpr int kMemoryLevel = 9;
constexpr std::size_t kLeastRoom = 256;

}  // namespace

std::optional<std::string> Gzip(std::string_view text) {
  if (text.size() > std::numeric_limits<uInt>::max()) return std::nullopt;
  z_stream stream{};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    return std::nullopt;
  }
  // zlib's input is not const, for reasons of its age; it only reads it.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  std::string out;
  int result = Z_OK;
  while (result == Z_OK) {
    const std::size_t used = out.size();
    // Series compress about twentyfold: memory grows with the result, not with the text.
    out.resize(used + text.size() / 16 + kLeastRoom);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + used);
    stream.avail_out = static_cast<uInt>(out.size() - used);
    result = deflate(&stream, Z_FINISH);
    out.resize(out.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  if (result != Z_STREAM_END) return std::nullopt;
  return out;
}

}  // namespace tidegauge
