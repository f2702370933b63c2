// Many small files: each costs readers a request, and each entry is written anew at every
// compaction of the log.
#include <fmt/core.h>

#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "sink_small_files",
                             .summary = "The sink's log lists very many, very small data files.",
                             .severity = Severity::kInfo,
                             .needs_kafka = false,
                             .sees = Sees::kDataFiles};

class SinkSmallFiles : public Detector {
 public:
  SinkSmallFiles() : Detector(kInfo) {}

  void VisitSettings(SettingsVisitor& visitor) override {
    Detector::VisitSettings(visitor);
    visitor.Field("min_files", min_files_, "How many data files are worth a word.");
    visitor.Field("small_bytes", small_bytes_, "Up to which average size they count as small.");
  }

  std::vector<Finding> Check(const QueryView& query) const override {
    if (query.data_files == nullptr) return {};
    const auto listed = static_cast<std::int64_t>(query.data_files->listed);
    if (listed == 0 || listed < min_files_) return {};
    const std::int64_t average = static_cast<std::int64_t>(query.data_files->listed_bytes) / listed;
    if (average > small_bytes_) return {};
    Finding finding = MakeSinkFinding(query);
    finding.summary = fmt::format(
        "The sink's log lists {} data files of {} bytes on average. Readers need a request for "
        "each, and every compaction of the log writes all their entries anew.",
        listed, average);
    return {std::move(finding)};
  }

 private:
  std::int64_t min_files_ = 100'000;
  std::int64_t small_bytes_ = 1 << 20;
};

}  // namespace

DetectorPtr MakeSinkSmallFiles() { return std::make_unique<SinkSmallFiles>(); }

}  // namespace tidegauge
