// A live Kafka cluster.
#pragma once

#include <memory>

#include "core/ports.h"
#include "core/result.h"
#include "daemon/kafka/client_settings.h"

namespace tidegauge {

/// Connects in the background: a cluster that is down is an error of Fetch, not of this, and is
/// found again when it is back. Several clusters are several objects, each with a thread of its
/// own.
///
/// A broker that hangs costs its own partitions, which are unknown; a cluster of which no broker
/// answers costs one timeout. Log ends are high watermarks, as Spark reads by default.
///
/// Errors: kInvalid, naming the property that librdkafka does not know, or that a monitor may not
/// have.
Result<std::unique_ptr<Cluster>> MakeKafkaCluster(const KafkaClientSettings& settings);

}  // namespace tidegauge
