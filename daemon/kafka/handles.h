// Owners of what librdkafka hands out, so that no event, queue or option outlives its use.
#pragma once

#include <memory>

struct rd_kafka_s;
struct rd_kafka_queue_s;
struct rd_kafka_op_s;
struct rd_kafka_AdminOptions_s;

namespace tidegauge {

struct HandleDeleter {
  void operator()(rd_kafka_s* client) const;
  void operator()(rd_kafka_queue_s* queue) const;
  void operator()(rd_kafka_op_s* event) const;
  void operator()(rd_kafka_AdminOptions_s* options) const;
};

template <typename T>
using Handle = std::unique_ptr<T, HandleDeleter>;

using ClientHandle = Handle<rd_kafka_s>;
using QueueHandle = Handle<rd_kafka_queue_s>;
using EventHandle = Handle<rd_kafka_op_s>;
using OptionsHandle = Handle<rd_kafka_AdminOptions_s>;

}  // namespace tidegauge
