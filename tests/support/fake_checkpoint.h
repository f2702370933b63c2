// A checkpoint directory as Spark writes it, in memory.
#pragma once

#include <string>
#include <vector>

#include "core/model.h"
#include "tests/support/memory_storage.h"

namespace tidegauge::testing {

/// Writes with the moment that `clock` points at. `storage` and `clock` must remain live.
class FakeCheckpoint {
 public:
  FakeCheckpoint(MemoryStorage& storage, std::string path, const Time& clock);

  /// offsets/N, for the next N; what the batch will read up to, of the query's only source.
  BatchId Plan(const TopicOffsets& ends);
  /// The same for several sources, each line as it stands in the file.
  BatchId PlanLines(const std::vector<std::string>& lines);
  /// commits/N of the newest batch.
  void Commit();
  /// Plan and Commit.
  BatchId Batch(const TopicOffsets& ends);
  BatchId BatchOfLines(const std::vector<std::string>& lines);

  /// The next batch is `batch`: for cases that name their numbers.
  void SetNext(BatchId batch) { next_ = batch; }
  /// An operator's edit: new offsets in a batch file that is there.
  void Edit(BatchId batch, const TopicOffsets& ends);
  /// Removes offsets/N and commits/N above `batch`, as one does who goes back to `batch`.
  void RollBackTo(BatchId batch);
  /// Another query begins in the same directory.
  void StartOver(const std::string& query_id);
  /// sources/0/0.
  void WriteInitial(const TopicOffsets& offsets);
  void RemoveAll();
  void RemoveOffsets(BatchId batch);

  const std::string& path() const { return path_; }

 private:
  std::string Text(const std::vector<std::string>& lines) const;
  void Write(const std::string& name, std::string text);

  MemoryStorage& storage_;
  std::string path_;
  const Time& clock_;
  BatchId next_ = 0;
};

/// `{"t":{"0":10}}`
std::string OffsetLine(const TopicOffsets& offsets);

}  // namespace tidegauge::testing
