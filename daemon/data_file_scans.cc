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

constexpr ScanLimits kWhole{.files = std::numeric_limits<std::int64_t>::max() / kEntriesPerFile};

Duration PatienceOf(const DataFileScans::Options& options) {
  return options.at_once ? options.read_timeout : std::min(kPatience, options.read_timeout);
}

bool HasHung(const DeadlinePool::Answer& answer, Time now, Duration timeout) {
  return answer.outcome == DeadlinePool::Outcome::kStuck && now - answer.since > timeout;
}

}  // namespace

DataFileScans::DataFileScans(const Options& options)
    : options_(options), pool_({.threads = options.threads, .deadline = PatienceOf(options)}) {}

void DataFileScans::Step(std::vector<Reading>& readings, Time now) {
  KeepScansOf(readings);
  StepScansOf(readings, now);
  for (Reading& reading : readings) {
    const auto scan = scans_.find(reading.target);
    if (scan != scans_.end()) reading.data_files = scan->second.view;
  }
}

void DataFileScans::KeepScansOf(const std::vector<Reading>& readings) {
  std::map<Target, Scan> kept;
  for (const Reading& reading : readings) {
    const Target& target = reading.target;
    if (!target.scan_data_files || target.sink.empty()) continue;
    if (auto known = scans_.extract(target)) {
      kept.insert(std::move(known));
    } else {
      kept.emplace(target, Scan{.files = std::make_shared<DataFileScan>(target.sink), .view = {}});
    }
  }
  scans_ = std::move(kept);
}

void DataFileScans::StepScansOf(const std::vector<Reading>& readings, Time now) {
  std::vector<DeadlinePool::Job> jobs;
  std::vector<Stepping> stepping;
  for (const Reading& reading : readings) {
    const auto scan = scans_.find(reading.target);
    if (scan == scans_.end() || !reading.checkpoint || !reading.logs.sink || !*reading.logs.sink) {
      continue;
    }
    stepping.push_back({.scan = &scan->second, .view = std::make_shared<DataFileScanView>()});
    jobs.push_back(JobOf(stepping.back(), reading, now));
  }
  if (jobs.empty()) return;
  const auto answers = pool_.Run(std::move(jobs), now);
  for (std::size_t i = 0; i < answers.size(); ++i) Take(answers[i], stepping[i], now);
}

DeadlinePool::Job DataFileScans::JobOf(const Stepping& step, const Reading& reading,
                                       Time now) const {
  return {.key = reading.target.query + '\n' + reading.target.sink,
          .group = reading.target.sink,
          .run = [files = step.scan->files, view = step.view, log = **reading.logs.sink,
                  checkpoint = *reading.checkpoint,
                  limits = options_.at_once ? kWhole : options_.limits, now] {
            LocalStorage storage;
            files->Step(storage, *log, *checkpoint, limits, now);
            *view = files->View();
          }};
}

void DataFileScans::Take(const DeadlinePool::Answer& answer, const Stepping& step, Time now) const {
  DataFileScanView& view = step.scan->view;
  if (answer.outcome == DeadlinePool::Outcome::kDone) {
    view = *step.view;
  } else if (options_.at_once || HasHung(answer, now, options_.read_timeout)) {
    view.error = "no answer in time (many files, or a mount that hangs?)";
  }
}

}  // namespace tidegauge
