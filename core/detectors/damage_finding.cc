#include "core/detectors/damage_finding.h"

#include <algorithm>

namespace tidegauge {
namespace {

/// Longer than any driver needs to write a few kilobytes.
constexpr Duration kWriting = std::chrono::seconds(60);

bool MayBeWritingStill(const QueryView& query, const Damage& damage) {
  const Checkpoint& checkpoint = *query.checkpoint;
  const bool in_flight = damage.batch == checkpoint.newest_batch.value_or(-1) &&
                         checkpoint.committed_batch.value_or(-1) < damage.batch;
  return in_flight && checkpoint.newest_batch_at &&
         query.now - *checkpoint.newest_batch_at < kWriting;
}

}  // namespace

std::optional<Damage> FirstDamage(const QueryView& query,
                                  std::initializer_list<Damage::Kind> kinds) {
  const auto& damage = query.checkpoint->damage;
  const auto found = std::ranges::find_if(damage, [&](const Damage& one) {
    return std::ranges::find(kinds, one.kind) != kinds.end() && !MayBeWritingStill(query, one);
  });
  return found == damage.end() ? std::nullopt : std::optional(*found);
}

void SetDamage(Finding& finding, const Damage& damage) {
  finding.key.kafka_cluster.clear();
  if (damage.batch >= 0) finding.batch = damage.batch;
}

}  // namespace tidegauge
