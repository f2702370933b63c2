#include "core/checkpoint/directory.h"

#include <fmt/core.h>

#include "core/checkpoint/commit_log.h"
#include "core/checkpoint/layout.h"
#include "core/checkpoint/query_metadata.h"

namespace tidegauge {
namespace {

std::optional<BatchId> Last(const std::vector<BatchId>& ids) {
  if (ids.empty()) return std::nullopt;
  return ids.back();
}

std::optional<BatchId> LastBelow(const std::vector<BatchId>& ids, BatchId limit) {
  const auto place = std::ranges::lower_bound(ids, limit);
  if (place == ids.begin()) return std::nullopt;
  return *std::prev(place);
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

std::vector<BatchId> BatchesAmong(const std::vector<std::string>& names) {
  std::vector<BatchId> batches;
  for (const std::string& name : names) {
    if (const auto batch = ParseBatchFileName(name)) batches.push_back(*batch);
  }
  std::ranges::sort(batches);
  const auto repeated = std::ranges::unique(batches);
  batches.erase(repeated.begin(), repeated.end());
  return batches;
}

std::vector<std::pair<BatchId, std::string>> TemporariesAmong(std::vector<std::string>& names) {
  std::vector<std::pair<BatchId, std::string>> temporaries;
  for (std::string& name : names) {
    if (const auto batch = ParseTemporaryFileName(name)) {
      temporaries.emplace_back(*batch, std::move(name));
    }
  }
  std::ranges::sort(temporaries);
  if (temporaries.size() > kMostTemporaries) {
    temporaries.erase(temporaries.begin(),
                      temporaries.end() - static_cast<std::ptrdiff_t>(kMostTemporaries));
  }
  return temporaries;
}

bool Has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::optional<BatchId> CheckpointListing::newest() const { return Last(offsets); }
std::optional<BatchId> CheckpointListing::committed() const { return Last(commits); }

std::optional<BatchId> CheckpointListing::before(BatchId batch) const {
  return LastBelow(offsets, batch);
}

std::optional<BatchId> CheckpointListing::committed_before(BatchId batch) const {
  return LastBelow(commits, batch);
}

std::string OffsetsName(BatchId batch) { return fmt::format("{}/{}", kOffsetsDirectory, batch); }

Result<std::vector<std::string>> CheckpointDirectory::ListLog(std::string_view name) const {
  return storage_.List(fmt::format("{}/{}", path_, name));
}

/// Makes sure that the `wanted` newest batches are files: since 3.4, HDFSMetadataLog takes no
/// directory for a batch, whatever its name. Older ones cost a question each and decide nothing.
Result<void> CheckpointDirectory::DropDirectories(std::string_view name, std::size_t wanted,
                                                  std::vector<BatchId>& batches) const {
  std::size_t files = 0;
  for (std::size_t i = batches.size(); i > 0 && files < wanted; --i) {
    const auto status = Status(fmt::format("{}/{}", name, batches[i - 1]));
    if (!status) return std::unexpected(status.error());
    if (*status && (*status)->kind == EntryKind::kDirectory) {
      batches.erase(batches.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    } else {
      ++files;
    }
  }
  return {};
}

Result<CheckpointListing> CheckpointDirectory::List(const std::vector<std::string>& root) const {
  CheckpointListing listing;
  listing.has_metadata = Has(root, kMetadataFile);
  listing.is_checkpoint =
      listing.has_metadata || Has(root, kOffsetsDirectory) || Has(root, kSourcesDirectory);
  if (Has(root, kCommitsDirectory)) {
    const auto commits = ListLog(kCommitsDirectory);
    if (!commits) return std::unexpected(commits.error());
    listing.commits = BatchesAmong(*commits);
  }
  if (Has(root, kOffsetsDirectory)) {
    auto offsets = ListLog(kOffsetsDirectory);
    if (!offsets) return std::unexpected(offsets.error());
    listing.offsets = BatchesAmong(*offsets);
    listing.temporaries = TemporariesAmong(*offsets);
  }
  if (Has(root, kSourcesDirectory)) {
    auto sources = ListSources();
    if (!sources) return std::unexpected(sources.error());
    listing.sources = std::move(*sources);
  }
  if (listing.offsets.empty() && listing.commits.empty() && Has(root, kStateDirectory)) {
    auto has_state = HasStateVersions();
    if (!has_state) return std::unexpected(has_state.error());
    listing.has_state = *has_state;
  }
  if (auto done = DropDirectories(kCommitsDirectory, 1, listing.commits); !done) {
    return std::unexpected(done.error());
  }
  if (auto done = DropDirectories(kOffsetsDirectory, 2, listing.offsets); !done) {
    return std::unexpected(done.error());
  }
  return listing;
}

/// Of the first stateful operator's first partition, which every batch gives a version: 1.delta,
/// 2.zip, 3_….changelog (HDFSBackedStateStoreProvider, RocksDBFileManager).
Result<bool> CheckpointDirectory::HasStateVersions() const {
  auto names = storage_.List(fmt::format("{}/{}/0/0", path_, kStateDirectory));
  if (!names && names.error().kind == ErrorKind::kNotFound) return false;
  if (!names) return std::unexpected(names.error());
  return std::ranges::any_of(*names, [](const std::string& name) {
    const std::string_view stem = std::string_view(name).substr(0, name.find_first_of("._"));
    return stem.size() < name.size() && ParseBatchFileName(stem).value_or(0) > 0;
  });
}

Result<std::vector<std::string>> CheckpointDirectory::ListSources() const {
  auto names = storage_.List(fmt::format("{}/{}", path_, kSourcesDirectory));
  if (!names) return names;
  std::erase_if(*names, [](const std::string& name) { return name.starts_with('.'); });
  std::ranges::sort(*names, ByNumberThenName);
  return names;
}

Result<OffsetLogEntry> CheckpointDirectory::ReadOffsets(BatchId batch) const {
  return ReadOffsets(OffsetsName(batch));
}

Result<OffsetLogEntry> CheckpointDirectory::ReadOffsets(const std::string& name) const {
  const std::string path = fmt::format("{}/{}", path_, name);
  auto text = storage_.Read(path, kMaxBatchFileBytes);
  if (!text) return std::unexpected(text.error());
  return Named(path, ParseOffsetLogEntry(*text));
}

Result<void> CheckpointDirectory::CheckCommit(BatchId batch) const {
  const std::string name = fmt::format("{}/{}/{}", path_, kCommitsDirectory, batch);
  auto text = storage_.Read(name, kMaxCommitFileBytes);
  if (!text) return std::unexpected(text.error());
  return Named(name, CheckCommitLogEntry(*text));
}

Result<SourceOffset> CheckpointDirectory::ReadInitialOffsets(const std::string& name) const {
  SourceOffset source{.id = name};
  const std::string directory = fmt::format("{}/{}/{}", path_, kSourcesDirectory, name);
  const std::string file = directory + "/0";
  auto text = storage_.Read(file, kMaxBatchFileBytes);
  if (!text && text.error().kind == ErrorKind::kNotFound) {
    // A source without a log of its own, which the listing of its directory has to confirm.
    const auto names = storage_.List(directory);
    if (names && Has(*names, "0")) return Fail(ErrorKind::kUnavailable, text.error().message);
    if (!names && names.error().kind != ErrorKind::kNotFound) {
      return std::unexpected(names.error());
    }
    return source;
  }
  if (!text) return std::unexpected(text.error());
  if (text->empty()) return Fail(ErrorKind::kCorrupt, file + ": empty");
  source.kind = SourceKind::kOther;
  if (!IsKafkaInitialOffsets(*text)) return source;
  auto topics = Named(file, ParseInitialOffsets(*text));
  if (!topics) return std::unexpected(topics.error());
  source.kind = topics->empty() ? SourceKind::kEmpty : SourceKind::kKafka;
  source.topics = std::move(*topics);
  return source;
}

Result<std::string> CheckpointDirectory::ReadQueryId() const {
  const std::string name = fmt::format("{}/{}", path_, kMetadataFile);
  auto text = storage_.Read(name, kMaxQueryMetadataBytes);
  if (!text) return text;
  return Named(name, ParseQueryMetadata(*text));
}

Result<std::optional<FileStatus>> CheckpointDirectory::Status(const std::string& name) const {
  auto status = storage_.Stat(fmt::format("{}/{}", path_, name));
  if (status) return *status;
  if (status.error().kind == ErrorKind::kNotFound) return std::nullopt;
  return std::unexpected(status.error());
}

}  // namespace tidegauge
