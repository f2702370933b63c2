#include "daemon/kafka/client_files.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tidegauge {
namespace {

// How librdkafka's properties end that name a file to be read: ssl.certificate.location,
// https.ca.location, sasl.oauthbearer.assertion.private.key.file, ...
bool NamesFile(std::string_view property) {
  return property.ends_with(".location") || property.ends_with(".file");
}

}  // namespace

Result<std::string> ClientFiles::ReadSecret(const std::string& file) const {
  auto text = read_(file);
  if (!text) return text;
  while (text->ends_with('\n') || text->ends_with('\r')) text->pop_back();
  // As while somebody writes it.
  if (text->empty()) return Fail(ErrorKind::kInvalid, fmt::format("{}: is empty", file));
  return text;
}

Result<ClientMaterial> ClientFiles::Read() const {
  ClientMaterial material{.settings = settings_, .files = {}};
  for (const auto& [property, file] : properties_file_) {
    auto secret = ReadSecret(file);
    if (!secret) {
      return Fail(secret.error().kind, fmt::format("kafka cluster {}: property {}: {}", cluster(),
                                                   property, secret.error().message));
    }
    material.settings.properties[property] = std::move(*secret);
  }
  if (!read_) return material;
  for (const auto& [property, value] : material.settings.properties) {
    if (!NamesFile(property)) continue;
    const auto content = read_(value);
    material.files[value] =
        content ? std::optional(std::hash<std::string>{}(*content)) : std::nullopt;
  }
  return material;
}

}  // namespace tidegauge
