#include "core/output/output_walk.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "core/output/data_file_names.h"

namespace tidegauge {
namespace {

constexpr std::ptrdiff_t kMostFolders = 32;

std::string_view NameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string OutputWalk::InSink(const std::string& below) const {
  return below.empty() ? sink_ : fmt::format("{}/{}", sink_, below);
}

Result<void> OutputWalk::Open(Storage& storage, const PassOver& pass_over) {
  const std::string folder = folders_.back();
  const auto names = storage.List(InSink(folder));
  if (!names && (names.error().kind != ErrorKind::kNotFound || folder.empty())) {
    return std::unexpected(names.error());
  }
  folders_.pop_back();
  if (!names) return {};
  for (const std::string& name : *names) {
    if (IsHidden(name)) continue;
    std::string below = folder.empty() ? name : fmt::format("{}/{}", folder, name);
    if (!pass_over(below)) names_.push_back(std::move(below));
  }
  return {};
}

Result<std::optional<OutputFile>> OutputWalk::Step(Storage& storage, const PassOver& pass_over) {
  if (names_.empty()) {
    if (auto opened = Open(storage, pass_over); !opened) return std::unexpected(opened.error());
    return std::nullopt;
  }
  const auto status = storage.Stat(InSink(names_.back()));
  if (!status && status.error().kind != ErrorKind::kNotFound) {
    return std::unexpected(status.error());
  }
  std::string below = std::move(names_.back());
  names_.pop_back();
  if (!status) return std::nullopt;
  if (status->kind == EntryKind::kFile) return OutputFile{std::move(below), *status};
  if (status->kind == EntryKind::kDirectory && IsPartitionFolder(NameOf(below)) &&
      std::ranges::count(below, '/') < kMostFolders) {
    folders_.push_back(std::move(below));
  }
  return std::nullopt;
}

}  // namespace tidegauge
