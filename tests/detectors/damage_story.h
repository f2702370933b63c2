// One detector on a checkpoint whose files are damaged, as it is read and over polls.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {

class DamageStory : public JudgeOne {
 protected:
  explicit DamageStory(std::string_view id) : JudgeOne(id) {
    view_.path = "/data/checkpoints/orders";
    story_.kafka.Set("t", "A", {{0, {0, 900}}});
  }

  /// Batches 0 to `newest`, the newest one ended or not.
  void Batches(BatchId newest, bool committed = true) {
    for (BatchId batch = 0; batch < newest; ++batch) story_.query().Batch(Ends(batch));
    story_.query().Plan(Ends(newest));
    if (committed) story_.query().Commit();
  }
  static TopicOffsets Ends(BatchId batch) { return {{"t", {{0, 10 * (batch + 1)}}}}; }

  std::string Path(const std::string& name) { return story_.query().path() + "/" + name; }
  /// `name` is below the checkpoint.
  void Write(const std::string& name, std::string text) {
    story_.storage.SetClock(story_.now);
    story_.storage.Write(Path(name), std::move(text));
  }
  void Remove(const std::string& name) {
    story_.storage.SetClock(story_.now);
    story_.storage.Remove(Path(name));
  }
  void Damaged(Damage damage) { checkpoint_->damage.push_back(std::move(damage)); }

  /// Long enough for any hold time of these kinds.
  const Report& Later() { return story_.PollFor(std::chrono::minutes(4)); }
  bool Fires() { return JudgeOne::Fires(Later()); }
  std::string Summary() { return The(story_.report, id_).summary; }
};

}  // namespace tidegauge::testing
