// Holds the files in a file sink's output directory against the sink's log, a little in each poll.
//
// First each file that the log lists is looked at; then the directory is walked, for files that the
// log does not list. A log may be compacted meanwhile: a compact file repeats the entries of the
// files before it in their order (CompactibleFileStreamLog.compact), so that their number tells
// where to go on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/snapshot.h"
#include "core/model.h"
#include "core/output/data_files.h"
#include "core/output/output_walk.h"
#include "core/ports.h"
#include "core/result.h"
#include "core/sinklog/compactible_log.h"
#include "core/sinklog/entry_reader.h"

namespace tidegauge {

struct ScanLimits {
  std::int64_t files = 1000;  ///< that one step looks at; beside them it reads kEntriesPerFile …
  Duration interval = std::chrono::hours(1);  ///< between the end of a scan and the next

  friend bool operator==(const ScanLimits&, const ScanLimits&) = default;
};

/// … entries of the log for each, at most.
inline constexpr std::int64_t kEntriesPerFile = 250;

/// Used by one thread at a time. Eight bytes of memory for each file that the log lists.
class DataFileScan {
 public:
  /// `sink`: the output directory.
  explicit DataFileScan(std::string sink) : sink_(std::move(sink)) {}

  /// Goes on with the scan, or begins one when it is time: that is also when the last one found
  /// files missing or truncated. `log` is the sink's, `checkpoint` the query's, the checkpoint read
  /// before the log. Without a whole log nothing is judged. `now` is the moment of the call.
  void Step(Storage& storage, const CompactibleLog& log, const Checkpoint& checkpoint,
            const ScanLimits& limits, Time now);

  DataFileScanView View() const;

 private:
  enum class Phase { kIdle, kEntries, kFolders };

  bool IsDue(const ScanLimits& limits, Time now) const;
  void Begin();
  /// Takes the log as it is now for what the scan reads.
  Result<void> TakeLog(Storage& storage, const CompactibleLog& log, const Checkpoint& checkpoint,
                       Time now);
  Result<void> FindRoot(Storage& storage);
  Result<void> ReadEntries(Storage& storage);
  /// False: its turn comes in the next step.
  bool TakeEntry(Storage& storage, const LogEntry& entry);
  Result<void> LookAt(Storage& storage, const LogEntry& entry, const std::string& path);
  /// What looks lost at the end too.
  void LookAgain(Storage& storage, LackingFiles& missing);
  Result<void> Walk(Storage& storage);
  bool IsListed(const std::string& below) const;
  void TakeUnlisted(OutputFile file);
  void End(Time now);
  std::string InSink(const std::string& below) const;

  const std::string sink_;
  Phase phase_ = Phase::kIdle;
  std::shared_ptr<const DataFiles> last_;
  std::string error_;

  // Of the scan that runs.
  DataFiles found_;
  std::vector<std::uint64_t> listed_;  ///< hashes of paths, decoded; sorted before the walk
  std::optional<Time> oldest_listed_;
  Time newest_listed_;
  Time newest_orphan_;
  Time orphans_before_;  ///< what is younger may belong to a batch that is not in the log yet

  // Where it is in the log.
  bool has_log_ = false;
  std::string log_path_;
  std::vector<CheckedLogFile> files_;
  std::size_t file_ = 0;
  std::uint64_t offset_ = 0;     ///< in that file
  std::uint64_t entries_ = 0;    ///< read since TakeLog
  std::uint64_t looked_at_ = 0;  ///< of those, how many had been looked at before it

  std::optional<OutputWalk> walk_;  ///< where it is in the directory

  // What this step may still do.
  std::int64_t files_left_ = 0;
  std::int64_t entries_left_ = 0;
};

}  // namespace tidegauge
