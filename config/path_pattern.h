// Paths that stand for many directories, and the names made of what they captured.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tidegauge {

/// What each capture stands for.
using Captures = std::map<std::string, std::string>;

/// Literal text, or a gap that something else fills.
struct PatternPart {
  enum class Kind { kLiteral, kCapture, kAny };
  Kind kind = Kind::kLiteral;
  std::string text;  ///< the literal, or the capture's name

  friend bool operator==(const PatternPart&, const PatternPart&) = default;
};

/// A text with `{name}` captures and `*`: a component of a path, or what becomes a query's name.
class Pattern {
 public:
  /// kInvalid: a brace without its partner, a capture whose name is not letters, digits and
  /// underscores, a capture twice.
  static Result<Pattern> Parse(std::string_view text);

  bool IsLiteral() const;
  bool HasAny() const;           ///< a `*`
  bool HasAdjacentGaps() const;  ///< two with nothing between them: where would one end?
  std::set<std::string> CaptureNames() const;

  /// Whether `name` is an instance; then adds what was captured to `captures`. No gap is empty;
  /// earlier ones are as short as can be. A gap at the beginning matches no hidden name
  /// (`.x` and `_x`, which Hadoop and Spark take as not being data). Needs HasAdjacentGaps() false.
  bool Match(std::string_view name, Captures& captures) const;

  /// This with each capture replaced. All are in `captures`, and this has no `*`.
  std::string Fill(const Captures& captures) const;

 private:
  std::vector<PatternPart> parts_;  // no two literals side by side
};

/// An absolute local path whose components are patterns.
class PathPattern {
 public:
  /// From a normalised path as LocalPath returns it. kInvalid: as Pattern, also a capture in two
  /// components, and adjacent gaps in one.
  static Result<PathPattern> Parse(std::string_view path);

  const std::vector<Pattern>& components() const { return components_; }
  bool IsLiteral() const;
  bool HasAny() const;
  std::set<std::string> CaptureNames() const;
  std::string Fill(const Captures& captures) const;
  /// What is captured where `path` is an instance; absent: it is none.
  std::optional<Captures> Match(std::string_view path) const;

 private:
  std::vector<Pattern> components_;
};

/// The path on this host that `text` means: `/a/b`, `file:/a/b` or `file:///a/b`, without empty and
/// `.` components. kInvalid: relative, or with `..`. kUnsupported: another scheme or host; the
/// message says what to do instead.
Result<std::string> LocalPath(std::string_view text);

}  // namespace tidegauge
