// tidegauge plan
#include "core/recovery/plan.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "core/checkpoint/directory.h"
#include "core/checkpoint/offset_log.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/commands/memory_copy.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"
#include "daemon/expose/plan_json.h"
#include "daemon/expose/plan_text.h"
#include "daemon/impatient_storage.h"
#include "daemon/live_world.h"
#include "daemon/poller.h"

namespace tidegauge {
namespace {

namespace fs = std::filesystem;

const QueryReport* FindQuery(const Report& report, const std::string& name) {
  const auto found = std::ranges::find(report.queries, name, &QueryReport::query);
  return found == report.queries.end() ? nullptr : &*found;
}

/// Those that hold now: of one that is gone, and fires on because it flapped, the numbers are old.
std::vector<Finding> FindingsOf(const Report& report, const std::string& query) {
  std::vector<Finding> findings;
  for (const FindingReport& finding : report.findings) {
    const bool holds = finding.finding.key.query == query && !finding.gone_since;
    if (holds) findings.push_back(finding.finding);
  }
  return findings;
}

std::string BootstrapServers(const Config& config, const std::string& cluster) {
  const auto known = std::ranges::find(config.kafka, cluster, &KafkaConfig::name);
  return known == config.kafka.end() ? std::string() : known->bootstrap_servers;
}

/// The text of the file that a correction would change; empty, and told why, if it cannot be read.
std::string OffsetsText(const Config& config, const QueryReport& query) {
  const auto batch = FindBatchesToCorrect(query).change;
  if (!batch) return {};
  ImpatientStorage storage(config.read_timeout);
  auto text =
      storage.Read(fmt::format("{}/{}", query.checkpoint, OffsetsName(*batch)), kMaxBatchFileBytes);
  if (text) return std::move(*text);
  Explain(text.error().message);
  return {};
}

const Reading* FindReading(const Readings& readings, const std::string& query) {
  const auto found = std::ranges::find(readings.queries, query,
                                       [](const Reading& reading) { return reading.target.query; });
  return found == readings.queries.end() || !found->checkpoint ? nullptr : &*found;
}

std::vector<LogInput> LogsOf(const Config& config, const Reading& reading, const Site& site) {
  const Checkpoint& checkpoint = **reading.checkpoint;
  std::optional<Time> unfinished_since;
  if (checkpoint.newest_batch != checkpoint.committed_batch) {
    unfinished_since = checkpoint.newest_batch_at;
  }
  ImpatientStorage storage(config.read_timeout);
  std::vector<LogInput> logs;
  for (const LogView& log : ViewLogs(reading.logs, checkpoint, Now())) {
    logs.push_back(ReadLogInput(storage, site, log, checkpoint.newest_batch, unfinished_since));
  }
  return logs;
}

DataFileInput DataFilesOf(const Config& config, const Reading& reading) {
  if (!reading.data_files || reading.data_files->last == nullptr) return {};
  ImpatientStorage storage(config.read_timeout);
  for (const LogView& log : ViewLogs(reading.logs, **reading.checkpoint, Now())) {
    if (log.is_sink()) return ReadDataFileInput(storage, log, *reading.data_files->last);
  }
  return {};
}

/// So that what is printed sees what this command saw, from any directory.
std::string CommonOptions(const PlanOptions& options) {
  const auto option = [](std::string_view name, const std::string& path) {
    return fmt::format("{}={}", name, Quote(fs::absolute(path).lexically_normal().string()));
  };
  std::string text = option("--config.file", options.config_file);
  if (!options.state_dir.empty()) text += " " + option("--state.dir", options.state_dir);
  return text;
}

/// This very command, but for the directory.
std::string AgainWith(const PlanOptions& options, std::string_view output) {
  return fmt::format(
      "tidegauge plan {} {}{} --output={}", Quote(options.query), CommonOptions(options),
      options.hdfs_mount.empty() ? std::string()
                                 : fmt::format(" --hdfs.mount={}", Quote(options.hdfs_mount)),
      output);
}

/// Where the plan's files are written; empty: they are not.
std::string DirectoryOf(const PlanOptions& options) {
  if (options.output.empty()) return {};
  return fs::absolute(options.output).lexically_normal().string();
}

std::vector<std::string> HowToSetUp(const PlanOptions& options) {
  if (options.output.empty()) {
    return {"export PLAN=/var/tmp/tidegauge-plan", AgainWith(options, "\"$PLAN\"")};
  }
  return {fmt::format("export PLAN={}", Quote(DirectoryOf(options)))};
}

Result<void> Write(const Plan& plan, const std::string& directory) {
  const fs::path root(directory);
  std::error_code error;
  if (fs::exists(root, error)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("{} exists already: name a directory that does not", directory));
  }
  fs::create_directories(root, error);
  for (const PlanFile& file : plan.files) {
    if (!error) fs::create_directories((root / file.name).parent_path(), error);
    if (error) break;
    std::ofstream out(root / file.name, std::ios::binary);
    out << file.content;
    if (!out.flush()) error = std::make_error_code(std::errc::io_error);
  }
  if (error) {
    return Fail(ErrorKind::kDenied, fmt::format("cannot write {}: {}", directory, error.message()));
  }
  return {};
}

}  // namespace

