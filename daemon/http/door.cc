#include "daemon/http/door.h"

namespace tidegauge {

std::expected<DoorPtr, Mistakes> MakeDoor(const WebFile& config, std::shared_ptr<CheckQueue> queue,
                                          const Door* previous) {
  auto door = std::make_shared<Door>();
  if (config.tls) {
    auto tls = MakeTlsContext(*config.tls);
    if (!tls) return std::unexpected(std::move(tls.error()));
    door->tls = *std::move(tls);
  }
  if (previous != nullptr && previous->auth && previous->auth->users() == config.users) {
    door->auth = previous->auth;
  } else if (!config.users.empty()) {
    door->auth = std::make_shared<BasicAuth>(config.users, std::move(queue));
  }
  if (config.rate_limit.interval > Duration::zero()) {
    door->limit = std::make_shared<RateLimiter>(config.rate_limit);
  }
  door->headers.assign(config.headers.begin(), config.headers.end());
  return door;
}

}  // namespace tidegauge
