#include "core/checkpoint/initial_position.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/checkpoint/layout.h"

namespace tidegauge {
namespace {

const SourceOffset* FindSource(const OffsetLogEntry& entry, const std::string& id) {
  const auto found = std::ranges::find(entry.sources, id, &SourceOffset::id);
  return found == entry.sources.end() ? nullptr : &*found;
}

Result<SourceOffset> ReadInitial(const CheckpointDirectory& directory, const std::string& name,
                                 FingerprintTaker& fingerprint) {
  fingerprint.Note(fmt::format("{}/{}/0", kSourcesDirectory, name));
  return directory.ReadInitialOffsets(name);
}

bool NamesAnyTopicOf(const OffsetLogEntry& entry, const SourceOffset& initial) {
  return std::ranges::any_of(initial.topics, [&](const auto& topic) {
    return std::ranges::any_of(entry.sources, [&](const SourceOffset& source) {
      return source.topics.contains(topic.first);
    });
  });
}

/// The line without an offset that belongs to directory `index`; null: none does, or it is not
/// known which. Lines of version 1 stand for occurrences in the query, directories for sources:
/// only when there are as many of both does their order match them.
SourceOffset* LineOf(OffsetLogEntry& entry, const SourceOffset& initial, std::size_t index,
                     std::size_t directories) {
  if (directories == entry.sources.size()) {
    SourceOffset& line = entry.sources[index];
    return line.kind == SourceKind::kNone ? &line : nullptr;
  }
  if (NamesAnyTopicOf(entry, initial)) return nullptr;
  const auto line = std::ranges::find(entry.sources, SourceKind::kNone, &SourceOffset::kind);
  return line == entry.sources.end() ? nullptr : &*line;
}

/// Version 2 leaves out sources that have no offset yet.
void AddNamed(SourceOffset initial, const OffsetLogEntry* earlier, OffsetLogEntry& entry) {
  const SourceOffset* before = earlier == nullptr ? nullptr : FindSource(*earlier, initial.id);
  if (before != nullptr && !before->topics.empty()) return;
  const auto line = std::ranges::find(entry.sources, initial.id, &SourceOffset::id);
  if (line == entry.sources.end()) {
    entry.sources.push_back(std::move(initial));
  } else if (line->kind == SourceKind::kNone) {
    *line = std::move(initial);
  }
}

void AddNumbered(SourceOffset initial, std::size_t index, std::size_t directories,
                 const OffsetLogEntry* earlier, OffsetLogEntry& entry,
                 std::vector<std::string>& problems) {
  if (SourceOffset* line = LineOf(entry, initial, index, directories)) {
    initial.id = line->id;
    *line = std::move(initial);
  } else if (directories > entry.sources.size() && earlier == nullptr &&
             !NamesAnyTopicOf(entry, initial)) {
    problems.push_back(
        fmt::format("sources/{} reads topic {}, of which the only batch says nothing: its file was "
                    "cut short, or the source is no part of the query any more",
                    initial.id, initial.topics.begin()->first));
  }
}

}  // namespace

Result<OffsetLogEntry> ReadInitialPosition(const CheckpointDirectory& directory,
                                           const std::vector<std::string>& sources,
                                           FingerprintTaker& fingerprint) {
  OffsetLogEntry entry;
  for (const std::string& name : sources) {
    auto initial = ReadInitial(directory, name, fingerprint);
    if (!initial) return std::unexpected(initial.error());
    entry.sources.push_back(std::move(*initial));
  }
  return entry;
}

bool NeedsInitialOffsets(const OffsetLogEntry& entry, const std::vector<std::string>& sources) {
  if (entry.version == 2) {
    return std::ranges::any_of(sources, [&](const std::string& name) {
      const SourceOffset* source = FindSource(entry, name);
      return source == nullptr || source->kind == SourceKind::kNone;
    });
  }
  return sources.size() > entry.sources.size() ||
         std::ranges::any_of(entry.sources, [](const SourceOffset& source) {
           return source.kind == SourceKind::kNone;
         });
}

Result<void> AddInitialOffsets(const CheckpointDirectory& directory,
                               const std::vector<std::string>& sources,
                               const OffsetLogEntry* earlier, FingerprintTaker& fingerprint,
                               OffsetLogEntry& entry, std::vector<std::string>& problems) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto initial = ReadInitial(directory, sources[i], fingerprint);
    if (!initial) return std::unexpected(initial.error());
    if (initial->kind != SourceKind::kKafka) continue;
    if (entry.version == 2) {
      AddNamed(std::move(*initial), earlier, entry);
    } else {
      AddNumbered(std::move(*initial), i, sources.size(), earlier, entry, problems);
    }
  }
  return {};
}

}  // namespace tidegauge
