#include "tests/support/checkpoint_files.h"

#include <utility>

#include <fmt/core.h>

namespace tidegauge::testing {

std::string OffsetsFile::Text() const {
  std::string text = fmt::format("v{}\n", version);
  if (planned_ms != 0) {
    text += fmt::format(
        R"({{"batchWatermarkMs":0,"batchTimestampMs":{},"conf":{{"spark.sql.shuffle.partitions":"{}"}}}})",
        planned_ms, shuffle_partitions);
  }
  for (const std::string& line : lines) text += "\n" + line;
  return text;
}

std::string InitialOffsetsText(std::string_view json) {
  return std::string(1, '\0') + "v1\n" + std::string(json);
}

CheckpointWriter& CheckpointWriter::File(std::string_view name, std::string text) {
  storage_.Write(fmt::format("{}/{}", path_, name), std::move(text));
  return *this;
}

CheckpointWriter& CheckpointWriter::Metadata() {
  return File("metadata", std::string(kMetadataText));
}

CheckpointWriter& CheckpointWriter::Initial(std::string_view name, std::string_view json) {
  return File(fmt::format("sources/{}/0", name), InitialOffsetsText(json));
}

CheckpointWriter& CheckpointWriter::Offsets(BatchId batch, std::vector<std::string> lines) {
  const OffsetsFile file{.lines = std::move(lines), .planned_ms = kFirstBatchMs + batch * 60'000};
  return File(fmt::format("offsets/{}", batch), file.Text());
}

CheckpointWriter& CheckpointWriter::Commit(BatchId batch) {
  return File(fmt::format("commits/{}", batch), std::string(kCommitText));
}

CheckpointWriter& CheckpointWriter::Batch(BatchId batch, std::vector<std::string> lines) {
  return Offsets(batch, std::move(lines)).Commit(batch);
}

}  // namespace tidegauge::testing
