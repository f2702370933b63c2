#include "core/history/recollection.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace tidegauge {
namespace {

bool BothKnownAndDifferent(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}

bool Covers(const Acknowledgement& acknowledgement, const SkipEvent& event) {
  const FindingKey& key = acknowledgement.key;
  return key.kind == "records_skipped" && key.query == event.query && key.topic == event.topic &&
         key.source == event.source && acknowledgement.at >= event.seen_at;
}

/// The cluster change that `acknowledgement` accepts is over: the next cluster id seen is the right
/// one.
void AcceptCluster(Ledger& ledger, const Acknowledgement& acknowledgement) {
  const auto record = ledger.findings.find(acknowledgement.key);
  if (record == ledger.findings.end() || record->second.phase == Phase::kResolved) return;
  if (acknowledgement.at < record->second.pending_since) return;
  const auto query = ledger.queries.find(acknowledgement.key.query);
  if (query != ledger.queries.end()) query->second.cluster_id.clear();
}

/// An event must be remembered as long as the batch file that would show it again.
bool MayForget(const SkipEvent& event, const std::map<std::string, const Checkpoint*>& read) {
  const auto checkpoint = read.find(event.query);
  if (!event.acknowledged || checkpoint == read.end()) return false;
  if (BothKnownAndDifferent(event.query_id, checkpoint->second->query_id)) return true;
  return std::ranges::none_of(checkpoint->second->steps, [&](const BatchStep& step) {
    return step.batch == event.batch && step.topic == event.topic;
  });
}

void ForgetQueries(Ledger& ledger, Time now) {
  std::erase_if(ledger.queries,
                [&](const auto& q) { return now - q.second.last_seen > kRemembered; });
  const auto forgotten = [&](const std::string& query) { return !ledger.queries.contains(query); };
  std::erase_if(ledger.bindings, [&](const auto& b) { return forgotten(std::get<0>(b.first)); });
  std::erase_if(ledger.position_rates,
                [&](const auto& r) { return forgotten(std::get<0>(r.first)); });
  std::erase_if(ledger.skips, [&](const SkipEvent& e) { return forgotten(e.query); });
}

void ForgetTopics(Ledger& ledger, Time now) {
  std::erase_if(ledger.incarnations, [&](const auto& lives) {
    return lives.second.empty() || now - lives.second.back().last_seen > kRemembered;
  });
  std::erase_if(ledger.log_start_rates,
                [&](const auto& rates) { return !ledger.incarnations.contains(rates.first); });
}

}  // namespace

void ForgetOtherCheckpoint(Ledger& ledger, const std::string& query, const Checkpoint& checkpoint) {
  const auto known = ledger.queries.find(query);
  if (known == ledger.queries.end()) return;
  if (!BothKnownAndDifferent(known->second.query_id, checkpoint.query_id)) return;
  known->second = {.first_seen = known->second.first_seen};
  std::erase_if(ledger.bindings, [&](const auto& b) { return std::get<0>(b.first) == query; });
  std::erase_if(ledger.position_rates,
                [&](const auto& r) { return std::get<0>(r.first) == query; });
}

QueryMemory NoteQuery(Ledger& ledger, const std::string& query, const Checkpoint& checkpoint,
                      const std::string& cluster_id, Time now) {
  const auto [place, is_new] = ledger.queries.try_emplace(query);
  QueryMemory& memory = place->second;
  if (is_new) memory.first_seen = now;
  const QueryMemory before = memory;
  if (!checkpoint.query_id.empty()) memory.query_id = checkpoint.query_id;
  if (memory.cluster_id.empty()) memory.cluster_id = cluster_id;
  memory.newest_batch = checkpoint.newest_batch.value_or(-1);
  memory.last_seen = std::chrono::floor<std::chrono::hours>(now);
  return before;
}

std::vector<SkipEvent> OpenSkips(const Ledger& ledger, const std::string& query) {
  std::vector<SkipEvent> open;
  std::ranges::copy_if(ledger.skips, std::back_inserter(open), [&](const SkipEvent& event) {
    return event.query == query && !event.acknowledged;
  });
  return open;
}

void ApplyAcknowledgements(Ledger& ledger) {
  for (const Acknowledgement& acknowledgement : ledger.acknowledgements) {
    for (SkipEvent& event : ledger.skips) {
      if (Covers(acknowledgement, event)) event.acknowledged = true;
    }
    if (acknowledgement.key.kind == "cluster_changed") AcceptCluster(ledger, acknowledgement);
  }
}

void Forget(Ledger& ledger, const Readings& readings, Time now) {
  std::map<std::string, const Checkpoint*> read;
  for (const Reading& reading : readings.queries) {
    if (reading.checkpoint) read[reading.target.query] = reading.checkpoint->get();
  }
  std::erase_if(ledger.skips, [&](const SkipEvent& event) { return MayForget(event, read); });
  ForgetQueries(ledger, now);
  ForgetTopics(ledger, now);
}

}  // namespace tidegauge
