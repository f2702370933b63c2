#include "config/load.h"

#include <utility>

#include "config/consistency.h"
#include "config/mapping_reader.h"
#include "config/read_text.h"
#include "config/yaml_node.h"

namespace tidegauge {
namespace {

std::string DirectoryOf(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == file.npos ? "" : file.substr(0, slash + 1);
}

}  // namespace

std::expected<Config, Mistakes> ParseConfig(std::string_view text, const std::string& directory,
                                            std::vector<DetectorPtr> detectors,
                                            const Environment& environment) {
  ReadContext context{directory, environment, {}};
  const auto root = ParseYaml(text, context.mistakes);
  if (!root) return std::unexpected(InOrder(std::move(context.mistakes)));
  if (root->kind == YamlNode::Kind::kNull) {
    return std::unexpected(
        Mistakes{{0, 0, "the file is empty: it needs at least 'kafka' and 'queries'"}});
  }
  if (root->kind != YamlNode::Kind::kMapping) {
    return std::unexpected(
        Mistakes{{root->line, root->column,
                  "the file must be a mapping of settings, such as 'kafka:', not " +
                      std::string(Describe(root->kind))}});
  }
  Config config;
  config.rules.detectors = std::move(detectors);
  MappingReader reader(*root, context);
  Visit(reader, config);
  reader.Finish();
  CheckConsistency(config, *root, context.mistakes);
  if (context.mistakes.empty()) return config;
  return std::unexpected(InOrder(std::move(context.mistakes)));
}

std::expected<Config, Mistakes> LoadConfig(const std::string& file,
                                           std::vector<DetectorPtr> detectors,
                                           const Environment& environment) {
  const auto text = ReadText(file, kMaxConfigBytes);
  if (!text) return std::unexpected(Mistakes{{0, 0, text.error().message}});
  return ParseConfig(*text, DirectoryOf(file), std::move(detectors), environment);
}

}  // namespace tidegauge
