// A YAML document as a plain tree that knows where in the file everything stands.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/mistake.h"

namespace tidegauge {

struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMapping };

  Kind kind = Kind::kNull;
  int line = 0;  ///< from 1, as column; those of the anchor when an alias stands for it
  int column = 0;
  std::string scalar;           ///< as written, quotes removed: `7` and `"7"` are the same
  std::vector<YamlNode> keys;   ///< of a mapping: scalars, as many as `items`
  std::vector<YamlNode> items;  ///< of a sequence or mapping, in the order of the file

  /// The value under `key` of a mapping; null when this is none or has no such key.
  const YamlNode* Find(std::string_view key) const;
};

/// "text", "a list", "a mapping", "nothing".
std::string_view Describe(YamlNode::Kind kind);

/// What a file may make us allocate, whatever its aliases expand to.
struct YamlLimits {
  std::size_t nodes = 100'000;    ///< as written
  std::size_t aliased = 100'000;  ///< what anchors and aliases stand for
  std::size_t depth = 64;
};

/// The one document in `text`; one of kind kNull when there is none. Adds to `mistakes` a key that
/// is twice in one mapping, or is not text. Absent, with the one mistake that stopped it: not
/// UTF-8, YAML syntax, a second document, more than `limits` allow.
std::optional<YamlNode> ParseYaml(std::string_view text, Mistakes& mistakes,
                                  const YamlLimits& limits = {});

/// `text` as a YAML scalar, quoted when a reader would take it for something else.
std::string YamlScalar(std::string_view text);

}  // namespace tidegauge
