#include "daemon/alertmanager/resender.h"

#include <algorithm>
#include <set>

namespace tidegauge {
namespace {

/// Three sends may be lost before an alert ends by itself.
constexpr int kLastsSends = 4;

}  // namespace

std::vector<TimedAlert> Resender::Due(const std::vector<Alert>& firing,
                                      const std::vector<EndedAlert>& ended, Time now) {
  std::set<Labels> fires;
  for (const Alert& alert : firing) {
    fires.insert(alert.labels);
    Sent& sent = sent_[alert.labels];
    if (sent.ended_at) sent = {};
    sent.alert = alert;
  }
  for (const auto& [alert, ended_at] : ended) {
    if (!fires.contains(alert.labels)) End(alert, ended_at);
  }
  for (auto& [labels, sent] : sent_) {
    if (!fires.contains(labels)) End(sent.alert, now);
  }
  Forget(now);
  const Time lasts_until = now + kLastsSends * std::max(delay_, interval_);
  std::vector<TimedAlert> due;
  for (auto& [labels, sent] : sent_) {
    if (sent.at && now - *sent.at < delay_) continue;
    sent.at = now;
    due.push_back({sent.alert, sent.ended_at.value_or(lasts_until)});
  }
  return due;
}

/// At once, whenever it was sent last.
void Resender::End(const Alert& alert, Time at) {
  Sent& sent = sent_[alert.labels];
  if (sent.ended_at) return;
  sent = {.alert = alert, .at = {}, .ended_at = at};
}

void Resender::Forget(Time now) {
  std::erase_if(sent_, [&](const auto& entry) {
    const auto& ended_at = entry.second.ended_at;
    return ended_at && now - *ended_at > kResolvedRepeated;
  });
}

}  // namespace tidegauge
