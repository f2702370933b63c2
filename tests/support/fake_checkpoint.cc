#include "tests/support/fake_checkpoint.h"

#include <utility>

#include <fmt/core.h>

namespace tidegauge::testing {

std::string OffsetLine(const TopicOffsets& offsets) {
  std::string line = "{";
  for (const auto& [topic, partitions] : offsets) {
    line += fmt::format("{}\"{}\":{{", line.size() > 1 ? "," : "", topic);
    bool first = true;
    for (const auto& [partition, offset] : partitions) {
      line += fmt::format("{}\"{}\":{}", first ? "" : ",", partition, offset);
      first = false;
    }
    line += "}";
  }
  return line + "}";
}

FakeCheckpoint::FakeCheckpoint(MemoryStorage& storage, std::string path, const Time& clock)
    : storage_(storage), path_(std::move(path)), clock_(clock) {
  StartOver("11111111-0000-0000-0000-000000000000");
}

BatchId FakeCheckpoint::Plan(const TopicOffsets& ends) { return PlanLines({OffsetLine(ends)}); }

BatchId FakeCheckpoint::PlanLines(const std::vector<std::string>& lines) {
  Write(fmt::format("offsets/{}", next_), Text(lines));
  return next_++;
}

void FakeCheckpoint::Commit() {
  Write(fmt::format("commits/{}", next_ - 1), "v1\n{\"nextBatchWatermarkMs\":0}");
}

BatchId FakeCheckpoint::Batch(const TopicOffsets& ends) { return BatchOfLines({OffsetLine(ends)}); }

BatchId FakeCheckpoint::BatchOfLines(const std::vector<std::string>& lines) {
  const BatchId batch = PlanLines(lines);
  Commit();
  return batch;
}

void FakeCheckpoint::Edit(BatchId batch, const TopicOffsets& ends) {
  const std::string name = fmt::format("offsets/{}", batch);
  const std::string text = storage_.TextOf(path_ + "/" + name);
  const std::size_t lines = text.find('\n', text.find('\n') + 1) + 1;
  Write(name, text.substr(0, lines) + OffsetLine(ends));
}

void FakeCheckpoint::RollBackTo(BatchId batch) {
  storage_.SetClock(clock_);
  for (; next_ > batch + 1; --next_) {
    storage_.Remove(fmt::format("{}/offsets/{}", path_, next_ - 1));
    storage_.Remove(fmt::format("{}/commits/{}", path_, next_ - 1));
  }
}

void FakeCheckpoint::StartOver(const std::string& query_id) {
  RemoveAll();
  next_ = 0;
  Write("metadata", fmt::format("{{\"id\":\"{}\"}}", query_id));
}

void FakeCheckpoint::WriteInitial(const TopicOffsets& offsets) {
  Write("sources/0/0", std::string(1, '\0') + "v1\n" + OffsetLine(offsets));
}

void FakeCheckpoint::RemoveAll() {
  storage_.SetClock(clock_);
  storage_.Remove(path_);
}

void FakeCheckpoint::RemoveOffsets(BatchId batch) {
  storage_.SetClock(clock_);
  storage_.Remove(fmt::format("{}/offsets/{}", path_, batch));
}

std::string FakeCheckpoint::Text(const std::vector<std::string>& lines) const {
  std::string text = fmt::format(
      "v1\n{{\"batchWatermarkMs\":0,\"batchTimestampMs\":{},\"conf\":{{"
      "\"spark.sql.shuffle.partitions\":\"200\"}}}}",
      clock_.time_since_epoch().count());
  for (const std::string& line : lines) text += "\n" + line;
  return text;
}

void FakeCheckpoint::Write(const std::string& name, std::string text) {
  storage_.SetClock(clock_);
  storage_.Write(path_ + "/" + name, std::move(text));
}

}  // namespace tidegauge::testing
