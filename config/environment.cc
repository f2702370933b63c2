#include "config/environment.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace tidegauge {
namespace {

constexpr const char* kServiceCredentials = "/run/credentials/tidegauge.service";

bool IsName(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && is_letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

Result<std::string> ValueOf(std::string_view name, const Environment& environment) {
  if (!IsName(name)) {
    // What is between the braces may be a part of a secret: it is not repeated.
    return Fail(
        ErrorKind::kInvalid,
        "between '${' and '}' goes the name of a variable, of letters, digits and '_'; write "
        "$${ for a literal ${");
  }
  if (auto value = environment(std::string(name))) return *std::move(value);
  return Fail(ErrorKind::kInvalid, fmt::format("the environment variable {} is not set", name));
}

}  // namespace

std::optional<std::string> ProcessEnvironment(const std::string& name) {
  if (const char* value = std::getenv(name.c_str())) return value;
  if (name == "CREDENTIALS_DIRECTORY") return kServiceCredentials;
  return std::nullopt;
}

Result<std::string> Substitute(std::string_view text, const Environment& environment) {
  std::string result;
  while (true) {
    const std::size_t at = text.find("${");
    if (at == text.npos) return result.append(text);
    result.append(text.substr(0, at));
    if (at > 0 && text[at - 1] == '$') {
      result += '{';
      text.remove_prefix(at + 2);
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (end == text.npos) return Fail(ErrorKind::kInvalid, "a '${' without its '}'");
    auto value = ValueOf(text.substr(at + 2, end - at - 2), environment);
    if (!value) return value;
    result += *value;
    text.remove_prefix(end + 1);
  }
}

std::string EscapeSubstitution(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "${") result += '$';
    result += text[i];
  }
  return result;
}

}  // namespace tidegauge
