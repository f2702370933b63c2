// tidegauge record
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "config/print.h"
#include "config/replay_file.h"
#include "core/checkpoint/layout.h"
#include "core/checkpoint/snapshot.h"
#include "core/recorded_cluster.h"
#include "core/sinklog/compactible_log.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/commands/recorded_files.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"
#include "daemon/impatient_storage.h"
#include "daemon/live_world.h"
#include "daemon/poller.h"

namespace tidegauge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = 64 << 20;
// Stands in the printed configuration for the directory of the recording, wherever that will be.
constexpr std::string_view kHere = "/@recording@";

/// What one recording gathers before and while it is written.
class Recording {
 public:
  Recording(Config& config, fs::path directory)
      : config_(config), directory_(std::move(directory)), storage_(config.read_timeout) {}

  /// Errors: nothing was recorded, or the recording cannot be written.
  Result<void> Make(const std::string& only_query);
  /// Whether all there was to record is in it.
  bool complete() const { return complete_; }

 private:
  Result<void> Choose(LiveWorld& world, const std::string& only_query);
  Result<void> CopyQuery(const Target& target, QueryConfig& query);
  Result<BatchId> CopyFiles(const fs::path& from, const fs::path& to, const std::string& name);
  Result<void> CopySources(const Target& target, const fs::path& to);
  Result<void> NoteState(const fs::path& from, const fs::path& to);
  Result<void> CopySink(const Target& target, BatchId planned, QueryConfig& query);
  BatchId PlannedByNow(const Target& target);
  Result<void> RecordClusters(LiveWorld& world);
  Result<void> RecordCluster(const std::string& name, const ClusterAnswer& answer,
                             const StampAnswers& stamps);
  Result<void> WriteConfig();

  std::string FileName(std::string_view prefix, const std::string& name);
  void LeaveOut(const std::string& what) {
    Explain("left out: " + what);
    complete_ = false;
  }

  Config& config_;
  fs::path directory_;
  ImpatientStorage storage_;
  std::vector<Target> targets_;
  Questions questions_;
  std::set<std::string> file_names_;
  std::map<std::string, std::string> cluster_files_;
  std::vector<QueryConfig> queries_;  ///< of the recorded configuration
  bool complete_ = true;
};

bool IsPlain(std::string_view name) {
  return !name.empty() && name.size() <= 200 && name.front() != '.' && name.front() != '-' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '-' || c == '_';
         });
}

/// What a directory can bring into a query's name, and a literal name cannot hold.
std::string WithoutPatterns(std::string name) {
  std::ranges::replace(name, '{', '(');
  std::ranges::replace(name, '}', ')');
  std::ranges::replace(name, '*', '+');
  return name;
}

