// The visitor that reads a configuration: what the file says goes into the fields, and every way in
// which it cannot becomes a mistake.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/environment.h"
#include "config/mistake.h"
#include "config/visitor.h"
#include "config/yaml_node.h"

namespace tidegauge {

/// What reading one file needs and yields.
struct ReadContext {
  std::string directory;  ///< of the file: where paths in it start
  Environment environment;
  Mistakes mistakes;
};

/// Reads one mapping. Visit once, then Finish. A field that the file gets wrong keeps its value.
class MappingReader : public ConfigVisitor {
 public:
  /// `mapping` is of kind kMapping or kNull (no key set); both outlive this.
  MappingReader(const YamlNode& mapping, ReadContext& context)
      : mapping_(mapping), context_(context) {}

  using ConfigVisitor::Field;
  void Field(std::string_view name, bool& value, std::string_view doc) override;
  void Field(std::string_view name, double& value, std::string_view doc) override;
  void Field(std::string_view name, Severity& value, std::string_view doc) override;
  void Field(std::string_view name, std::string& value, std::string_view doc,
             const TextTraits& traits) override;
  void Field(std::string_view name, std::int64_t& value, std::string_view doc,
             const Range<std::int64_t>& range) override;
  void Field(std::string_view name, Duration& value, std::string_view doc,
             const Range<Duration>& range) override;
  void Field(std::string_view name, StringMap& value, std::string_view doc,
             const MapTraits& traits) override;
  void Choice(std::string_view name, const ChoiceAccess& choice, std::string_view doc) override;
  void Group(std::string_view name, std::string_view doc, const Members& members) override;
  void Items(std::string_view name, std::string_view doc, const ListAccess& list) override;

  /// Like Group, for readers that need more than a visitor offers.
  void Section(std::string_view name, const std::function<void(MappingReader&)>& read);
  /// A list of texts, which may be empty.
  void Texts(std::string_view name, std::vector<std::string>& texts);

  /// Every key that was not visited is a mistake, with the nearest that was.
  void Finish();

 private:
  void Add(const YamlNode& node, std::string message);
  const YamlNode* Take(std::string_view name);
  std::optional<std::string> TextOf(const YamlNode& node, std::string_view name,
                                    std::string_view expected);
  std::optional<std::string> TakeText(std::string_view name, std::string_view expected);
  void ReadItem(const YamlNode& node, std::string_view list_name, std::size_t index,
                const ListAccess& list);

  const YamlNode& mapping_;
  ReadContext& context_;
  std::vector<std::string> known_;
};

/// `path` as it is when absolute or empty, else below `directory`.
std::string ResolvePath(const std::string& path, const std::string& directory);

}  // namespace tidegauge
