// tidegauge record
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "config/discovery.h"
#include "config/replay_file.h"
#include "core/checkpoint/snapshot.h"
#include "core/recorded_cluster.h"
#include "daemon/clusters.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/exit_status.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/poller.h"
#include "daemon/storage/local_storage.h"

namespace tidegauge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = 64 << 20;

/// What one recording gathers before and while it is written.
class Recording {
 public:
  Recording(const Config& config, fs::path directory)
      : config_(config), directory_(std::move(directory)) {}

  Result<void> Make(const std::string& only_query);

 private:
  Result<void> CopyQuery(const Target& target);
  Result<void> CopyFiles(const fs::path& from, const fs::path& to, const std::string& name);
  void NoteTopics(const Target& target);
  Result<void> RecordClusters();
  Result<void> WriteConfig();

  const Config& config_;
  fs::path directory_;
  LocalStorage storage_;
  std::vector<Target> targets_;
  Questions questions_;
};

Result<void> WriteFile(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return {};
  return Fail(ErrorKind::kUnavailable, fmt::format("{}: cannot be written", path.string()));
}

Result<void> MakeDirectories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return {};
  return Fail(ErrorKind::kDenied, fmt::format("{}: {}", path.string(), error.message()));
}

RecordedTopic ToRecorded(const TopicAnswer& answer, const TopicStamps* stamps) {
  RecordedTopic topic{.id = answer.topic_id};
  if (stamps != nullptr) topic.timestamp_type = stamps->type;
  for (const auto& [number, watermarks] : answer.partitions) {
    RecordedPartition& partition = topic.partitions[number];
    partition.log_start = watermarks.log_start;
    partition.log_end = watermarks.log_end;
    if (stamps == nullptr || !stamps->first.contains(number)) continue;
    const StampedOffset& first = stamps->first.at(number);
    partition.by_time.emplace_back(first.timestamp, first.offset);
    const auto newest = stamps->newest.find(number);
    if (newest != stamps->newest.end() && newest->second.timestamp > first.timestamp) {
      partition.by_time.emplace_back(newest->second.timestamp, newest->second.offset);
    }
  }
  return topic;
}

/// The regular files of one directory of a checkpoint; one that vanishes meanwhile was purged.
Result<void> Recording::CopyFiles(const fs::path& from, const fs::path& to,
                                  const std::string& name) {
  auto names = storage_.List((from / name).string());
  if (!names) return {};
  if (auto made = MakeDirectories(to / name); !made) return made;
  for (const std::string& file : *names) {
    if (file.starts_with('.')) continue;
    auto text = storage_.Read((from / name / file).string(), kMaxFileBytes);
    if (!text) {
      Explain(fmt::format("left out: {}", text.error().message));
    } else if (auto written = WriteFile(to / name / file, *text); !written) {
      return written;
    }
  }
  return {};
}

Result<void> Recording::CopyQuery(const Target& target) {
  const fs::path from = target.checkpoint;
  const fs::path to = directory_ / "checkpoints" / target.query;
  if (auto made = MakeDirectories(to); !made) return made;
  std::vector<std::string> directories{"commits", "offsets"};
  if (auto sources = storage_.List((from / "sources").string())) {
    for (const std::string& source : *sources) directories.push_back("sources/" + source);
  }
  for (const std::string& directory : directories) {
    if (auto copied = CopyFiles(from, to, directory); !copied) return copied;
  }
  if (auto metadata = storage_.Read((from / "metadata").string(), kMaxFileBytes)) {
    return WriteFile(to / "metadata", *metadata);
  }
  return {};
}

void Recording::NoteTopics(const Target& target) {
  const auto checkpoint = ReadCheckpoint(storage_, target.checkpoint, nullptr, Now());
  if (!checkpoint) {
    Explain(fmt::format("query {}: {}", target.query, checkpoint.error().message));
    return;
  }
  for (const SourceTopic& position : (*checkpoint)->position) {
    questions_[target.kafka_cluster].insert(position.topic);
  }
}

Result<void> Recording::RecordClusters() {
  auto clusters = Clusters::Make(config_.kafka);
  if (!clusters) return std::unexpected(clusters.error());
  const Answers answers = clusters->Ask(questions_);
  const StampAnswers stamps = clusters->AskStamps(questions_);
  for (const auto& [name, asked] : answers) {
    if (!asked.answer) {
      return Fail(asked.answer.error().kind,
                  fmt::format("cluster {}: {}", name, asked.answer.error().message));
    }
    RecordedCluster recorded{.cluster_id = asked.answer->cluster_id};
    const auto stamped = stamps.find(name);
    for (const auto& [topic, answer] : asked.answer->topics) {
      if (answer.presence == TopicPresence::kMissing) continue;
      if (answer.presence == TopicPresence::kUnknown) {
        return Fail(ErrorKind::kUnavailable, fmt::format("topic {}: {}", topic, answer.error));
      }
      const bool has = stamped != stamps.end() && stamped->second.contains(topic);
      recorded.topics[topic] = ToRecorded(answer, has ? &stamped->second.at(topic) : nullptr);
    }
    const fs::path file = directory_ / fmt::format("kafka-{}.yaml", name);
    if (auto written = WriteReplayFile(file.string(), recorded); !written) return written;
  }
  return {};
}

Result<void> Recording::WriteConfig() {
  std::string text =
      "# A recording. To judge it: cd here && tidegauge check --config.file=config.yaml\nkafka:\n";
  for (const KafkaConfig& kafka : config_.kafka) {
    text += fmt::format("  - {{name: \"{0}\", replay_file: \"kafka-{0}.yaml\"}}\n", kafka.name);
  }
  text += "queries:\n";
  for (const Target& target : targets_) {
    text += fmt::format(
        "  - {{name: \"{0}\", checkpoint: \"${{PWD}}/checkpoints/{0}\", kafka: \"{1}\"}}\n",
        target.query, target.kafka_cluster);
  }
  return WriteFile(directory_ / "config.yaml", text);
}

Result<void> Recording::Make(const std::string& only_query) {
  for (const DiscoveredQuery& query : Discover(config_.queries, storage_).queries) {
    if (only_query.empty() || query.target.query == only_query) targets_.push_back(query.target);
  }
  if (targets_.empty()) return Fail(ErrorKind::kNotFound, "there is no such query");
  if (fs::exists(directory_)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("{}: exists already; name a new directory", directory_.string()));
  }
  for (const Target& target : targets_) {
    if (auto copied = CopyQuery(target); !copied) return copied;
    NoteTopics(target);
  }
  if (auto recorded = RecordClusters(); !recorded) return recorded;
  return WriteConfig();
}

}  // namespace

int RunRecord(const RecordOptions& options) {
  const auto config = LoadOrExplain(options.config_file);
  if (!config) return kExitConfig;
  const auto made = Recording(*config, options.directory).Make(options.query);
  if (!made) {
    Explain(made.error().message);
    return kExitFailure;
  }
  fmt::print("recorded in {}\n", options.directory);
  return kExitOk;
}

}  // namespace tidegauge
