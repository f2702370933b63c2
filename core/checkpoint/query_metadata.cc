#include "core/checkpoint/query_metadata.h"

#include <simdjson.h>

namespace tidegauge {

Result<std::string> ParseQueryMetadata(std::string_view text) {
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  std::string_view id;
  const simdjson::padded_string padded(text);
  if (parser.parse(padded).get(document) != simdjson::SUCCESS ||
      document["id"].get(id) != simdjson::SUCCESS || id.empty()) {
    return Fail(ErrorKind::kCorrupt, R"(expected {"id":"<uuid>"})");
  }
  return std::string(id);
}

}  // namespace tidegauge
