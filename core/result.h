// Errors are values. A function that can fail returns Result<T>; its caller looks before it uses.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace tidegauge {

/// Named after what the caller can do about it.
enum class ErrorKind {
  kNotFound,     ///< it is not there: perhaps purged meanwhile, list again
  kUnavailable,  ///< no answer in time: ask again at the next poll
  kDenied,       ///< an operator has to grant a permission
  kCorrupt,      ///< it is there and cannot be what Spark wrote
  kUnsupported,  ///< a newer format than this program knows
  kInvalid,      ///< the caller's input is wrong
};

/// One failure: its kind, and a sentence for a person that names the file or server concerned.
struct Error {
  ErrorKind kind = ErrorKind::kInvalid;
  std::string message;

  friend bool operator==(const Error&, const Error&) = default;
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> Fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}

}  // namespace tidegauge
