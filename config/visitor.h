// The same idea as core/settings.h for everything a configuration holds: each field is declared
// once, and the loader, the printer and the reference page are visitors.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/duration.h"
#include "core/settings.h"

namespace tidegauge {

using StringMap = std::map<std::string, std::string>;

enum class TextKind {
  kPlain,
  kFile,  ///< a path; one that is not absolute starts at the directory of the configuration file
};

enum class Presence {
  kOptional,
  kUsual,     ///< may be left out, but the reference page sets it to its example
  kRequired,  ///< must be there, and not empty
};

struct TextTraits {
  TextKind kind = TextKind::kPlain;
  Presence presence = Presence::kOptional;
  std::string_view example;  ///< for the reference page, where there is no default
};

struct MapTraits {
  TextKind kind = TextKind::kPlain;  ///< of the values
  bool may_hold_secrets = false;     ///< by the names of the keys, see IsSecretName
  std::string_view example_key;
  std::string_view example_value;
};

template <typename T>
struct Range {
  T least;
  T most;
};

/// An enumeration by its names, in the order of its values from 0.
struct ChoiceAccess {
  std::vector<std::string_view> names;
  std::size_t chosen = 0;
  std::function<void(std::size_t)> choose;
};

class ConfigVisitor : public SettingsVisitor {
 public:
  using Members = std::function<void(ConfigVisitor&)>;

  /// A list of structs.
  struct ListAccess {
    std::function<std::size_t()> size;
    std::function<void(std::size_t)> resize;
    std::function<void(std::size_t, ConfigVisitor&)> visit;
  };

  using SettingsVisitor::Field;
  virtual void Field(std::string_view name, std::string& value, std::string_view doc,
                     const TextTraits& traits) = 0;
  virtual void Field(std::string_view name, std::int64_t& value, std::string_view doc,
                     const Range<std::int64_t>& range) = 0;
  virtual void Field(std::string_view name, Duration& value, std::string_view doc,
                     const Range<Duration>& range) = 0;
  virtual void Field(std::string_view name, StringMap& value, std::string_view doc,
                     const MapTraits& traits) = 0;
  virtual void Choice(std::string_view name, const ChoiceAccess& choice, std::string_view doc) = 0;
  virtual void Group(std::string_view name, std::string_view doc, const Members& members) = 0;
  virtual void Items(std::string_view name, std::string_view doc, const ListAccess& list) = 0;

  /// A list that must have at least one element; each is declared by `void Visit(ConfigVisitor&,
  /// T&)`.
  template <typename T>
  void List(std::string_view name, std::vector<T>& items, std::string_view doc) {
    Items(name, doc,
          {.size = [&items] { return items.size(); },
           .resize = [&items](std::size_t size) { items.resize(size); },
           .visit = [&items](std::size_t i, ConfigVisitor& visitor) { Visit(visitor, items[i]); }});
  }

  void Field(std::string_view name, std::int64_t& value, std::string_view doc) override {
    Field(name, value, doc,
          Range<std::int64_t>{std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::int64_t>::max()});
  }
  void Field(std::string_view name, std::string& value, std::string_view doc) override {
    Field(name, value, doc, TextTraits{});
  }
  void Field(std::string_view name, Duration& value, std::string_view doc) override {
    Field(name, value, doc, Range<Duration>{Duration::zero(), kLongestDuration});
  }
};

}  // namespace tidegauge
