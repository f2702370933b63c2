// What somebody who mistyped a name most likely meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidegauge {

/// The candidate with the smallest edit distance to `name`, if about two thirds of it are right.
/// Among hundreds of candidates none is looked for.
std::optional<std::string> Nearest(std::string_view name,
                                   const std::vector<std::string>& candidates);

/// ", did you mean 'x'?", or ", known: a, b" when none is near (the first dozen), or nothing when
/// there are none.
std::string Suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace tidegauge
