#include "core/checkpoint/offset_log.h"

#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <simdjson.h>

#include "core/checkpoint/layout.h"
#include "core/checkpoint/log_text.h"

namespace tidegauge {
namespace {

namespace dom = simdjson::dom;

constexpr int kNewestOffsetLogVersion = 2;
constexpr std::size_t kMaxSources = 10'000;

/// The last moment of the year 9999. Whatever claims to be later is no time that Spark wrote.
constexpr std::int64_t kLastPlausibleMs = 253'402'300'799'999;

Result<void> ParseMetadataLine(std::string_view line, OffsetLogEntry& entry) {
  const std::string_view text = Trim(line);
  if (text.empty()) return {};
  dom::parser parser;
  dom::object metadata;
  const simdjson::padded_string padded(text);
  if (parser.parse(padded).get(metadata) != simdjson::SUCCESS) {
    return Fail(ErrorKind::kCorrupt,
                fmt::format("line 2: expected one JSON object, found '{}'", Excerpt(text)));
  }
  entry.has_metadata = true;
  std::int64_t planned_ms = 0;
  if (metadata["batchTimestampMs"].get(planned_ms) == simdjson::SUCCESS && planned_ms > 0 &&
      planned_ms <= kLastPlausibleMs) {
    entry.planned_at = Time(Duration(planned_ms));
  }
  std::string_view partitions;
  if (metadata["conf"]["spark.sql.shuffle.partitions"].get(partitions) == simdjson::SUCCESS) {
    entry.shuffle_partitions = partitions;
  }
  return {};
}

std::optional<Partition> ParsePartition(std::string_view key) {
  Partition partition = 0;
  const char* end = key.data() + key.size();
  if (key.empty() || key.front() == '-') return std::nullopt;
  if (std::from_chars(key.data(), end, partition) != std::from_chars_result{end, std::errc{}}) {
    return std::nullopt;
  }
  return partition;
}

bool IsNumber(dom::element_type type) {
  return type == dom::element_type::INT64 || type == dom::element_type::UINT64;
}

/// Whether `object` is {"<text>": {"<digits>": <whole number>, …}, …}.
bool IsKafkaShaped(const dom::object& object) {
  for (const auto& [topic, partitions] : object) {
    dom::object inner;
    if (partitions.get(inner) != simdjson::SUCCESS) return false;
    for (const auto& [partition, offset] : inner) {
      if (!ParsePartition(partition) || !IsNumber(offset.type())) return false;
    }
  }
  return true;
}

Result<TopicOffsets> KafkaOffsets(const dom::object& object) {
  TopicOffsets topics;
  for (const auto& [topic, partitions] : object) {
    if (!IsLegalTopicName(topic)) {
      return Fail(ErrorKind::kCorrupt,
                  fmt::format("'{}' is not a name that Kafka allows for a topic", Excerpt(topic)));
    }
    for (const auto& [partition, element] : dom::object(partitions)) {
      Offset offset = -1;
      if (element.get(offset) != simdjson::SUCCESS || offset < 0) {
        return Fail(ErrorKind::kCorrupt,
                    fmt::format("the offset of {}-{} is not one: expected 0 to {}", topic,
                                partition, std::numeric_limits<Offset>::max()));
      }
      topics[std::string(topic)][*ParsePartition(partition)] = offset;
    }
  }
  return topics;
}

Result<SourceOffset> FromObject(const dom::object& object) {
  SourceOffset source;
  if (!IsKafkaShaped(object)) {
    source.kind = SourceKind::kOther;
    return source;
  }
  auto topics = KafkaOffsets(object);
  if (!topics) return std::unexpected(topics.error());
  source.kind = topics->empty() ? SourceKind::kEmpty : SourceKind::kKafka;
  source.topics = std::move(*topics);
  return source;
}

Result<SourceOffset> ParseNumberedLine(std::string_view line, std::size_t number) {
  auto source = ParseSourceLine(line);
  if (!source) {
    return Fail(source.error().kind, fmt::format("line {}: {}", number, source.error().message));
  }
  source->id = std::to_string(number - 3);
  return source;
}

Result<SourceOffset> ParseNamedLine(std::string_view line, std::size_t number) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    return Fail(
        ErrorKind::kCorrupt,
        fmt::format("line {}: expected '<source>:<offset>', found '{}'", number, Excerpt(line)));
  }
  auto source = ParseSourceLine(line.substr(colon + 1));
  if (!source) {
    return Fail(source.error().kind, fmt::format("line {}: {}", number, source.error().message));
  }
  source->id = line.substr(0, colon);
  return source;
}

