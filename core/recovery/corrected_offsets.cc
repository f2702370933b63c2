#include "core/recovery/corrected_offsets.h"

#include <set>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/checkpoint/log_text.h"
#include "core/checkpoint/offset_log.h"

namespace tidegauge {
namespace {

/// Topic names need no escaping: Kafka allows letters, digits, `.`, `_` and `-`.
std::string ToLine(const TopicOffsets& topics) {
  std::vector<std::string> parts;
  for (const auto& [topic, offsets] : topics) {
    std::vector<std::string> numbers;
    for (const auto& [partition, offset] : offsets) {
      numbers.push_back(fmt::format("\"{}\":{}", partition, offset));
    }
    parts.push_back(fmt::format("\"{}\":{{{}}}", topic, fmt::join(numbers, ",")));
  }
  return fmt::format("{{{}}}", fmt::join(parts, ","));
}

bool Correct(TopicOffsets& topics, const Corrections& corrections, std::set<std::string>& done) {
  bool changed = false;
  for (const auto& [topic, partitions] : corrections) {
    const auto line = topics.find(topic);
    if (line == topics.end()) continue;
    for (const auto& [partition, offset] : partitions) {
      if (offset) {
        line->second[partition] = *offset;
      } else {
        line->second.erase(partition);
      }
    }
    done.insert(topic);
    changed = true;
  }
  return changed;
}

}  // namespace

Result<std::string> CorrectOffsets(std::string_view text, const Corrections& corrections) {
  const auto entry = ParseOffsetLogEntry(text);
  if (!entry) return std::unexpected(entry.error());
  std::set<std::string> done;
  std::vector<std::string> lines;
  for (const std::string_view line : SplitLines(text)) {
    // OffsetMap (v2) has the source's id before the first colon.
    const std::size_t id = entry->version == 1 || lines.size() < 2 ? 0 : line.find(':') + 1;
    auto source = ParseSourceLine(line.substr(id));
    const bool is_source = lines.size() >= 2 && source && source->kind == SourceKind::kKafka;
    if (is_source && Correct(source->topics, corrections, done)) {
      lines.push_back(std::string(line.substr(0, id)) + ToLine(source->topics));
    } else {
      lines.emplace_back(line);
    }
  }
  for (const auto& [topic, partitions] : corrections) {
    if (done.contains(topic)) continue;
    return Fail(ErrorKind::kInvalid, fmt::format("no source line has topic {}", topic));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace tidegauge
