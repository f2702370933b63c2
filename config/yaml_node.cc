#include "config/yaml_node.h"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "config/utf8.h"

namespace tidegauge {
namespace {

using Kind = YamlNode::Kind;

std::size_t CountNodes(const YamlNode& node) {
  std::size_t count = 1 + node.keys.size();
  for (const YamlNode& item : node.items) count += CountNodes(item);
  return count;
}

std::size_t Height(const YamlNode& node) {
  std::size_t height = 0;
  for (const YamlNode& item : node.items) height = std::max(height, Height(item));
  return height + 1;
}

// Builds the tree itself, since yaml-cpp's own nodes drop one of two equal keys without a word and
// share what aliases stand for. Leaves the parser by throwing its own exception, with the place.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const YamlLimits& limits, Mistakes& mistakes)
      : limits_(limits), mistakes_(mistakes) {}

  std::optional<YamlNode>& root() { return root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (root_) throw YAML::ParserException(mark, "a second document begins here: one is allowed");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Complete(NewNode(mark, Kind::kNull), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = NewNode(mark, Kind::kScalar);
    node.scalar = value;
    Complete(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw YAML::ParserException(mark, "an alias stands for itself");
    SpendAliased(mark, CountNodes(found->second));
    if (open_.size() + Height(found->second) > limits_.depth) ThrowTooDeep(mark);
    Attach(found->second);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(mark, Kind::kSequence, anchor);
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(mark, Kind::kMapping, anchor);
  }
  void OnMapEnd() override {
    CheckKeys(open_.back().first);
    Close();
  }

 private:
  YamlNode NewNode(const YAML::Mark& mark, Kind kind) {
    if (++written_ > limits_.nodes) {
      throw YAML::ParserException(mark, fmt::format("more than {} values", limits_.nodes));
    }
    return YamlNode{.kind = kind, .line = mark.line + 1, .column = mark.column + 1};
  }

  void Open(const YAML::Mark& mark, Kind kind, YAML::anchor_t anchor) {
    if (open_.size() >= limits_.depth) ThrowTooDeep(mark);
    open_.emplace_back(NewNode(mark, kind), anchor);
  }

  void Close() {
    auto [node, anchor] = std::move(open_.back());
    open_.pop_back();
    Complete(std::move(node), anchor);
  }

  void Complete(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      SpendAliased({}, CountNodes(node));
      anchors_[anchor] = node;
    }
    Attach(std::move(node));
  }

  void Attach(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    YamlNode& parent = open_.back().first;
    if (parent.kind == Kind::kMapping && parent.keys.size() == parent.items.size()) {
      parent.keys.push_back(std::move(node));
      return;
    }
    if (node.kind == Kind::kNull && parent.kind == Kind::kMapping) {
      // yaml-cpp places a value that is not there at whatever comes next.
      node.line = parent.keys.back().line;
      node.column = parent.keys.back().column;
    }
    parent.items.push_back(std::move(node));
  }

  void CheckKeys(const YamlNode& mapping) {
    std::map<std::string_view, int> first_lines;
    for (const YamlNode& key : mapping.keys) {
      if (key.kind != Kind::kScalar) {
        mistakes_.push_back({key.line, key.column, "a key must be text"});
        continue;
      }
      const auto [first, inserted] = first_lines.emplace(key.scalar, key.line);
      if (inserted) continue;
      mistakes_.push_back(
          {key.line, key.column,
           fmt::format("duplicate key '{}', already set in line {}", key.scalar, first->second)});
    }
  }

  void SpendAliased(const YAML::Mark& mark, std::size_t nodes) {
    aliased_ += nodes;
    if (aliased_ <= limits_.aliased) return;
    throw YAML::ParserException(
        mark, fmt::format("anchors and aliases stand for more than {} values", limits_.aliased));
  }

  [[noreturn]] void ThrowTooDeep(const YAML::Mark& mark) {
    throw YAML::ParserException(mark, fmt::format("nested more than {} deep", limits_.depth));
  }

  const YamlLimits limits_;
  Mistakes& mistakes_;
  std::optional<YamlNode> root_;
  std::vector<std::pair<YamlNode, YAML::anchor_t>> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::size_t written_ = 0;
  std::size_t aliased_ = 0;
};

int LineOf(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

// The first line up to `last` that is indented with a tab; 0: none. yaml-cpp's own message about it
// names whatever it tripped over later.
int FirstTabIndent(std::string_view text, int last) {
  int line = 1;
  for (std::size_t begin = 0; begin < text.size() && line <= last; ++line) {
    const std::size_t first = text.find_first_not_of(' ', begin);
    if (first != text.npos && text[first] == '\t') return line;
    const std::size_t end = text.find('\n', begin);
    if (end == text.npos) break;
    begin = end + 1;
  }
  return 0;
}

Mistake SyntaxMistake(std::string_view text, const YAML::Exception& error) {
  if (const int line = FirstTabIndent(text, error.mark.line + 1); line > 0) {
    return {line, 1, "not valid YAML: indented with a tab, use spaces"};
  }
  const int last = LineOf(text, text.empty() ? 0 : text.size() - 1);
  if (error.msg == YAML::ErrorMsg::DOC_IN_SCALAR && error.mark.line + 1 > last) {
    return {last, 0, "not valid YAML: the file ends inside a quoted text"};
  }
  return {std::min(error.mark.line + 1, last), error.mark.column + 1,
          "not valid YAML: " + error.msg};
}

// yaml-cpp takes a quoted text that the end of the file cuts off for a whole one, but not when the
// document is ended.
constexpr std::string_view kDocumentEnd = "\n...\n";

}  // namespace

const YamlNode* YamlNode::Find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].kind == Kind::kScalar && keys[i].scalar == key) return &items[i];
  }
  return nullptr;
}

std::string_view Describe(YamlNode::Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kScalar:
      return "text";
    case Kind::kSequence:
      return "a list";
    case Kind::kMapping:
      return "a mapping";
  }
  return {};
}

std::optional<YamlNode> ParseYaml(std::string_view text, Mistakes& mistakes,
                                  const YamlLimits& limits) {
  if (const auto at = FirstInvalidUtf8(text)) {
    mistakes.push_back({LineOf(text, *at), 0, "not UTF-8 text"});
    return std::nullopt;
  }
  if (const std::size_t at = text.find('\0'); at != text.npos) {
    mistakes.push_back({LineOf(text, at), 0, "not a text file: it holds a zero byte"});
    return std::nullopt;
  }
  TreeBuilder builder(limits, mistakes);
  try {
    std::istringstream stream(std::string(text).append(kDocumentEnd));
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    mistakes.push_back(SyntaxMistake(text, error));
    return std::nullopt;
  }
  const bool empty = !builder.root() || builder.root()->kind == Kind::kNull;
  return empty ? YamlNode{} : std::move(builder.root());
}

std::string YamlScalar(std::string_view text) {
  YAML::Emitter emitter;
  emitter << std::string(text);
  return emitter.c_str();
}

}  // namespace tidegauge
