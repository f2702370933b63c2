#include "daemon/poller.h"

#include <chrono>
#include <utility>

#include "core/cycle.h"
#include "daemon/log/log.h"

namespace tidegauge {

Time Now() { return std::chrono::floor<Duration>(std::chrono::system_clock::now()); }

Poller::Poller(std::unique_ptr<StateStore> store, Ledger ledger)
    : store_(std::move(store)),
      ledger_(std::move(ledger)),
      errors_{{"kafka", 0}, {"state", 0}, {"storage", 0}} {}

void Poller::Abandon() const {
  if (store_ != nullptr) store_->GiveUp();
}

bool Poller::Failed(std::string_view what, const Error& error) {
  ++errors_["state"];
  if (state_problem_ != error.message) Log(LogLevel::kError, what, {{"reason", error.message}});
  state_problem_ = error.message;
  return false;
}

void Poller::TakeAcknowledgements() {
  if (store_ == nullptr) return;
  auto made = store_->PollAcknowledgements();
  if (!made) {
    Failed("cannot read acknowledgements", made.error());
    return;
  }
  for (Acknowledgement& acknowledgement : *made) {
    Log(LogLevel::kInfo, "acknowledged",
        {{"kind", acknowledgement.key.kind},
         {"query", acknowledgement.key.query},
         {"topic", acknowledgement.key.topic},
         {"who", acknowledgement.who},
         {"why", acknowledgement.why}});
    ledger_.acknowledgements.push_back(std::move(acknowledgement));
  }
}

void Poller::Count(const Report& report) {
  for (const QueryReport& query : report.queries) {
    if (!query.checkpoint_up) ++errors_["storage"];
    for (const LogReport& log : query.logs) {
      if (!log.up) ++errors_["storage"];
    }
  }
  for (const ClusterReport& cluster : report.clusters) {
    if (!cluster.up) ++errors_["kafka"];
  }
}

void Poller::NoteSuccesses(Report& report) {
  for (ClusterReport& cluster : report.clusters) {
    auto& last_success = last_success_[cluster.kafka_cluster];
    if (cluster.last_success_at) last_success = cluster.last_success_at;
    cluster.last_success_at = last_success;
  }
}

bool Poller::Save() {
  if (store_ == nullptr) return false;
  const auto saved = store_->Save(ledger_);
  if (!saved) return Failed("cannot save what was learnt; going on in memory", saved.error());
  if (!state_problem_.empty()) Log(LogLevel::kInfo, "what was learnt is saved again");
  state_problem_.clear();
  return true;
}

ReportPtr Poller::Poll(World& world, const Rules& rules) {
  const auto start = std::chrono::steady_clock::now();
  TakeAcknowledgements();
  auto report = std::make_shared<Report>(RunCycle(world, rules, ledger_, Now()));
  report->state_kept = store_ != nullptr;
  report->state_persistent = Save();
  Count(*report);
  NoteSuccesses(*report);
  report->errors_total = errors_;
  report->poll = ++polls_;
  report->took = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start);
  return report;
}

}  // namespace tidegauge
