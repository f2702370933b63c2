// Topic ids in Kafka's base64 forms.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tidegauge {

/// `text` as brokers' answers are shown (22 characters of base64's first alphabet, no padding);
/// Java's tools print the URL-safe one. Empty for the zero id, which means none. Absent: not an id.
std::optional<std::string> NormaliseTopicId(std::string_view text);

}  // namespace tidegauge
