// What stands between a client and the pages: all that the file of --web.config.file says, ready
// for use.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/mistake.h"
#include "config/web_file.h"
#include "daemon/http/basic_auth.h"
#include "daemon/http/check_queue.h"
#include "daemon/http/rate_limiter.h"
#include "daemon/http/tls_context.h"

namespace tidegauge {

/// One without anything in it is open: plain HTTP for everybody.
struct Door {
  TlsContext tls;                                            ///< null: plain HTTP
  std::shared_ptr<BasicAuth> auth;                           ///< null: nobody is asked
  std::shared_ptr<RateLimiter> limit;                        ///< null: none
  std::vector<std::pair<std::string, std::string>> headers;  ///< of each response
};

using DoorPtr = std::shared_ptr<const Door>;

/// Reads the files that `config` names. The mistakes are of the file that `config` is from. Where
/// `previous` has the same users, what is remembered of their passwords is kept.
std::expected<DoorPtr, Mistakes> MakeDoor(const WebFile& config, std::shared_ptr<CheckQueue> queue,
                                          const Door* previous = nullptr);

}  // namespace tidegauge
