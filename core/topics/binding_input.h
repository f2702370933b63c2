// All that is known about one query reading one topic in one poll.
#pragma once

#include <string>

#include "core/checkpoint/snapshot.h"
#include "core/history/ledger.h"
#include "core/model.h"
#include "core/ports.h"

namespace tidegauge {

struct BindingInput {
  BindingKey key;
  std::string kafka_cluster;  ///< its name in the configuration
  std::string cluster_id;     ///< empty: unknown
  const Checkpoint* checkpoint = nullptr;
  const SourceTopic* position = nullptr;
  const TopicAnswer* answer = nullptr;   ///< kPresent
  const Incarnation* current = nullptr;  ///< as noted for this poll
  const TopicStamps* stamps = nullptr;   ///< null: not asked or not answered
  Time now;
  Duration clock_margin{};
};

}  // namespace tidegauge