Result<void> WriteFile(const fs::path& directory, const std::string& name,
                       const std::string& text) {
  return WriteRecordedFile(
      directory, {.name = name, .status = {.size = text.size(), .modified = Now()}, .head = text});
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

/// A name for a file or directory of the recording, its own whatever the query or cluster is
/// called.
std::string Recording::FileName(std::string_view prefix, const std::string& name) {
  std::string file = IsPlain(name) ? name : fmt::format("{}-{}", prefix, file_names_.size());
  while (!file_names_.insert(fmt::format("{} {}", prefix, file)).second) file += '_';
  return file;
}

/// The regular files of one directory of a checkpoint; one that vanishes meanwhile was purged.
/// Returns the newest batch among them, or -1.
Result<BatchId> Recording::CopyFiles(const fs::path& from, const fs::path& to,
                                     const std::string& name) {
  BatchId newest = -1;
  const std::string directory = (from / name).string();
  auto names = storage_.List(directory);
  if (!names) {
    if (names.error().kind != ErrorKind::kNotFound) LeaveOut(names.error().message);
    return newest;
  }
  if (auto made = MakeDirectories(to / name); !made) return std::unexpected(made.error());
  for (const std::string& file : *names) {
    if (file.starts_with('.')) continue;
    auto read = ReadRecordedFile(storage_, directory, file, kMaxFileBytes);
    if (!read) {
      if (read.error().kind != ErrorKind::kNotFound) LeaveOut(read.error().message);
      continue;
    }
    auto written = WriteRecordedFile(to / name, *read);
    if (!written) return std::unexpected(written.error());
    newest = std::max(newest, ParseBatchFileName(file).value_or(-1));
  }
  return newest;
}

Result<void> WriteLog(const fs::path& directory, const RecordedLog& log) {
  if (auto made = MakeDirectories(directory); !made) return made;
  for (const RecordedFile& file : log.files) {
    if (auto written = WriteRecordedFile(directory, file); !written) return written;
  }
  return {};
}

/// A log that cannot be read is left out whole: files that are not in it would be missed.
Result<void> Recording::CopySources(const Target& target, const fs::path& to) {
  const fs::path from = target.checkpoint;
  const auto sources = storage_.List((from / kSourcesDirectory).string());
  if (!sources) {
    if (sources.error().kind != ErrorKind::kNotFound) LeaveOut(sources.error().message);
    return {};
  }
  for (const std::string& source : *sources) {
    if (source.starts_with('.')) continue;
    const fs::path name = fs::path(kSourcesDirectory) / source;
    const auto log =
        ReadRecordedLog(storage_, (from / name).string(), target.source_compact_interval, Now());
    if (!log) {
      LeaveOut(log.error().message);
    } else if (log->exists) {
      if (auto written = WriteLog(to / name, *log); !written) return written;
    }
  }
  return {};
}

/// The names of the versions by which state without a batch is known.
Result<void> Recording::NoteState(const fs::path& from, const fs::path& to) {
  const fs::path place = fs::path(kStateDirectory) / "0" / "0";
  const auto names = storage_.List((from / place).string());
  if (!names) return {};
  if (auto made = MakeDirectories(to / place); !made) return made;
  for (const std::string& name : *names) {
    if (name.starts_with('.')) continue;
    if (auto written = WriteFile(to / place, name, ""); !written) return written;
  }
  return {};
}

/// -1: none, or it is not known.
BatchId Recording::PlannedByNow(const Target& target) {
  BatchId newest = -1;
  const auto names = storage_.List(fmt::format("{}/{}", target.checkpoint, kOffsetsDirectory));
  if (!names) return newest;
  for (const std::string& name : *names) {
    newest = std::max(newest, ParseBatchFileName(name).value_or(-1));
  }
  return newest;
}

/// `planned` is the newest batch of the recorded checkpoint. What the query has written since is
/// left out, so that its log does not look ahead of it.
Result<void> Recording::CopySink(const Target& target, BatchId planned, QueryConfig& query) {
  auto log = ReadRecordedLog(storage_, fmt::format("{}/{}", target.sink, kSinkLogDirectory),
                             target.compact_interval, Now());
  if (!log) {
    LeaveOut(fmt::format("query {}: its sink: {}", target.query, log.error().message));
    return {};
  }
  if (PlannedByNow(target) > planned) CutAfter(*log, planned);
  const fs::path place = fs::path("sinks") / FileName("sink", target.query);
  query.sink = fmt::format("{}/{}", kHere, place.string());
  query.compact_interval = target.compact_interval;
  if (log->exists) return WriteLog(directory_ / place / kSinkLogDirectory, *log);
  return log->parent_exists ? MakeDirectories(directory_ / place) : Result<void>();
}

/// The commits first and the sink's log last, as every poll reads them.
Result<void> Recording::CopyQuery(const Target& target, QueryConfig& query) {
  const fs::path from = target.checkpoint;
  const fs::path place = fs::path("checkpoints") / FileName("query", target.query);
  const fs::path to = directory_ / place;
  query.checkpoint = fmt::format("{}/{}", kHere, place.string());
  query.source_compact_interval = target.source_compact_interval;
  if (auto made = MakeDirectories(to); !made) return made;
  const auto committed = CopyFiles(from, to, std::string(kCommitsDirectory));
  if (!committed) return std::unexpected(committed.error());
  const auto planned = CopyFiles(from, to, std::string(kOffsetsDirectory));
  if (!planned) return std::unexpected(planned.error());
  if (auto copied = CopySources(target, to); !copied) return copied;
  if (*committed < 0 && *planned < 0) {
    if (auto noted = NoteState(from, to); !noted) return noted;
  }
  if (const auto metadata =
          ReadRecordedFile(storage_, from.string(), std::string(kMetadataFile), kMaxFileBytes)) {
    if (auto written = WriteRecordedFile(to, *metadata); !written) return written;
  }
  return target.sink.empty() ? Result<void>() : CopySink(target, *planned, query);
}

Result<void> Recording::Choose(LiveWorld& world, const std::string& only_query) {
  const Readings readings = world.ReadCheckpoints(Now());
  for (const std::string& problem : readings.unknown) LeaveOut(problem);
  for (const Reading& reading : readings.queries) {
    const Target& target = reading.target;
    if (!only_query.empty() && target.query != only_query) continue;
    targets_.push_back(target);
    if (!reading.checkpoint) {
      Explain(fmt::format("query {}: {}", target.query, reading.checkpoint.error().message));
      continue;
    }
    if (!(*reading.checkpoint)->position_known) {
      for (const std::string& problem : (*reading.checkpoint)->problems) {
        Explain(fmt::format("query {}: {}", target.query, problem));
      }
    }
    for (const SourceTopic& position : (*reading.checkpoint)->position) {
      questions_[target.kafka_cluster].insert(position.topic);
    }
  }
  if (!targets_.empty()) return {};
  return Fail(ErrorKind::kNotFound, only_query.empty()
                                        ? "there is no query to record"
                                        : fmt::format("there is no query '{}'", only_query));
}

/// A topic that was not answered must not be left out of the answer: judged again, it would be
/// missing.
Result<void> Recording::RecordCluster(const std::string& name, const ClusterAnswer& answer,
                                      const StampAnswers& stamps) {
  RecordedCluster recorded{.cluster_id = answer.cluster_id};
  const auto stamped = stamps.find(name);
  for (const auto& [topic, about] : answer.topics) {
    if (about.presence == TopicPresence::kMissing) continue;
    if (about.presence == TopicPresence::kUnknown) {
      LeaveOut(fmt::format("cluster {}: topic {}: {}", name, topic, about.error));
      return {};
    }
    const bool has = stamped != stamps.end() && stamped->second.contains(topic);
    recorded.topics[topic] = ToRecorded(about, has ? &stamped->second.at(topic) : nullptr);
  }
  return WriteReplayFile((directory_ / cluster_files_.at(name)).string(), recorded);
}

Result<void> Recording::RecordClusters(LiveWorld& world) {
  const Answers answers = world.Ask(questions_);
  const StampAnswers stamps = world.AskStamps(questions_);
  for (const auto& [name, asked] : answers) {
    cluster_files_[name] = fmt::format("kafka-{}.yaml", FileName("cluster", name));
    if (!asked.answer) {
      LeaveOut(fmt::format("cluster {}: {}", name, asked.answer.error().message));
    } else if (auto recorded = RecordCluster(name, *asked.answer, stamps); !recorded) {
      return recorded;
    }
  }
  return {};
}

/// The configuration as it is, but for where everything lies.
Result<void> Recording::WriteConfig() {
  const std::string here(kHere);
  config_.state_dir = here + "/state";
  config_.queries = queries_;
  for (KafkaConfig& kafka : config_.kafka) {
    kafka = {.name = kafka.name,
             .replay_file = fmt::format("{}/{}", here, cluster_files_.at(kafka.name)),
             .timeout = kafka.timeout};
  }
  std::string text =
      "# A recording. To judge it: cd here && tidegauge check --config.file=config.yaml\n"
      "# Large files of logs have holes in place of their content: pack it with tar -S.\n";
  // Switched on, each data file that a log lists would be reported as missing.
  if (std::ranges::any_of(targets_, &Target::scan_data_files)) {
    text +=
        "# Data files are not recorded, and not judged: scan_data_files, which was on, is off here."
        "\n";
  }
  text += PrintConfig(config_);
  for (auto at = text.find(here); at != text.npos; at = text.find(here, at)) {
    text.replace(at, here.size(), "${PWD}");
  }
  return WriteFile(directory_, "config.yaml", text);
}

Result<void> Recording::Make(const std::string& only_query) {
  auto world = LiveWorld::Make(config_);
  if (!world) return std::unexpected(world.error());
  if (auto chosen = Choose(**world, only_query); !chosen) return chosen;
  if (std::error_code ignored; fs::exists(directory_, ignored)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("{}: exists already; name a new directory", directory_.string()));
  }
  std::set<std::string> names;
  for (const Target& target : targets_) {
    std::string name = WithoutPatterns(target.query);
    while (!names.insert(name).second) name += '+';
    if (name != target.query)
      Explain(fmt::format("query {} is recorded as {}", target.query, name));
    QueryConfig& query =
        queries_.emplace_back(QueryConfig{.name = std::move(name), .kafka = target.kafka_cluster});
    if (target.scan_data_files) {
      Explain(fmt::format(
          "query {}: data files are not recorded: scan_data_files is off in the recording",
          target.query));
    }
    if (auto copied = CopyQuery(target, query); !copied) return copied;
  }
  if (auto recorded = RecordClusters(**world); !recorded) return recorded;
  world->reset();  // it looks at the configuration
  return WriteConfig();
}

}  // namespace

int RunRecord(const RecordOptions& options) {
  auto config = LoadOrExplain(options.config_file);
  if (!config) return kExitConfig;
  Recording recording(*config, options.directory);
  if (const auto made = recording.Make(options.query); !made) {
    Explain(made.error().message);
    return kExitFailure;
  }
  const bool printed =
      PrintResult(fmt::format("recorded in {}{}\n", options.directory,
                              recording.complete() ? "" : ", but for what was left out"));
  return printed && recording.complete() ? kExitOk : kExitFailure;
}

}  // namespace tidegauge