Result<OffsetLogEntry> StartEntry(const std::vector<std::string_view>& lines) {
  OffsetLogEntry entry;
  auto version = ParseVersionLine(lines.front());
  if (!version) return std::unexpected(version.error());
  if (*version > kNewestOffsetLogVersion) {
    return Fail(ErrorKind::kUnsupported,
                fmt::format("line 1: offset log version v{}; this program knows v1 and v2. "
                            "A newer Spark wrote it: update tidegauge",
                            *version));
  }
  entry.version = *version;
  const auto torn = [&] {
    return Fail(ErrorKind::kCorrupt,
                fmt::format("torn: {} of at least 3 lines (version, metadata, one line a source)",
                            lines.size()));
  };
  if (lines.size() < 2) return torn();
  if (auto metadata = ParseMetadataLine(lines[1], entry); !metadata) {
    return std::unexpected(metadata.error());
  }
  if (lines.size() < 3) return torn();
  if (entry.version == 2 && !entry.has_metadata) {
    return Fail(ErrorKind::kCorrupt, "line 2: blank, but version 2 requires metadata");
  }
  return entry;
}

}  // namespace

Result<SourceOffset> ParseSourceLine(std::string_view line) {
  const std::string_view text = Trim(line);
  if (text.empty()) {
    return Fail(ErrorKind::kCorrupt, "blank where a source's offset was expected");
  }
  SourceOffset source;
  if (text == "-") return source;
  if (text.front() != '{') {
    source.kind = SourceKind::kOther;
    return source;
  }
  dom::parser parser;
  dom::object object;
  const simdjson::padded_string padded(text);
  if (const auto error = parser.parse(padded).get(object); error != simdjson::SUCCESS) {
    return Fail(ErrorKind::kCorrupt, fmt::format("expected one JSON object, found '{}' ({})",
                                                 Excerpt(text), simdjson::error_message(error)));
  }
  return FromObject(object);
}

Result<OffsetLogEntry> ParseOffsetLogEntry(std::string_view text) {
  if (text.empty()) return Fail(ErrorKind::kCorrupt, "empty");
  const std::vector<std::string_view> lines = SplitLines(text);
  auto entry = StartEntry(lines);
  if (!entry) return entry;
  if (lines.size() > kMaxSources + 2) {
    return Fail(ErrorKind::kCorrupt,
                fmt::format("{} lines: no query has that many sources", lines.size()));
  }
  std::set<std::string> ids;
  for (std::size_t i = 2; i < lines.size(); ++i) {
    auto source =
        entry->version == 1 ? ParseNumberedLine(lines[i], i + 1) : ParseNamedLine(lines[i], i + 1);
    if (!source) return std::unexpected(source.error());
    if (!ids.insert(source->id).second) {
      return Fail(ErrorKind::kCorrupt,
                  fmt::format("line {}: source '{}' a second time", i + 1, Excerpt(source->id)));
    }
    entry->sources.push_back(std::move(*source));
  }
  return entry;
}

bool IsKafkaInitialOffsets(std::string_view text) { return text.starts_with('\0'); }

Result<TopicOffsets> ParseInitialOffsets(std::string_view text) {
  if (!IsKafkaInitialOffsets(text)) {
    return Fail(ErrorKind::kCorrupt,
                "no Kafka source's initial offsets: expected a zero byte first");
  }
  text.remove_prefix(1);
  if (text.starts_with('v')) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return Fail(ErrorKind::kCorrupt, "torn: no line after the version");
    }
    auto version = ParseVersionLine(text.substr(0, end));
    if (!version) return std::unexpected(version.error());
    if (*version > 1) {
      return Fail(ErrorKind::kUnsupported,
                  fmt::format("initial offsets version v{}; this program knows v1", *version));
    }
    text.remove_prefix(end + 1);
  }
  auto source = ParseSourceLine(text);
  if (!source) return std::unexpected(source.error());
  if (source->kind != SourceKind::kKafka && source->kind != SourceKind::kEmpty) {
    return Fail(ErrorKind::kCorrupt, "no Kafka source's initial offsets");
  }
  return std::move(source->topics);
}

}  // namespace tidegauge
