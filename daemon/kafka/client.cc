#include "daemon/kafka/client.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

namespace tidegauge {
namespace {

struct ConfDeleter {
  void operator()(rd_kafka_conf_t* conf) const { rd_kafka_conf_destroy(conf); }
};
using ConfHandle = std::unique_ptr<rd_kafka_conf_t, ConfDeleter>;

struct Property {
  const char* name;
  const char* value;
};

// What a user may set otherwise.
constexpr std::array kDefaults = {
    Property{"client.id", "tidegauge"},
    // A broker that is frozen, not dead, keeps its connection until a request on it times out:
    // sooner than the library's 60 s.
    Property{"socket.timeout.ms", "10000"},
    // Of the library's 10 s a poll with a short deadline would see nothing after an outage.
    Property{"reconnect.backoff.max.ms", "2000"},
    // Zero keeps the library from running kinit: this program starts no processes. Kerberos works
    // from a credential cache, or from a keytab named in KRB5_CLIENT_KTNAME.
    Property{"sasl.kerberos.min.time.before.relogin", "0"},
};

// In place of an error's code, which is never 0.
constexpr int kOnlyLogged = 0;

struct Refusal {
  std::string_view name;
  std::string_view allowed;  // the one value that does no harm
  std::string_view why;
};

constexpr std::array kRefusals = {
    Refusal{"bootstrap.servers", "", "use bootstrap_servers"},
    Refusal{"metadata.broker.list", "", "use bootstrap_servers"},
    Refusal{"allow.auto.create.topics", "false", "a monitor must never create a topic"},
    Refusal{"enable.auto.commit", "false", "nothing is ever committed"},
    Refusal{"group.id", "", "no group is ever joined"},
    Refusal{"group.instance.id", "", "no group is ever joined"},
    Refusal{"plugin.library.paths", "", "no foreign code is loaded"},
    Refusal{"ssl.engine.id", "", "no foreign code is loaded"},
    Refusal{"ssl.engine.location", "", "no foreign code is loaded"},
    Refusal{"ssl.providers", "", "no foreign code is loaded"},
    Refusal{"sasl.kerberos.min.time.before.relogin", "0", "no kinit is run"},
};

Error Invalid(const std::string& cluster, std::string_view why) {
  return {ErrorKind::kInvalid, fmt::format("kafka cluster {}: {}", cluster, why)};
}

Result<void> CheckAllowed(const KafkaClientSettings& settings) {
  for (const Refusal& refusal : kRefusals) {
    const auto found = settings.properties.find(std::string(refusal.name));
    if (found == settings.properties.end() || found->second == refusal.allowed) continue;
    return std::unexpected(Invalid(
        settings.name, fmt::format("property {} cannot be set: {}", refusal.name, refusal.why)));
  }
  return {};
}

// Where tokens come from the library must be told, or it waits for them in silence.
Result<void> CheckTokens(const KafkaClientSettings& settings) {
  const auto is = [&](const char* name, std::string_view value) {
    const auto found = settings.properties.find(name);
    return found != settings.properties.end() && found->second == value;
  };
  if (!is("sasl.mechanism", "OAUTHBEARER") && !is("sasl.mechanisms", "OAUTHBEARER")) return {};
  if (is("sasl.oauthbearer.method", "oidc")) return {};
  if (is("enable.sasl.oauthbearer.unsecure.jwt", "true")) return {};
  return std::unexpected(
      Invalid(settings.name, "property sasl.oauthbearer.method must be oidc with OAUTHBEARER"));
}

// Of the other mechanisms, and of certificates, the broker makes a name of its own.
std::string PrincipalOf(const KafkaClientSettings& settings) {
  const auto value = [&](const char* name) {
    const auto found = settings.properties.find(name);
    return found == settings.properties.end() ? "" : found->second;
  };
  const std::string mechanism = value("sasl.mechanism") + value("sasl.mechanisms");
  return mechanism == "PLAIN" || mechanism.starts_with("SCRAM-") ? value("sasl.username") : "";
}

Result<void> Set(rd_kafka_conf_t* conf, const std::string& cluster, const std::string& name,
                 const std::string& value) {
  std::array<char, 512> why{};
  if (rd_kafka_conf_set(conf, name.c_str(), value.c_str(), why.data(), why.size()) ==
      RD_KAFKA_CONF_OK) {
    return {};
  }
  return std::unexpected(Invalid(cluster, fmt::format("property {}: {}", name, why.data())));
}

Result<ConfHandle> Configure(const KafkaClientSettings& settings) {
  ConfHandle conf(rd_kafka_conf_new());
  for (const Property& property : kDefaults) {
    if (auto set = Set(conf.get(), settings.name, property.name, property.value); !set) {
      return std::unexpected(set.error());
    }
  }
  for (const auto& [name, value] : settings.properties) {
    if (auto set = Set(conf.get(), settings.name, name, value); !set) {
      return std::unexpected(set.error());
    }
  }
  for (const auto& [name, value] :
       {Property{"bootstrap.servers", settings.bootstrap_servers.c_str()},
        Property{"allow.auto.create.topics", "false"}, Property{"enable.auto.commit", "false"},
        Property{"log.queue", "true"}}) {
    if (auto set = Set(conf.get(), settings.name, name, value); !set) {
      return std::unexpected(set.error());
    }
  }
  // Tokens are fetched on a thread of the library's own: polls may be further apart than they live.
  rd_kafka_conf_enable_sasl_queue(conf.get(), 1);
  return conf;
}

// Without the library's account of when it happened, and with what to look at where a broker says
// no more than that it does not like a certificate.
std::string Readable(std::string_view reason) {
  const std::string_view what = reason.substr(0, reason.rfind(" (after "));
  const bool refuses_certificate =
      what.find("alert") != what.npos && what.find("certificate") != what.npos;
  return fmt::format("{}{}", what,
                     refuses_certificate
                         ? ": the broker does not take this client's certificate: none is "
                           "configured (ssl.certificate.location), it has expired (openssl x509 "
                           "-enddate), or its issuer is not known there"
                         : "");
}

}  // namespace

Result<std::unique_ptr<Client>> Client::Create(const KafkaClientSettings& settings) {
  if (settings.bootstrap_servers.empty()) {
    return std::unexpected(Invalid(settings.name, "bootstrap_servers is empty"));
  }
  if (auto allowed = CheckAllowed(settings); !allowed) return std::unexpected(allowed.error());
  if (auto tokens = CheckTokens(settings); !tokens) return std::unexpected(tokens.error());
  Result<ConfHandle> conf = Configure(settings);
  if (!conf) return std::unexpected(conf.error());

  std::unique_ptr<Client> client(new Client(settings));
  rd_kafka_conf_set_opaque(conf->get(), client.get());
  rd_kafka_conf_set_error_cb(conf->get(), OnError);
  // Whoever sets `debug` wants to read the library's log, on standard error.
  if (!settings.properties.contains("debug")) rd_kafka_conf_set_log_cb(conf->get(), OnLog);
  std::array<char, 512> why{};
  client->handle_.reset(rd_kafka_new(RD_KAFKA_CONSUMER, conf->get(), why.data(), why.size()));
  if (client->handle_ == nullptr) return std::unexpected(Invalid(settings.name, why.data()));
  std::ignore = conf->release();  // the client's now

  // Both callbacks are now made by rd_kafka_poll, on the caller's thread.
  rd_kafka_set_log_queue(client->handle(), nullptr);
  // Fails where there is no mechanism with tokens, which is no failure.
  rd_kafka_error_destroy(rd_kafka_sasl_background_callbacks_enable(client->handle()));
  return client;
}

Client::Client(const KafkaClientSettings& settings)
    : name_(settings.name), principal_(PrincipalOf(settings)) {}

QueueHandle Client::NewQueue() const { return QueueHandle(rd_kafka_queue_new(handle())); }

OptionsHandle Client::NewOptions(int operation, Duration timeout, std::int32_t broker) const {
  OptionsHandle options(
      rd_kafka_AdminOptions_new(handle(), static_cast<rd_kafka_admin_op_t>(operation)));
  std::array<char, 128> why{};
  rd_kafka_AdminOptions_set_request_timeout(options.get(), std::max(Deadline(timeout).LeftMs(), 1),
                                            why.data(), why.size());
  if (broker >= 0) {
    rd_kafka_AdminOptions_set_broker(options.get(), broker, why.data(), why.size());
  }
  return options;
}

EventHandle Client::Await(rd_kafka_queue_s* queue, const Deadline& deadline) const {
  return EventHandle(rd_kafka_queue_poll(queue, deadline.LeftMs()));
}

void Client::Answered() {
  rd_kafka_poll(handle(), 0);
  trouble_ = {};
}

Error Client::Failure(std::string_view doing, std::string_view how, bool denied) const {
  rd_kafka_poll(handle(), 0);  // makes the callbacks, which write to trouble_
  const std::string reason = Readable(trouble_.reason);
  if (trouble_.code == RD_KAFKA_RESP_ERR__AUTHENTICATION) {
    return {ErrorKind::kDenied, fmt::format("kafka cluster {}: login refused: {}", name_, reason)};
  }
  if (trouble_.code == RD_KAFKA_RESP_ERR__SSL) {
    return {ErrorKind::kUnavailable, fmt::format("kafka cluster {}: no TLS: {}", name_, reason)};
  }
  return {denied ? ErrorKind::kDenied : ErrorKind::kUnavailable,
          fmt::format("kafka cluster {}: {}: {}{}{}", name_, doing, how, reason.empty() ? "" : ": ",
                      reason)};
}

std::string Client::MissingRule(std::string_view operation, std::string_view topic) const {
  return fmt::format(
      "not authorized: {0} on topic {1} is missing{2}{3} (kafka-acls.sh --add --allow-principal "
      "User:{4} --operation {0} --topic {1})",
      operation, topic, principal_.empty() ? "" : " for User:", principal_,
      principal_.empty() ? "..." : principal_);
}

void Client::OnError(rd_kafka_s*, int code, const char* reason, void* self) {
  Trouble& trouble = static_cast<Client*>(self)->trouble_;
  // "All brokers down" follows the reason for it, and a refused password is followed by the next
  // attempt's mere disconnect: keep what says most.
  if (code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN && !trouble.reason.empty()) return;
  if (trouble.code == RD_KAFKA_RESP_ERR__AUTHENTICATION && code != trouble.code) return;
  trouble = {code, reason};
}

void Client::OnLog(const rd_kafka_s* client, int, const char* facility, const char* line) {
  // Disconnects and requests that time out are in the log alone, and may be all there is to show.
  if (facility != std::string_view("FAIL") && facility != std::string_view("REQTMOUT")) return;
  Trouble& trouble = static_cast<Client*>(rd_kafka_opaque(client))->trouble_;
  if (!trouble.reason.empty() && trouble.code != kOnlyLogged) return;
  const std::string_view text = line;
  const std::size_t thread_end = text.find("]: ");  // "[thrd:…]: " says nothing to an operator
  trouble = {kOnlyLogged,
             std::string(thread_end == text.npos ? text : text.substr(thread_end + 3))};
}

}  // namespace tidegauge
