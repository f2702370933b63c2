#include "config/path_pattern.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace tidegauge {
namespace {

using Kind = PatternPart::Kind;

bool IsGap(const PatternPart& part) { return part.kind != Kind::kLiteral; }

bool IsCaptureName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_');
  });
}

Result<PatternPart> TakePart(std::string_view& text) {
  if (text[0] == '}') return Fail(ErrorKind::kInvalid, "a '}' without its '{'");
  if (text[0] == '*') {
    text.remove_prefix(1);
    return PatternPart{Kind::kAny, ""};
  }
  if (text[0] != '{') {
    const std::string_view literal = text.substr(0, text.find_first_of("{}*"));
    text.remove_prefix(literal.size());
    return PatternPart{Kind::kLiteral, std::string(literal)};
  }
  const std::size_t end = text.find('}');
  if (end == text.npos) return Fail(ErrorKind::kInvalid, "a '{' without its '}'");
  const std::string_view name = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  if (IsCaptureName(name)) return PatternPart{Kind::kCapture, std::string(name)};
  return Fail(ErrorKind::kInvalid,
              fmt::format("'{{{}}}' is no capture: between the braces goes a name of letters, "
                          "digits and '_'",
                          name));
}

std::unexpected<Error> FailTwice(const std::string& capture) {
  return Fail(ErrorKind::kInvalid, fmt::format("the capture {{{}}} is there twice", capture));
}

bool IsHidden(std::string_view name) { return name.starts_with('.') || name.starts_with('_'); }

std::string_view SchemeOf(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos || !text.substr(colon + 1).starts_with('/')) return {};
  const std::string_view scheme = text.substr(0, colon);
  const bool valid = !scheme.empty() && std::ranges::all_of(scheme, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '.' || c == '-';
  });
  return valid ? scheme : std::string_view();
}

// What a URI with the scheme `file` names on this host.
Result<std::string_view> StripFileScheme(std::string_view text) {
  std::string_view path = text.substr(std::string_view("file:").size());
  if (!path.starts_with("//")) return path;
  path.remove_prefix(2);
  if (path.starts_with("localhost/")) path.remove_prefix(std::string_view("localhost").size());
  if (path.starts_with('/')) return path;
  return Fail(ErrorKind::kUnsupported,
              fmt::format("'{}' names another host: write file:///path, or mount it here", text));
}

Result<std::string> Normalise(std::string_view path) {
  std::string normal;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view component = path.substr(begin, end - begin);
    begin = end + 1;
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      return Fail(ErrorKind::kInvalid, fmt::format("write '{}' without '..'", path));
    }
    normal.append("/").append(component);
  }
  return normal.empty() ? "/" : normal;
}

}  // namespace

Result<Pattern> Pattern::Parse(std::string_view text) {
  Pattern pattern;
  std::set<std::string> names;
  while (!text.empty()) {
    auto part = TakePart(text);
    if (!part) return std::unexpected(part.error());
    if (part->kind == Kind::kCapture && !names.insert(part->text).second) {
      return FailTwice(part->text);
    }
    pattern.parts_.push_back(*std::move(part));
  }
  return pattern;
}

bool Pattern::IsLiteral() const { return std::ranges::none_of(parts_, IsGap); }

bool Pattern::HasAny() const {
  return std::ranges::any_of(parts_, [](const PatternPart& p) { return p.kind == Kind::kAny; });
}

bool Pattern::HasAdjacentGaps() const {
  return std::ranges::adjacent_find(parts_, [](const PatternPart& a, const PatternPart& b) {
           return IsGap(a) && IsGap(b);
         }) != parts_.end();
}

std::set<std::string> Pattern::CaptureNames() const {
  std::set<std::string> names;
  for (const PatternPart& part : parts_) {
    if (part.kind == Kind::kCapture) names.insert(part.text);
  }
  return names;
}

bool Pattern::Match(std::string_view name, Captures& captures) const {
  if (parts_.empty()) return name.empty();
  if (IsGap(parts_.front()) && IsHidden(name)) return false;
  Captures found;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const PatternPart& part = parts_[i];
    if (!IsGap(part)) {
      if (!name.starts_with(part.text)) return false;
      name.remove_prefix(part.text.size());
      continue;
    }
    // The gap ends where the next literal begins: the first place for one that others follow, the
    // very end for the last.
    std::size_t end = name.size();
    if (i + 1 < parts_.size()) {
      const std::string& next = parts_[i + 1].text;
      const bool last = i + 2 == parts_.size();
      if (last && !name.ends_with(next)) return false;
      end = last ? name.size() - next.size() : name.find(next, 1);
    }
    if (end == 0 || end == name.npos) return false;
    if (part.kind == Kind::kCapture) found[part.text] = name.substr(0, end);
    name.remove_prefix(end);
  }
  if (!name.empty()) return false;
  captures.merge(found);
  return true;
}

std::string Pattern::Fill(const Captures& captures) const {
  std::string text;
  for (const PatternPart& part : parts_) {
    text += part.kind == Kind::kCapture ? captures.at(part.text) : part.text;
  }
  return text;
}

Result<PathPattern> PathPattern::Parse(std::string_view path) {
  PathPattern pattern;
  std::set<std::string> names;
  for (std::size_t begin = 1; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    auto component = Pattern::Parse(path.substr(begin, end - begin));
    begin = end + 1;
    if (!component) return std::unexpected(component.error());
    if (component->HasAdjacentGaps()) {
      return Fail(ErrorKind::kInvalid,
                  "two captures or '*' side by side: put something between them that tells where "
                  "one ends ('**' is not supported)");
    }
    for (const std::string& name : component->CaptureNames()) {
      if (!names.insert(name).second) return FailTwice(name);
    }
    pattern.components_.push_back(*std::move(component));
  }
  return pattern;
}

bool PathPattern::IsLiteral() const {
  return std::ranges::all_of(components_, &Pattern::IsLiteral);
}

bool PathPattern::HasAny() const { return std::ranges::any_of(components_, &Pattern::HasAny); }

std::set<std::string> PathPattern::CaptureNames() const {
  std::set<std::string> names;
  for (const Pattern& component : components_) names.merge(component.CaptureNames());
  return names;
}

std::string PathPattern::Fill(const Captures& captures) const {
  std::string path;
  for (const Pattern& component : components_) path += "/" + component.Fill(captures);
  return path.empty() ? "/" : path;
}

std::optional<Captures> PathPattern::Match(std::string_view path) const {
  Captures captures;
  for (const Pattern& component : components_) {
    if (!path.starts_with('/')) return std::nullopt;
    path.remove_prefix(1);
    const std::string_view name = path.substr(0, path.find('/'));
    if (!component.Match(name, captures)) return std::nullopt;
    path.remove_prefix(name.size());
  }
  return path.empty() ? std::optional(captures) : std::nullopt;
}

Result<std::string> LocalPath(std::string_view text) {
  const std::string_view scheme = SchemeOf(text);
  if (scheme == "file") {
    auto path = StripFileScheme(text);
    return path ? Normalise(*path) : std::unexpected(path.error());
  }
  if (!scheme.empty()) {
    return Fail(ErrorKind::kUnsupported,
                fmt::format("'{}': {}: is not supported yet, mount it and give the local path",
                            text, scheme));
  }
  if (text.starts_with('/')) return Normalise(text);
  return Fail(ErrorKind::kInvalid,
              fmt::format("'{}' must be an absolute path, such as /data/x or file:/data/x", text));
}

}  // namespace tidegauge
