#include "core/history/recollection.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/history/rhythm.h"

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

/// What `acknowledgement` accepts is over: what is seen next is right.
void Accept(Ledger& ledger, const Acknowledgement& acknowledgement) {
  const auto record = ledger.findings.find(acknowledgement.key);
  if (record == ledger.findings.end() || record->second.phase == Phase::kResolved) return;
  if (acknowledgement.at < record->second.pending_since || record->second.gone_since) return;
  const auto query = ledger.queries.find(acknowledgement.key.query);
  if (query == ledger.queries.end()) return;
  const std::string& kind = acknowledgement.key.kind;
  if (kind == "cluster_changed") query->second.cluster_id.clear();
  if (kind == "query_id_changed") query->second.former_query_id.clear();
  if (kind == "checkpoint_restarted") query->second.committed_batch = -1;
  if (kind == "checkpoint_missing") ledger.queries.erase(query);
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

/// The number of sources changes with no batch that Spark itself writes: what a file that was cut
/// short says is not learnt before a batch has ended on it.
void NoteProgress(QueryMemory& memory, const Checkpoint& checkpoint) {
  memory.checkpoint = checkpoint.path;
  memory.newest_batch = checkpoint.newest_batch.value_or(-1);
  const BatchId committed = checkpoint.newest_batch ? checkpoint.committed_batch.value_or(-1) : -1;
  if (committed > memory.committed_batch || memory.source_lines == 0) {
    memory.source_lines = static_cast<std::int64_t>(checkpoint.source_lines);
  }
  memory.committed_batch = std::max(memory.committed_batch, committed);
}

void ForgetQueries(Ledger& ledger, Time now) {
  std::erase_if(ledger.queries,
                [&](const auto& q) { return now - q.second.last_seen > kRemembered; });
  const auto forgotten = [&](const std::string& query) { return !ledger.queries.contains(query); };
  std::erase_if(ledger.bindings, [&](const auto& b) { return forgotten(std::get<0>(b.first)); });
  std::erase_if(ledger.position_rates,
                [&](const auto& r) { return forgotten(std::get<0>(r.first)); });
  std::erase_if(ledger.compact_sizes, [&](const auto& s) { return forgotten(s.first.first); });
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
  QueryMemory& memory = known->second;
  const bool moved = BothKnownAndDifferent(memory.checkpoint, checkpoint.path);
  const bool other_id = BothKnownAndDifferent(memory.query_id, checkpoint.query_id);
  if (!moved && !other_id) return;
  QueryMemory kept{.first_seen = memory.first_seen};
  if (!moved) {
    kept.checkpoint = memory.checkpoint;
    kept.committed_batch = memory.committed_batch;
    kept.longest_batch = memory.longest_batch;
    kept.longest_pause = memory.longest_pause;
    kept.second_pause = memory.second_pause;
    kept.former_query_id =
        memory.former_query_id.empty() ? memory.query_id : memory.former_query_id;
    if (kept.former_query_id == checkpoint.query_id) kept.former_query_id.clear();
  }
  memory = std::move(kept);
  std::erase_if(ledger.bindings, [&](const auto& b) { return std::get<0>(b.first) == query; });
  std::erase_if(ledger.position_rates,
                [&](const auto& r) { return std::get<0>(r.first) == query; });
}

QueryMemory NoteQuery(Ledger& ledger, const std::string& query, const Checkpoint& checkpoint,
                      const std::string& cluster_id, std::optional<Offset> waiting, Time now) {
  const auto [place, is_new] = ledger.queries.try_emplace(query);
  QueryMemory& memory = place->second;
  if (is_new) memory.first_seen = now;
  const QueryMemory before = memory;
  memory.last_seen = std::chrono::floor<std::chrono::hours>(now);
  if (!checkpoint.query_id.empty()) memory.query_id = checkpoint.query_id;
  if (memory.cluster_id.empty()) memory.cluster_id = cluster_id;
  if (checkpoint.position_known) {
    NoteRhythm(memory, checkpoint, waiting, now);
    NoteProgress(memory, checkpoint);
  }
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
    Accept(ledger, acknowledgement);
  }
}

void Forget(Ledger& ledger, const Readings& readings, Time now) {
  std::map<std::string, const Checkpoint*> read;
  for (const Reading& reading : readings.queries) {
    if (!reading.checkpoint || !(*reading.checkpoint)->position_known) continue;
    read[reading.target.query] = reading.checkpoint->get();
  }
  std::erase_if(ledger.skips, [&](const SkipEvent& event) { return MayForget(event, read); });
  ForgetQueries(ledger, now);
  ForgetTopics(ledger, now);
}

}  // namespace tidegauge
