#include "config/entry.h"

#include <algorithm>
#include <utility>

namespace tidegauge {

bool Entry::IsIn(const Mistakes& mistakes, std::string_view field) const {
  const YamlNode* value = node_.Find(field);
  return value != nullptr && std::ranges::any_of(mistakes, [&](const Mistake& mistake) {
           return mistake.line == value->line && mistake.column == value->column;
         });
}

Mistake Entry::At(std::string_view field, std::string message) const {
  const YamlNode* value = node_.Find(field);
  const YamlNode& place = value == nullptr ? node_ : *value;
  return {place.line, place.column, std::move(message)};
}

Mistake Entry::AtKey(std::string_view field, std::string_view key, std::string message) const {
  const YamlNode* mapping = node_.Find(field);
  const auto found = std::ranges::find(mapping->keys, key, &YamlNode::scalar);
  return {found->line, found->column, std::move(message)};
}

}  // namespace tidegauge
