// What a detector is: a name, settings, and a pure judgement of one query.
//
// A detector sees the comparison and the history of one query and says what holds now. It knows
// nothing of the other detectors, of hold times or of what it said before. What it cannot judge for
// lack of an answer it leaves out: the cycle reports that part of the query as unknown, and keeps
// findings alive that could not be looked at again.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/model.h"
#include "core/settings.h"
#include "core/topics/comparison.h"

namespace tidegauge {

/// How much of a checkpoint a detector must see. Without it, it can neither find anything nor call
/// off what it found before.
enum class Sees {
  kLag,        ///< the position, and every log end beside it
  kPosition,   ///< what a restart reads from
  kLogs,       ///< its logs, in whatever state they are
  kDataFiles,  ///< its logs, and a whole scan of the sink's data files
  kDirectory,  ///< that there is, or is not, such a directory
};

struct DetectorInfo {
  std::string_view id;       ///< file stem, config key, metric label, page, golden folder
  std::string_view summary;  ///< one sentence: when it holds
  Severity severity;         ///< unless configured otherwise
  Duration hold{};           ///< how long it must hold before it fires, unless configured otherwise
  bool needs_kafka = true;   ///< it cannot judge while the topic does not answer
  Sees sees = Sees::kPosition;
};

class Detector {
 public:
  explicit Detector(const DetectorInfo& info)
      : info_(info), severity_(info.severity), hold_(info.hold) {}
  virtual ~Detector() = default;
  Detector(const Detector&) = delete;
  Detector& operator=(const Detector&) = delete;

  const DetectorInfo& info() const { return info_; }
  bool enabled() const { return enabled_; }
  Severity severity() const { return severity_; }
  Duration hold() const { return hold_; }

  /// Shows every setting to `visitor`. A detector with settings of its own adds them after these.
  virtual void VisitSettings(SettingsVisitor& visitor);

  /// What holds now. Thread-safe: it changes nothing.
  virtual std::vector<Finding> Check(const QueryView& query) const = 0;

 protected:
  /// A finding of this kind and severity on the whole query, or on one topic of it.
  Finding MakeFinding(const QueryView& query) const;
  Finding MakeFinding(const QueryView& query, const TopicComparison& topic) const;
  /// ... or on one of its logs.
  Finding MakeFinding(const QueryView& query, const LogView& log) const;
  /// ... or on the data files that its sink's log lists.
  Finding MakeSinkFinding(const QueryView& query) const;

 private:
  DetectorInfo info_;
  bool enabled_ = true;
  Severity severity_;
  Duration hold_;
};

using DetectorPtr = std::unique_ptr<Detector>;

}  // namespace tidegauge
