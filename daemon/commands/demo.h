// tidegauge demo
#pragma once

#include <string>

namespace tidegauge {

struct DemoOptions {
  std::string listen_address = "127.0.0.1:10977";
};

/// Makes checkpoints and a Kafka of its own in a temporary directory, runs the daemon on them until
/// Ctrl-C, and leaves nothing behind. Returns the exit status.
int RunDemo(const DemoOptions& options);

}  // namespace tidegauge
