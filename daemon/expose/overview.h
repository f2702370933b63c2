// What a person wants to know of a report first: how bad is it, and how much of it is known.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/report.h"

namespace tidegauge {

struct Overview {
  std::size_t critical = 0;  ///< that fire
  std::size_t warning = 0;
  std::size_t info = 0;
  std::size_t pending = 0;   ///< of any severity
  std::size_t judged = 0;    ///< queries of which everything could be judged
  std::size_t unjudged = 0;  ///< queries of which something could not
  std::size_t other_unknown =
      0;  ///< clusters that did not answer, and what concerns no single query
  /// Every judged query has been remembered at least since then; absent: not known of all of them.
  std::optional<Time> remembered_since;
  /// Firing before pending, then by severity, worst first. They point into the report.
  std::vector<const FindingReport*> findings;

  /// Something was judged, all of it could be, and nothing was found.
  bool all_clear() const;
};

Overview OverviewOf(const Report& report);

/// `2 critical, 1 pending, 1 query not judged`; `All clear: 4 queries judged`
std::string Headline(const Overview& overview);

}  // namespace tidegauge
