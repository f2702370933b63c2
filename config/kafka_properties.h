// What may stand under `properties` of a Kafka cluster.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tidegauge {

/// Whether the value of the property must not be shown: its name holds password, secret, key, token
/// or jaas, and it does not merely say in which file these are.
bool IsSecretName(std::string_view property);

/// Why `property` must not be set, and what to write instead: tidegauge sets it itself, or it is a
/// name of the Java client or of Spark. Absent: nothing is known against it.
std::optional<std::string> PropertyObjection(std::string_view property);

}  // namespace tidegauge
