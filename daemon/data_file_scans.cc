#include "daemon/data_file_scans.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "daemon/storage/local_storage.h"

namespace tidegauge {
namespace {

/// How long a poll waits for a step.
constexpr Duration kPatience = std::chrono::seconds(1);

/// `check` and `plan` poll once, and look at all.
constexpr ScanLimits kWhole{.files = std::numeric_limits<std::int64_t>::max() / kEntriesPerFile};

Duration PatienceOf(const Config& config) {
  return config.rules.at_once ? config.read_timeout : std::min(kPatience, config.read_timeout);
}

bool HasHung(const DeadlinePool::Answer& answer, Time now, Duration timeout) {
  return answer.outcome == DeadlinePool::Outcome::kStuck && now - answer.since > timeout;
}

}  // namespace

DataFileScans::DataFileScans(const Config& config)
    : config_(config),
      limits_(config.rules.at_once ? kWhole : config.data_file_scan),
      pool_({.threads = static_cast<std::size_t>(config.read_concurrency),
             .deadline = PatienceOf(config)}) {}

void DataFileScans::Step(std::vector<Reading>& readings, Time now) {
  std::map<Target, Scan> scans;
  std::vector<DeadlinePool::Job> jobs;
  std::vector<Scan*> stepping;
  std::vector<std::shared_ptr<DataFileScanView>> views;
  for (const Reading& reading : readings) {
    const Target& target = reading.target;
    if (!target.scan_data_files || target.sink.empty()) continue;
    auto known = scans_.extract(target);
    Scan& scan = scans[target];
    scan = known ? std::move(known.mapped())
                 : Scan{.files = std::make_shared<DataFileScan>(target.sink), .view = {}};
    if (!reading.checkpoint || !reading.logs.sink || !*reading.logs.sink) continue;
    auto view = std::make_shared<DataFileScanView>();
    jobs.push_back({.key = target.query + '\n' + target.sink,
                    .group = target.sink,
                    .run = [files = scan.files, log = **reading.logs.sink,
                            checkpoint = *reading.checkpoint, limits = limits_, now, view] {
                      LocalStorage storage;
                      files->Step(storage, *log, *checkpoint, limits, now);
                      *view = files->View();
                    }});
    stepping.push_back(&scan);
    views.push_back(std::move(view));
  }
  scans_ = std::move(scans);
  if (!jobs.empty()) {
    const auto answers = pool_.Run(std::move(jobs), now);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      DataFileScanView& view = stepping[i]->view;
      if (answers[i].outcome == DeadlinePool::Outcome::kDone) {
        view = std::move(*views[i]);
      } else if (config_.rules.at_once || HasHung(answers[i], now, config_.read_timeout)) {
        view.error = "no answer in time (many files, or a mount that hangs?)";
      }
    }
  }
  for (Reading& reading : readings) {
    const auto scan = scans_.find(reading.target);
    if (scan != scans_.end()) reading.data_files = scan->second.view;
  }
}

}  // namespace tidegauge
