#include "daemon/kafka/handles.h"

#include <librdkafka/rdkafka.h>

namespace tidegauge {

void HandleDeleter::operator()(rd_kafka_s* client) const {
  // Closing a consumer means leaving its group; there is none, and nothing here may block on a
  // broker.
  rd_kafka_destroy_flags(client, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
}

void HandleDeleter::operator()(rd_kafka_queue_s* queue) const { rd_kafka_queue_destroy(queue); }

void HandleDeleter::operator()(rd_kafka_op_s* event) const { rd_kafka_event_destroy(event); }

void HandleDeleter::operator()(rd_kafka_AdminOptions_s* options) const {
  rd_kafka_AdminOptions_destroy(options);
}

}  // namespace tidegauge
