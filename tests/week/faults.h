// What can go wrong in a week, and what has to be found of it.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/model.h"
#include "tests/week/week.h"

namespace tidegauge::testing {

struct Fault {
  std::string name;
  std::string query;
  std::set<std::string> kinds;  ///< that must be found of this query
  std::function<void(Week&)> put;
  /// It is put in when the query's driver is in this state.
  SimulatedQuery::State when = SimulatedQuery::State::kWaiting;
  std::set<std::string> also = {};  ///< kinds that may be found besides, of queries in `others` too
  std::set<std::string> others = {};
  /// How long it takes at most until the first of `kinds` can be known; none: the next poll knows.
  Duration within{};
  bool passes = false;  ///< what was found is over when the query has gone on
};

extern const std::vector<Fault> kTopicFaults;
extern const std::vector<Fault> kCheckpointFaults;
extern const std::vector<Fault> kSinkFaults;

}  // namespace tidegauge::testing
