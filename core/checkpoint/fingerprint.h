// Whether anything changed since the last poll, told from the status of the files that were read.
#pragma once

#include <optional>
#include <string>

#include "core/checkpoint/directory.h"
#include "core/checkpoint/snapshot.h"
#include "core/model.h"

namespace tidegauge {

/// Notes the status of what is about to be read. Before, not after: what changes in between is then
/// read again at the next poll, and never missed.
class FingerprintTaker {
 public:
  /// `directory` must remain live while this object does.
  FingerprintTaker(const CheckpointDirectory& directory, Time now)
      : directory_(directory), now_(now) {}

  /// `name` is below the checkpoint. The first status of a name is the one that counts.
  void Note(const std::string& name);

  /// When `name`, which was noted, was last written; absent: not known.
  std::optional<Time> ModifiedAt(const std::string& name) const;

  /// Makes the next poll read again, whatever the status says.
  void Spoil() { complete_ = false; }

  /// Hands over what was noted. Where a status was not answered it recognizes nothing.
  void Finish(Checkpoint::Fingerprint& fingerprint);

 private:
  const CheckpointDirectory& directory_;
  Time now_;
  Checkpoint::Fingerprint::StatusByName status_;
  bool complete_ = true;
};

/// Whether file `name` is as `fingerprint` knows it. Spark writes a file once, by renaming.
bool IsAsKnown(const CheckpointDirectory& directory, const Checkpoint::Fingerprint& fingerprint,
               const std::string& name);

/// Whether everything is, and has been long enough for modification times to tell.
bool IsUnchanged(const CheckpointDirectory& directory, const Checkpoint::Fingerprint& fingerprint);

}  // namespace tidegauge
