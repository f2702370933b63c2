#include "core/checkpoint/directory.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/checkpoint/layout.h"
#include "core/checkpoint/query_metadata.h"

namespace tidegauge {
namespace {

std::optional<BatchId> Last(const std::vector<BatchId>& ids) {
  if (ids.empty()) return std::nullopt;
  return ids.back();
}

template <typename T>
Result<T> Named(const std::string& name, Result<T> parsed) {
  if (parsed) return parsed;
  return Fail(parsed.error().kind, fmt::format("{}: {}", name, parsed.error().message));
}

bool ByNumberThenName(const std::string& a, const std::string& b) {
  const auto left = ParseBatchFileName(a);
  const auto right = ParseBatchFileName(b);
  if (left && right) return *left < *right;
  if (left.has_value() != right.has_value()) return left.has_value();
  return a < b;
}

}  // namespace

std::optional<BatchId> CheckpointListing::newest() const { return Last(offsets); }
std::optional<BatchId> CheckpointListing::committed() const { return Last(commits); }

std::optional<BatchId> CheckpointListing::before(BatchId batch) const {
  const auto place = std::ranges::lower_bound(offsets, batch);
  if (place == offsets.begin()) return std::nullopt;
  return *std::prev(place);
}

Result<std::vector<BatchId>> CheckpointDirectory::ListBatches(std::string_view name,
                                                              bool* exists) const {
  auto names = storage_.List(fmt::format("{}/{}", path_, name));
  *exists = names.has_value();
  if (!names) {
    if (names.error().kind == ErrorKind::kNotFound) return std::vector<BatchId>{};
    return std::unexpected(names.error());
  }
  std::vector<BatchId> batches;
  for (const std::string& file : *names) {
    if (const auto batch = ParseBatchFileName(file)) batches.push_back(*batch);
  }
  std::ranges::sort(batches);
  const auto repeated = std::ranges::unique(batches);
  batches.erase(repeated.begin(), repeated.end());
  return batches;
}

Result<CheckpointListing> CheckpointDirectory::List() const {
  CheckpointListing listing;
  bool has_commits = false;
  auto commits = ListBatches(kCommitsDirectory, &has_commits);
  if (!commits) return std::unexpected(commits.error());
  auto offsets = ListBatches(kOffsetsDirectory, &listing.has_offsets_directory);
  if (!offsets) return std::unexpected(offsets.error());
  listing.commits = std::move(*commits);
  listing.offsets = std::move(*offsets);
  return listing;
}

Result<OffsetLogEntry> CheckpointDirectory::ReadOffsets(BatchId batch) const {
  const std::string name = fmt::format("{}/{}/{}", path_, kOffsetsDirectory, batch);
  auto text = storage_.Read(name, kMaxBatchFileBytes);
  if (!text) return std::unexpected(text.error());
  return Named(name, ParseOffsetLogEntry(*text));
}

Result<TopicOffsets> CheckpointDirectory::ReadInitialOffsets(const std::string& source) const {
  const std::string name = fmt::format("{}/{}/{}/0", path_, kSourcesDirectory, source);
  auto text = storage_.Read(name, kMaxBatchFileBytes);
  if (!text) return std::unexpected(text.error());
  return Named(name, ParseInitialOffsets(*text));
}

Result<std::vector<std::string>> CheckpointDirectory::ListSources() const {
  auto names = storage_.List(fmt::format("{}/{}", path_, kSourcesDirectory));
  if (!names) {
    if (names.error().kind == ErrorKind::kNotFound) return std::vector<std::string>{};
    return names;
  }
  std::erase_if(*names, [](const std::string& name) { return name.starts_with('.'); });
  std::ranges::sort(*names, ByNumberThenName);
  return names;
}

Result<std::string> CheckpointDirectory::ReadQueryId() const {
  const std::string name = fmt::format("{}/{}", path_, kMetadataFile);
  auto text = storage_.Read(name, kMaxQueryMetadataBytes);
  if (!text) return text;
  return Named(name, ParseQueryMetadata(*text));
}

std::optional<FileStatus> CheckpointDirectory::Status(const std::string& name) const {
  auto status = storage_.Stat(name.empty() ? path_ : fmt::format("{}/{}", path_, name));
  if (!status) return std::nullopt;
  return *status;
}

}  // namespace tidegauge
