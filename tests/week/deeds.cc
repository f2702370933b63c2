#include "tests/week/deeds.h"

#include <utility>

#include <fmt/core.h>

namespace tidegauge::testing {

using namespace std::chrono_literals;

void Stop(Week& week, const std::string& query) {
  week.query(query).Kill(week.storage, week.now(), week.now() + 100h);
}

void Overwrite(Week& week, const std::string& path, std::string text) {
  week.storage.SetClock(week.now());
  week.storage.Write(path, std::move(text));
}

void Remove(Week& week, const std::string& path) {
  week.storage.SetClock(week.now());
  week.storage.Remove(path);
}

void Cut(Week& week, const std::string& path, double share) {
  const std::string text = week.storage.TextOf(path);
  Overwrite(week, path,
            text.substr(0, static_cast<std::size_t>(share * static_cast<double>(text.size()))));
}

std::vector<std::string> NamesIn(Week& week, const std::string& directory) {
  return week.storage.List(directory).value_or(std::vector<std::string>{});
}

void RemoveAllIn(Week& week, const std::string& directory) {
  for (const std::string& name : NamesIn(week, directory)) {
    Remove(week, fmt::format("{}/{}", directory, name));
  }
}

std::string CheckpointFile(Week& week, const std::string& query, const std::string& name) {
  return week.query(query).checkpoint() + "/" + name;
}

std::string InLog(Week& week, const std::string& query, const char* log, BatchId back) {
  return CheckpointFile(week, query,
                        fmt::format("{}/{}", log, week.query(query).batch() - 1 - back));
}

std::string Replace(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace tidegauge::testing
