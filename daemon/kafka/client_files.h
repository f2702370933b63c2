// The files that a client is made from: secrets, certificates, keys.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/result.h"
#include "daemon/kafka/client_settings.h"

namespace tidegauge {

/// The content of a small file, or why not; the message names the file.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;

/// All that makes a client what it is. Two that are equal make the same client.
struct ClientMaterial {
  KafkaClientSettings settings;  ///< secrets included
  /// By the path of each file that librdkafka reads itself, a hash of its content; none if it could
  /// not be read, or is a directory.
  std::map<std::string, std::optional<std::size_t>> files;

  friend bool operator==(const ClientMaterial&, const ClientMaterial&) = default;
};

class ClientFiles {
 public:
  /// `properties_file`: by property, the file that holds its value. `read` may be empty where there
  /// is no file at all.
  ClientFiles(KafkaClientSettings settings, std::map<std::string, std::string> properties_file,
              ReadFile read)
      : settings_(std::move(settings)),
        properties_file_(std::move(properties_file)),
        read_(std::move(read)) {}

  const std::string& cluster() const { return settings_.name; }

  /// As the files are now. Of a secret the line break at its end is left out, which editors leave
  /// there. Errors: those of reading a secret, and kInvalid where it is empty; the message names
  /// cluster and property, never the content.
  Result<ClientMaterial> Read() const;

 private:
  Result<std::string> ReadSecret(const std::string& file) const;

  KafkaClientSettings settings_;
  std::map<std::string, std::string> properties_file_;
  ReadFile read_;
};

}  // namespace tidegauge
