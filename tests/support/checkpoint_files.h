// Texts of checkpoint files, as Spark writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model.h"
#include "tests/support/memory_storage.h"

namespace tidegauge::testing {

/// When batch N of a CheckpointWriter was planned: this, and N minutes.
inline constexpr std::int64_t kFirstBatchMs = 1'796'000'000'000;

struct OffsetsFile {
  std::vector<std::string> lines;           ///< one a source
  std::int64_t planned_ms = kFirstBatchMs;  ///< 0: an empty metadata line, as continuous mode has
  std::string shuffle_partitions = "200";
  int version = 1;

  std::string Text() const;
};

/// sources/K/0 of a Kafka source.
std::string InitialOffsetsText(std::string_view json);

inline constexpr std::string_view kCommitText = "v1\n{\"nextBatchWatermarkMs\":0}";
inline constexpr std::string_view kMetadataText =
    R"({"id":"6eca668f-64be-4c5d-8fe4-404f4c70938b"})";

/// Writes a checkpoint into a MemoryStorage, below `path`. Calls can be chained.
class CheckpointWriter {
 public:
  CheckpointWriter(MemoryStorage& storage, std::string path)
      : storage_(storage), path_(std::move(path)) {}

  CheckpointWriter& Metadata();
  /// sources/`name`/0 of a Kafka source.
  CheckpointWriter& Initial(std::string_view name, std::string_view json);
  /// offsets/`batch`, version 1.
  CheckpointWriter& Offsets(BatchId batch, std::vector<std::string> lines);
  CheckpointWriter& Commit(BatchId batch);
  /// Offsets and commit.
  CheckpointWriter& Batch(BatchId batch, std::vector<std::string> lines);
  /// Any file, by its name below the checkpoint.
  CheckpointWriter& File(std::string_view name, std::string text);

 private:
  MemoryStorage& storage_;
  std::string path_;
};

}  // namespace tidegauge::testing
