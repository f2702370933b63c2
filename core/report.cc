#include "core/report.h"

namespace tidegauge {

std::string_view ToString(QueryState state) {
  switch (state) {
    case QueryState::kOk:
      return "ok";
    case QueryState::kFindings:
      return "findings";
    case QueryState::kUnknown:
      return "unknown";
  }
  return {};
}

std::string_view ToString(Phase phase) {
  switch (phase) {
    case Phase::kPending:
      return "pending";
    case Phase::kFiring:
      return "firing";
    case Phase::kResolved:
      return "resolved";
  }
  return {};
}

std::optional<Phase> ParsePhase(std::string_view text) {
  for (Phase phase : {Phase::kPending, Phase::kFiring, Phase::kResolved}) {
    if (ToString(phase) == text) return phase;
  }
  return std::nullopt;
}

std::string_view ToString(EventType type) {
  switch (type) {
    case EventType::kFiring:
      return "firing";
    case EventType::kResolved:
      return "resolved";
    case EventType::kAcknowledged:
      return "acknowledged";
  }
  return {};
}

std::optional<EventType> ParseEventType(std::string_view text) {
  for (EventType type : {EventType::kFiring, EventType::kResolved, EventType::kAcknowledged}) {
    if (ToString(type) == text) return type;
  }
  return std::nullopt;
}

}  // namespace tidegauge
