// One entry of a list in the configuration file, for mistakes about what was read from it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "config/mistake.h"
#include "config/yaml_node.h"

namespace tidegauge {

class Entry {
 public:
  /// `root` has a sequence with more than `index` items at `list`, and outlives this.
  Entry(const YamlNode& root, std::string_view list, std::size_t index)
      : node_(root.Find(list)->items[index]) {}

  /// What is no mapping has been reported and has left a struct of defaults.
  bool IsMapping() const { return node_.kind == YamlNode::Kind::kMapping; }
  bool Has(std::string_view field) const { return node_.Find(field) != nullptr; }

  /// Whether `mistakes` has one at the value of `field`.
  bool IsIn(const Mistakes& mistakes, std::string_view field) const;

  /// A mistake at the value of `field`, or at the entry when it has no such field.
  Mistake At(std::string_view field, std::string message) const;

  /// A mistake at `key` inside the mapping `field`, which has it.
  Mistake AtKey(std::string_view field, std::string_view key, std::string message) const;

 private:
  const YamlNode& node_;
};

}  // namespace tidegauge
