#include "core/output/data_file_names.h"

namespace tidegauge {
namespace {

std::string_view ParentOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

std::string_view NameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool IsPartitionFolder(std::string_view name) { return name.find('=') != name.npos; }

bool IsHidden(std::string_view name) {
  return (name.starts_with('_') && !IsPartitionFolder(name)) || name.starts_with('.');
}

std::string OutputRootOf(std::string_view path, std::string_view sink) {
  std::string_view root = ParentOf(path);
  // The output directory itself may be called `env=prod`.
  while (!sink.ends_with(root) && IsPartitionFolder(NameOf(root))) root = ParentOf(root);
  return std::string(root);
}

std::optional<std::string> Below(std::string_view root, std::string_view path) {
  if (!path.starts_with(root) || path.size() <= root.size() + 1 || path[root.size()] != '/') {
    return std::nullopt;
  }
  return std::string(path.substr(root.size() + 1));
}

}  // namespace tidegauge
