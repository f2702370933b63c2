// What is wrong with a checkpoint so that the query's next start fails, or goes wrong in silence.
#pragma once

#include <string>
#include <string_view>

#include "core/model.h"

namespace tidegauge {

struct Damage {
  enum class Kind {
    kOffsetsLost,         ///< offsets/`batch`, which a restart needs, is not there
    kEpochLost,           ///< the same in continuous mode
    kCommitsAhead,        ///< commits go further than offsets, of which `batch` is the newest
    kOffsetsUnreadable,   ///< offsets/`batch`, or the initial offsets in sources
    kCommitUnreadable,    ///< commits/`batch`
    kVersion,             ///< `file` is of a Spark that is newer than this program
    kMetadataUnreadable,  ///< `metadata`, which has the query's id
    kOffsetsGone,         ///< offsets is empty, though batch `batch` has ended
    kSourcesChanged,      ///< `file` has other sources than the batch before, or than have begun
    kEmpty,               ///< the directory has neither offsets, sources nor metadata
  };
  Kind kind = Kind::kOffsetsLost;
  std::string file;    ///< below the checkpoint, e.g. "offsets/9"; empty: no single file
  BatchId batch = -1;  ///< -1: unknown, or of no meaning
  std::string what;    ///< in the words of who tried to read it, e.g. "empty", "line 2: …"

  friend bool operator==(const Damage&, const Damage&) = default;
};

/// `what` of a file that a listing names and nobody can open.
inline constexpr std::string_view kListedOnly = "it is listed, but is not there";

/// Takes apart what an error says of a file below `path`, "/c/offsets/9: empty", as the file and
/// what is said.
Damage DescribeDamage(Damage::Kind kind, const std::string& path, const std::string& message);

}  // namespace tidegauge
