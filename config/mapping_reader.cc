#include "config/mapping_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/nearest.h"

namespace tidegauge {
namespace {

using Kind = YamlNode::Kind;

template <typename T>
std::optional<T> ParseNumber(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string Describe(const Range<std::int64_t>& range) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (range.least == Limits::min() && range.most == Limits::max()) return "a whole number";
  return fmt::format("a whole number from {} to {}", range.least, range.most);
}

}  // namespace

std::string ResolvePath(const std::string& path, const std::string& directory) {
  if (path.empty() || path.front() == '/' || directory.empty()) return path;
  return directory + (directory.back() == '/' ? "" : "/") + path;
}

void MappingReader::Add(const YamlNode& node, std::string message) {
  context_.mistakes.push_back({node.line, node.column, std::move(message)});
}

const YamlNode* MappingReader::Take(std::string_view name) {
  known_.emplace_back(name);
  return mapping_.Find(name);
}

std::optional<std::string> MappingReader::TextOf(const YamlNode& node, std::string_view name,
                                                 std::string_view expected) {
  if (node.kind == Kind::kNull) {
    Add(node, fmt::format("'{}' has no value: give it {}, or leave it out", name, expected));
    return std::nullopt;
  }
  if (node.kind != Kind::kScalar) {
    Add(node, fmt::format("'{}' must be {}, not {}", name, expected, Describe(node.kind)));
    return std::nullopt;
  }
  auto text = Substitute(node.scalar, context_.environment);
  if (text) return *std::move(text);
  Add(node, fmt::format("'{}': {}", name, text.error().message));
  return std::nullopt;
}

std::optional<std::string> MappingReader::TakeText(std::string_view name,
                                                   std::string_view expected) {
  const YamlNode* node = Take(name);
  return node == nullptr ? std::nullopt : TextOf(*node, name, expected);
}

void MappingReader::Field(std::string_view name, bool& value, std::string_view /*doc*/) {
  const auto text = TakeText(name, "true or false");
  if (!text) return;
  if (*text == "true" || *text == "false") {
    value = *text == "true";
    return;
  }
  Add(*mapping_.Find(name), fmt::format("'{}' must be true or false, not '{}'", name, *text));
}

void MappingReader::Field(std::string_view name, double& value, std::string_view /*doc*/) {
  const auto text = TakeText(name, "a number");
  if (!text) return;
  const auto number = ParseNumber<double>(*text);
  if (number && std::isfinite(*number)) {
    value = *number;
    return;
  }
  Add(*mapping_.Find(name), fmt::format("'{}' must be a number, not '{}'", name, *text));
}

void MappingReader::Field(std::string_view name, Severity& value, std::string_view /*doc*/) {
  const auto text = TakeText(name, "info, warning or critical");
  if (!text) return;
  if (const auto severity = ParseSeverity(*text)) {
    value = *severity;
    return;
  }
  Add(*mapping_.Find(name),
      fmt::format("'{}' must be info, warning or critical, not '{}'", name, *text));
}

void MappingReader::Field(std::string_view name, std::string& value, std::string_view /*doc*/,
                          const TextTraits& traits) {
  const bool required = traits.presence == Presence::kRequired;
  const YamlNode* node = Take(name);
  if (node == nullptr) {
    // A default stands in for what is missing, where there is one.
    if (required && value.empty()) Add(mapping_, fmt::format("'{}' is missing", name));
    return;
  }
  auto text = TextOf(*node, name, "text");
  if (!text) return;
  if (required && text->empty()) Add(*node, fmt::format("'{}' must not be empty", name));
  value =
      traits.kind == TextKind::kFile ? ResolvePath(*text, context_.directory) : *std::move(text);
}

void MappingReader::Field(std::string_view name, std::int64_t& value, std::string_view /*doc*/,
                          const Range<std::int64_t>& range) {
  const auto text = TakeText(name, "a whole number");
  if (!text) return;
  const auto number = ParseNumber<std::int64_t>(*text);
  if (number && *number >= range.least && *number <= range.most) {
    value = *number;
    return;
  }
  Add(*mapping_.Find(name), fmt::format("'{}' must be {}, not '{}'", name, Describe(range), *text));
}

void MappingReader::Field(std::string_view name, Duration& value, std::string_view /*doc*/,
                          const Range<Duration>& range) {
  const auto text = TakeText(name, "a duration such as 30s");
  if (!text) return;
  const YamlNode& node = *mapping_.Find(name);
  const auto duration = ParseDuration(*text);
  if (!duration) {
    Add(node, fmt::format("'{}': {}", name, duration.error().message));
  } else if (*duration < range.least || *duration > range.most) {
    Add(node, fmt::format("'{}' must be from {} to {}, not '{}'", name, FormatDuration(range.least),
                          FormatDuration(range.most), *text));
  } else {
    value = *duration;
  }
}

void MappingReader::Field(std::string_view name, StringMap& value, std::string_view /*doc*/,
                          const MapTraits& traits) {
  const YamlNode* node = Take(name);
  if (node == nullptr || node->kind == Kind::kNull) return;
  if (node->kind != Kind::kMapping) {
    Add(*node, fmt::format("'{}' must be a mapping of names to texts, not {}", name,
                           Describe(node->kind)));
    return;
  }
  for (std::size_t i = 0; i < node->keys.size(); ++i) {
    const std::string& key = node->keys[i].scalar;
    const auto text = TextOf(node->items[i], key, "text");
    if (!text) continue;
    value[key] = traits.kind == TextKind::kFile ? ResolvePath(*text, context_.directory) : *text;
  }
}

void MappingReader::Choice(std::string_view name, const ChoiceAccess& choice,
                           std::string_view /*doc*/) {
  const std::string allowed = fmt::format("one of {}", fmt::join(choice.names, ", "));
  const auto text = TakeText(name, allowed);
  if (!text) return;
  const auto found = std::ranges::find(choice.names, *text);
  if (found == choice.names.end()) {
    Add(*mapping_.Find(name), fmt::format("'{}' must be {}, not '{}'", name, allowed, *text));
    return;
  }
  choice.choose(static_cast<std::size_t>(found - choice.names.begin()));
}

void MappingReader::Group(std::string_view name, std::string_view /*doc*/, const Members& members) {
  Section(name, [&](MappingReader& inner) { members(inner); });
}

void MappingReader::Section(std::string_view name,
                            const std::function<void(MappingReader&)>& read) {
  static const YamlNode kNothing;
  const YamlNode* node = Take(name);
  if (node == nullptr) node = &kNothing;
  if (node->kind != Kind::kMapping && node->kind != Kind::kNull) {
    Add(*node,
        fmt::format("'{}' must be a mapping of settings, not {}", name, Describe(node->kind)));
    return;
  }
  MappingReader inner(*node, context_);
  read(inner);
  inner.Finish();
}

void MappingReader::Texts(std::string_view name, std::vector<std::string>& texts) {
  const YamlNode* node = Take(name);
  if (node == nullptr || node->kind == Kind::kNull) return;
  if (node->kind != Kind::kSequence) {
    Add(*node, fmt::format("'{}' must be a list, each entry after a '-', not {}", name,
                           Describe(node->kind)));
    return;
  }
  for (const YamlNode& item : node->items) {
    if (auto text = TextOf(item, name, "text")) texts.push_back(*std::move(text));
  }
}

void MappingReader::Items(std::string_view name, std::string_view /*doc*/, const ListAccess& list) {
  const YamlNode* node = Take(name);
  if (node == nullptr || node->kind == Kind::kNull) {
    Add(node == nullptr ? mapping_ : *node,
        fmt::format("'{}' is missing: list at least one", name));
    return;
  }
  if (node->kind != Kind::kSequence) {
    Add(*node, fmt::format("'{}' must be a list, each entry after a '-', not {}", name,
                           Describe(node->kind)));
    return;
  }
  if (node->items.empty()) Add(*node, fmt::format("'{}' is empty: list at least one", name));
  list.resize(node->items.size());
  for (std::size_t i = 0; i < node->items.size(); ++i) ReadItem(node->items[i], name, i, list);
}

void MappingReader::ReadItem(const YamlNode& node, std::string_view list_name, std::size_t index,
                             const ListAccess& list) {
  if (node.kind != Kind::kMapping) {
    Add(node, fmt::format("each entry of '{}' must be a mapping of settings, not {}", list_name,
                          Describe(node.kind)));
    return;
  }
  MappingReader inner(node, context_);
  list.visit(index, inner);
  inner.Finish();
}

void MappingReader::Finish() {
  for (const YamlNode& key : mapping_.keys) {
    if (key.kind != Kind::kScalar) continue;
    if (std::ranges::find(known_, key.scalar) != known_.end()) continue;
    if (key.scalar == "<<") {
      Add(key, "merge keys ('<<') are not supported: write the settings out");
      continue;
    }
    Add(key, fmt::format("unknown key '{}'{}", key.scalar, Suggestion(key.scalar, known_)));
  }
}

}  // namespace tidegauge
