#include "daemon/setup.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "config/address.h"
#include "config/load.h"
#include "core/detectors/all.h"

namespace tidegauge {
namespace {

std::shared_ptr<Notifier> MakeNotifier(const Config& config) {
  const AlertmanagerConfig& to = config.alertmanager;
  return std::make_shared<Notifier>(
      NotifierOptions{.urls = SplitUrls(to.urls),
                      .credentials = {.basic_auth_user = to.basic_auth_user,
                                      .basic_auth_password_file = to.basic_auth_password_file,
                                      .bearer_token_file = to.bearer_token_file,
                                      .ca_file = to.ca_file,
                                      .cert_file = to.cert_file,
                                      .key_file = to.key_file},
                      .traits = {.external_labels = to.external_labels,
                                 .external_url = to.external_url,
                                 .runbook_base = to.runbook_base},
                      .resend_delay = to.resend_delay,
                      .poll_interval = config.poll_interval});
}

bool SameNotifier(const Config& left, const Config& right) {
  return left.alertmanager == right.alertmanager && left.poll_interval == right.poll_interval;
}

}  // namespace

std::expected<std::shared_ptr<Setup>, std::string> MakeSetup(const std::string& file,
                                                             const Shard& shard,
                                                             const Setup* before) {
  auto config = LoadConfig(file, AllDetectors());
  if (!config) return std::unexpected(Render(file, config.error()));
  config->shard = shard;
  auto setup = std::make_shared<Setup>(std::move(*config));
  auto world = LiveWorld::Make(setup->config, before != nullptr ? before->world.get() : nullptr);
  if (!world) return std::unexpected(fmt::format("{}: {}\n", file, world.error().message));
  setup->world = std::move(*world);
  const bool keep = before != nullptr && SameNotifier(before->config, setup->config);
  setup->notifier = keep ? before->notifier : MakeNotifier(setup->config);
  return setup;
}

Duration LongestPoll(const Config& config) {
  Duration kafka{};
  for (const KafkaConfig& cluster : config.kafka) kafka = std::max(kafka, cluster.timeout);
  return 6 * config.read_timeout + 3 * kafka + std::chrono::seconds(30);
}

}  // namespace tidegauge
