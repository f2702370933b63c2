#include "daemon/kafka/current_client.h"

#include <optional>
#include <utility>

#include "daemon/log/log.h"

namespace tidegauge {
namespace {

/// A client that met the cluster while all its brokers were fenced (just thawed, or just started)
/// was told of no broker at all: librdkafka 2.14 then gives up the last one it knew, and never
/// connects again. So a client that fails this often in a row is replaced.
constexpr int kFailuresOfOneClient = 2;

}  // namespace

Result<CurrentClient> CurrentClient::Make(ClientFiles files) {
  auto material = files.Read();
  if (!material) return std::unexpected(material.error());
  auto client = Client::Create(material->settings);
  if (!client) return std::unexpected(client.error());
  return CurrentClient(std::move(files), *std::move(material), *std::move(client));
}

Result<ClusterDescription> CurrentClient::Describe(const std::set<std::string>& topics,
                                                   const Deadline& deadline) {
  LookAtFiles();
  ReplaceClientThatOnlyFails();
  std::optional<Error> refusal;
  if (next_ != nullptr) {
    auto cluster = DescribeWithNext(topics, Deadline(deadline.Left() / 2));
    if (cluster) return cluster;
    refusal = cluster.error();
  }
  auto cluster = tidegauge::Describe(*client_, topics, deadline);
  failures_ = cluster ? 0 : failures_ + 1;
  // Where both fail, the newer credentials are those that somebody has to mend.
  if (!cluster && refusal) return std::unexpected(*std::move(refusal));
  return cluster;
}

void CurrentClient::LookAtFiles() {
  auto material = files_.Read();
  if (!material) return Complain(material.error().message);
  if (*material == seen_) {
    if (next_ == nullptr) complaint_.clear();
    return;
  }
  seen_ = *std::move(material);
  complaint_.clear();
  next_.reset();
  if (auto fresh = Client::Create(seen_.settings)) {
    next_ = *std::move(fresh);
  } else {
    Complain(fresh.error().message);
  }
}

void CurrentClient::Complain(const std::string& reason) {
  if (std::exchange(complaint_, reason) == reason) return;
  Log(LogLevel::kWarn,
      "changed credentials cannot be used; the connections made with the old ones stay in use",
      {{"kafka_cluster", files_.cluster()}, {"reason", reason}});
}

Result<ClusterDescription> CurrentClient::DescribeWithNext(const std::set<std::string>& topics,
                                                           const Deadline& deadline) {
  auto cluster = tidegauge::Describe(*next_, topics, deadline);
  if (cluster) {
    client_ = std::exchange(next_, nullptr);
    failures_ = 0;
    Log(LogLevel::kInfo, "connected anew with changed credentials",
        {{"kafka_cluster", files_.cluster()}});
  } else if (complaint_.empty()) {
    Complain(cluster.error().message);  // its words change with the broker that was asked: once
  }
  return cluster;
}

void CurrentClient::ReplaceClientThatOnlyFails() {
  if (failures_ < kFailuresOfOneClient) return;
  failures_ = 0;
  auto fresh = Client::Create(seen_.settings);
  if (!fresh) return;
  client_ = *std::move(fresh);
  next_.reset();
}

}  // namespace tidegauge
