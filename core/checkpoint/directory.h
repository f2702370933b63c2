// The listings of a checkpoint directory, taken in the order that keeps them consistent.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/checkpoint/offset_log.h"
#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"

namespace tidegauge {

struct CheckpointListing {
  std::vector<BatchId> offsets;  ///< ascending, each once
  std::vector<BatchId> commits;  ///< ascending, each once
  bool has_offsets_directory = false;

  std::optional<BatchId> newest() const;
  std::optional<BatchId> committed() const;
  /// The newest retained batch below `batch`.
  std::optional<BatchId> before(BatchId batch) const;
};

/// One checkpoint directory behind a Storage.
class CheckpointDirectory {
 public:
  /// `storage` must remain live while this object does.
  CheckpointDirectory(Storage& storage, std::string path)
      : storage_(storage), path_(std::move(path)) {}

  /// Lists commits before offsets, so that a batch that ends meanwhile never looks committed without
  /// its offsets. A missing offsets/ or commits/ counts as empty.
  Result<CheckpointListing> List() const;

  Result<OffsetLogEntry> ReadOffsets(BatchId batch) const;
  Result<TopicOffsets> ReadInitialOffsets(const std::string& source) const;
  /// Names of the directories below sources/, by number then by name; none when there is no sources/.
  Result<std::vector<std::string>> ListSources() const;
  Result<std::string> ReadQueryId() const;

  /// Status of `name` below the checkpoint; an absent file has none.
  std::optional<FileStatus> Status(const std::string& name) const;
  Result<FileStatus> Exists() const { return storage_.Stat(path_); }
  const std::string& path() const { return path_; }

 private:
  Result<std::vector<BatchId>> ListBatches(std::string_view name, bool* exists) const;

  Storage& storage_;
  std::string path_;
};

}  // namespace tidegauge
