#include "daemon/expose/subject.h"

#include <string_view>

#include <fmt/format.h>

#include "daemon/expose/clean_text.h"

namespace tidegauge {

std::string SubjectOf(const FindingKey& key) {
  std::string subject = fmt::format("query {}", Printable(key.query));
  const auto add = [&subject](std::string_view what, const std::string& name) {
    if (!name.empty()) subject += fmt::format(", {} {}", what, Printable(name));
  };
  add("topic", key.topic);
  add("source", key.source);
  add("log of", key.log);
  add("cluster", key.kafka_cluster);
  return subject;
}

}  // namespace tidegauge
