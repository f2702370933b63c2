// One librdkafka client: how it is configured, and why it fails when it fails.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/model.h"
#include "core/result.h"
#include "daemon/kafka/client_settings.h"
#include "daemon/kafka/deadline.h"
#include "daemon/kafka/handles.h"

namespace tidegauge {

/// A consumer-type client that belongs to no group, commits nothing, and may not make the broker
/// create a topic. It lives long, reconnects by itself, and is used by one thread at a time.
class Client {
 public:
  /// Connects in the background. Errors: kInvalid, naming the property that is wrong or not
  /// allowed.
  static Result<std::unique_ptr<Client>> Create(const KafkaClientSettings& settings);

  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  rd_kafka_s* handle() const { return handle_.get(); }

  QueueHandle NewQueue() const;

  /// Options for one admin call (`operation` is an rd_kafka_admin_op_t) that ends by itself after
  /// `timeout`. It goes to `broker`, or where the library thinks best if that is negative.
  OptionsHandle NewOptions(int operation, Duration timeout, std::int32_t broker) const;

  /// The next event on `queue`; empty once `deadline` has passed.
  EventHandle Await(rd_kafka_queue_s* queue, const Deadline& deadline) const;

  /// Forgets what went wrong before: the cluster has answered.
  void Answered();

  /// An error that says what was being done and how it failed. Where the connections themselves
  /// failed that reason is added, since the call's own is then a mere "timed out".
  Error Failure(std::string_view doing, std::string_view how, bool denied) const;

  /// What to show where `operation` on `topic` is not allowed: which rule is missing, for whom, and
  /// the command that adds it.
  std::string MissingRule(std::string_view operation, std::string_view topic) const;

 private:
  struct Trouble {
    int code = 0;
    std::string reason;
  };

  explicit Client(const KafkaClientSettings& settings);

  static void OnError(rd_kafka_s* client, int code, const char* reason, void* self);
  static void OnLog(const rd_kafka_s* client, int level, const char* facility, const char* line);

  std::string name_;
  std::string principal_;  ///< who this is to the broker; empty: only the broker knows
  Trouble trouble_;
  ClientHandle handle_;  // last: its callbacks write to what is above
};

}  // namespace tidegauge
