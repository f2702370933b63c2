// What may stand under `properties` of a Kafka cluster.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tidegauge {

/// Whether the value of the property must not be shown: the name holds password, secret, key, token
/// or jaas, or begins as those of logins and certificates do and is not known to be harmless. Where
/// a file lies is shown.
bool IsSecretName(std::string_view property);

/// Why `property` must not be set, and what to write instead: tidegauge sets it itself, or it is a
/// name of the Java client or of Spark. Absent: nothing is known against it.
std::optional<std::string> PropertyObjection(std::string_view property);

}  // namespace tidegauge
