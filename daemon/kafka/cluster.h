// A live Kafka cluster.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/ports.h"
#include "core/result.h"
#include "daemon/kafka/client_files.h"
#include "daemon/kafka/client_settings.h"

namespace tidegauge {

/// Connects in the background: a cluster that is down is an error of Fetch, not of this, and is
/// found again when it is back. Several clusters are several objects, each with a thread of its
/// own.
///
/// A broker that hangs costs its own partitions, which are unknown; a cluster of which no broker
/// answers costs one timeout. Log ends are high watermarks, as Spark reads by default.
///
/// `properties_file`: by property, the file that holds its value. These files, and those that other
/// properties name, are looked at in each Fetch by `read`; what happens when they change is told in
/// current_client.h.
///
/// Errors: kInvalid, naming the property that librdkafka does not know, or that a monitor may not
/// have; those of `read`.
Result<std::unique_ptr<Cluster>> MakeKafkaCluster(
    const KafkaClientSettings& settings, std::map<std::string, std::string> properties_file = {},
    ReadFile read = {});

}  // namespace tidegauge