int RunPlan(const PlanOptions& options) {
  auto config = LoadOrExplain(options.config_file);
  if (!config) return kExitConfig;
  config->rules.at_once = true;
  auto world = LiveWorld::Make(*config);
  if (!world) {
    Explain(fmt::format("{}: {}", options.config_file, world.error().message));
    return kExitConfig;
  }
  Ledger ledger = CopyMemory(options.state_dir.empty() ? config->state_dir : options.state_dir);
  const auto remembered = ledger.queries.find(options.query);
  const std::string query_id =
      remembered == ledger.queries.end() ? std::string() : remembered->second.query_id;
  Poller poller(nullptr, std::move(ledger));
  const ReportPtr report = poller.Poll(**world, config->rules);
  const QueryReport* query = FindQuery(*report, options.query);
  if (query == nullptr) {
    Explain(fmt::format("there is no query '{}'", options.query));
    return kExitFailure;
  }
  const Readings readings = (*world)->ReadCheckpoints(Now());
  const Reading* reading = FindReading(readings, options.query);
  const Site site(query->checkpoint, reading == nullptr ? std::string() : reading->target.sink,
                  options.hdfs_mount);
  if (!options.hdfs_mount.empty() && !site.is_on_hdfs()) {
    Explain(fmt::format("--hdfs.mount={}: neither {} nor the sink is below it", options.hdfs_mount,
                        query->checkpoint));
    return kExitUsage;
  }
  const Plan plan = MakePlan(
      {.query = *query,
       .findings = FindingsOf(*report, query->query),
       .site = site,
       .options = CommonOptions(options),
       .remembered_query_id = query_id,
       .bootstrap_servers = BootstrapServers(*config, query->kafka_cluster),
       .offsets_text = OffsetsText(*config, *query),
       .kafka_sources = reading == nullptr ? 1 : (*reading->checkpoint)->kafka_sources,
       .logs = reading == nullptr ? std::vector<LogInput>() : LogsOf(*config, *reading, site),
       .data_files = reading == nullptr ? DataFileInput() : DataFilesOf(*config, *reading)});
  if (!options.output.empty()) {
    if (const auto written = Write(plan, options.output); !written) {
      Explain(written.error().message);
      return kExitFailure;
    }
  }
  const bool printed =
      PrintResult(options.json ? PlanJson(plan, DirectoryOf(options), HowToSetUp(options))
                               : PlanText(plan, HowToSetUp(options)));
  if (!printed) return kExitFailure;
  return plan.unknown.empty() ? kExitOk : kExitUnknown;
}

}  // namespace tidegauge
