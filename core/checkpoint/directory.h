// The files of a checkpoint directory, listed in the order that keeps them consistent.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/checkpoint/offset_log.h"
#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"

namespace tidegauge {

/// Spark leaves one at each crash between writing and renaming, and never cleans up.
inline constexpr std::size_t kMostTemporaries = 8;

struct CheckpointListing {
  std::vector<BatchId> offsets;  ///< ascending, each once
  std::vector<BatchId> commits;  ///< ascending, each once
  /// Temporary files in offsets/, by batch; of more than kMostTemporaries, those of the newest
  /// batches.
  std::vector<std::pair<BatchId, std::string>> temporaries;
  std::vector<std::string> sources;  ///< by number, then by name
  bool has_metadata = false;
  /// Its state has versions, each of a batch that has ended. Looked for only where both logs are
  /// empty.
  bool has_state = false;
  bool is_checkpoint = false;  ///< it has at least one of offsets, sources, metadata

  std::optional<BatchId> newest() const;
  std::optional<BatchId> committed() const;
  bool has_offsets(BatchId batch) const { return std::ranges::binary_search(offsets, batch); }
  bool has_commit(BatchId batch) const { return std::ranges::binary_search(commits, batch); }
  /// The newest retained batch below `batch`.
  std::optional<BatchId> before(BatchId batch) const;
  /// The newest commit below `batch`.
  std::optional<BatchId> committed_before(BatchId batch) const;
};

/// One checkpoint directory behind a Storage.
class CheckpointDirectory {
 public:
  /// `storage` must remain live while this object does.
  CheckpointDirectory(Storage& storage, std::string path)
      : storage_(storage), path_(std::move(path)) {}

  const std::string& path() const { return path_; }

  /// Names in the directory itself.
  Result<std::vector<std::string>> ListRoot() const { return storage_.List(path_); }

  /// Lists what `root` has, commits before offsets, so that a batch that ends meanwhile never looks
  /// committed without its offsets. kNotFound: something vanished since `root` was listed.
  Result<CheckpointListing> List(const std::vector<std::string>& root) const;

  Result<OffsetLogEntry> ReadOffsets(BatchId batch) const;
  /// The same of any file, by its name below the checkpoint.
  Result<OffsetLogEntry> ReadOffsets(const std::string& name) const;
  /// Whether a restart could read the commit of `batch`.
  Result<void> CheckCommit(BatchId batch) const;
  /// Where source `name` began: kKafka or kEmpty, kOther when another source wrote it, kNone when
  /// there is nothing.
  Result<SourceOffset> ReadInitialOffsets(const std::string& name) const;
  Result<std::string> ReadQueryId() const;

  /// Status of `name` below the checkpoint; an absent file has none.
  Result<std::optional<FileStatus>> Status(const std::string& name) const;

 private:
  Result<std::vector<std::string>> ListLog(std::string_view name) const;
  Result<void> DropDirectories(std::string_view name, std::size_t wanted,
                               std::vector<BatchId>& batches) const;
  Result<std::vector<std::string>> ListSources() const;
  Result<bool> HasStateVersions() const;

  Storage& storage_;
  std::string path_;
};

/// The name of the offsets file of `batch`, below the checkpoint.
std::string OffsetsName(BatchId batch);

}  // namespace tidegauge
