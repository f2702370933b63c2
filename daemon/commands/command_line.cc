// The command line, in the style of Prometheus. CLI11 is used here alone.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>

#include <fmt/core.h>
#include <unistd.h>

#include "config/duration.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/demo.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"
#include "daemon/http/address.h"
#include "daemon/log/log.h"
#include "daemon/run_service.h"
#include "daemon/version.h"

namespace tidegauge {
namespace {

constexpr const char* kListenAddress = "--web.listen-address";
constexpr const char* kSystemdSocket = "--web.systemd-socket";
constexpr const char* kWebConfigFile = "--web.config.file";
constexpr const char* kEnableLifecycle = "--web.enable-lifecycle";
constexpr const char* kShardIndex = "--shard.index";
constexpr const char* kShardCount = "--shard.count";
constexpr const char* kDefaultConfigFile = "/etc/tidegauge/tidegauge.yaml";

std::string CurrentUser() {
  const char* user = std::getenv("SUDO_USER");
  if (user == nullptr) user = std::getenv("USER");
  return user == nullptr ? fmt::format("uid {}", getuid()) : user;
}

/// Everything the command line can say.
struct Arguments {
  std::string config_file = kDefaultConfigFile;
  std::string web_config_file;
  std::string state_dir;
  std::string log_level = "info";
  std::string log_format = "logfmt";
  std::string format = "text";
  std::string reference_format = "yaml";
  std::int64_t shard_index = 0;
  std::int64_t shard_count = 1;
  ServiceOptions service;
  CheckOptions check;
  RecordOptions record;
  AckOptions ack{.who = CurrentUser()};
  HistoryOptions history;
  PlanOptions plan;
  GateOptions gate{.timeout = "10m", .interval = "2s"};
  RuleFileOptions rules;
  DemoOptions demo;
};

void AddConfigFile(CLI::App& command, Arguments& arguments) {
  command.add_option("--config.file", arguments.config_file, "The configuration file")
      ->capture_default_str();
}

void AddWebConfigFile(CLI::App& command, Arguments& arguments) {
  command.add_option(kWebConfigFile, arguments.web_config_file,
                     "TLS, passwords and headers, in the form that Prometheus and its exporters "
                     "have; it is read again when it changes");
}

void AddStateDir(CLI::App& command, Arguments& arguments, const std::string& description) {
  command.add_option("--state.dir", arguments.state_dir, description);
}

/// Empty: it is one.
std::string WhyNoListenAddress(const std::string& text) {
  const auto address = ParseListenAddress(text);
  return address ? std::string() : address.error().message;
}

/// A count alone would make every daemon the first, and an index alone means nothing.
void AddShard(CLI::App& command, Arguments& arguments) {
  CLI::Option* index =
      command.add_option(kShardIndex, arguments.shard_index, "Which of them this is, from 0 on");
  CLI::Option* count = command.add_option(
      kShardCount, arguments.shard_count,
      "Watch only the share of the queries that falls to one of so many daemons");
  index->needs(count);
  count->needs(index);
}

void AddServiceOptions(CLI::App& app, Arguments& arguments) {
  AddConfigFile(app, arguments);
  CLI::Option* listen_address =
      app.add_option(kListenAddress, arguments.service.listen_addresses,
                     "Where to serve, e.g. :10977 or 127.0.0.1:10977; may be given more than once")
          ->allow_extra_args(false)
          ->check(WhyNoListenAddress);
  app.add_flag(kSystemdSocket, arguments.service.inherit_sockets,
               "Serve on the sockets that systemd passes (socket activation)")
      ->excludes(listen_address);
  AddWebConfigFile(app, arguments);
  app.add_flag(kEnableLifecycle, arguments.service.enable_lifecycle, "Allow POST /-/reload");
  AddStateDir(app, arguments,
              "Where to remember what was learnt; instead of state_dir of the configuration");
  AddShard(app, arguments);
  app.add_option("--log.level", arguments.log_level, "debug, info, warn or error")
      ->capture_default_str()
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}));
  app.add_option("--log.format", arguments.log_format, "logfmt or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"logfmt", "json"}));
}

CLI::App* AddCheck(CLI::App& app, Arguments& arguments) {
  CLI::App* check = app.add_subcommand(
      "check",
      "Poll once and print the findings. Exit status: 0 nothing found, 1 warnings, "
      "2 critical, 3 something could not be judged");
  AddConfigFile(*check, arguments);
  AddStateDir(*check, arguments, "Remember there what was learnt, for the next check");
  AddShard(*check, arguments);
  check->add_option("--query", arguments.check.query, "Only this query");
  check->add_option("--format", arguments.format, "text or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));
  return check;
}

CLI::App* AddRecord(CLI::App& app, Arguments& arguments) {
  CLI::App* record = app.add_subcommand(
      "record",
      "Write down what Kafka answers and the log files of checkpoints and sinks, to judge "
      "elsewhere. No data files: the recording has scan_data_files off. Of the logs of sinks and "
      "file sources all names and sizes, but no more of a file's content than its two ends, 64 KiB "
      "each. Their middle becomes a hole, which takes no room");
  AddConfigFile(*record, arguments);
  record->add_option("--query", arguments.record.query, "Only this query");
  record->add_option("--output", arguments.record.directory, "A directory to be made")->required();
  return record;
}

CLI::App* AddAck(CLI::App& app, Arguments& arguments) {
  CLI::App* ack = app.add_subcommand(
      "ack", "Say that skipped records, or a changed cluster, have been dealt with");
  AckOptions& options = arguments.ack;
  AddConfigFile(*ack, arguments);
  AddStateDir(*ack, arguments, "Instead of state_dir of the configuration");
  ack->add_option("kind", options.kind,
                  "records_skipped, cluster_changed, query_id_changed, checkpoint_restarted or "
                  "checkpoint_missing")
      ->required();
  ack->add_option("query", options.query, "The query")->required();
  ack->add_option("--topic", options.topic, "Only this topic");
  ack->add_option("--source", options.source, "Only this source");
  ack->add_option("--who", options.who, "Who says so")->capture_default_str();
  ack->add_option("--why", options.why, "Why it may rest")->required();
  return ack;
}

void AddHistory(CLI::App& app, Arguments& arguments) {
  CLI::App* history = app.add_subcommand(
      "history",
      "Print what happened to a query's findings, newest first: when each began to "
      "fire, was resolved or acknowledged, by whom and why");
  AddConfigFile(*history, arguments);
  AddStateDir(*history, arguments, "Instead of state_dir of the configuration; only read");
  history->add_option("query", arguments.history.query, "The query")->required();
  history->add_option("--format", arguments.format, "text or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));
}

void AddPlan(CLI::App& app, Arguments& arguments) {
  CLI::App* plan = app.add_subcommand(
      "plan",
      "Print what can be done about what is found: exact commands, and what each way costs");
  PlanOptions& options = arguments.plan;
  AddConfigFile(*plan, arguments);
  AddStateDir(*plan, arguments, "Instead of state_dir of the configuration; only read");
  plan->add_option("query", options.query, "The query")->required();
  plan->add_option("--output", options.output,
                   "A directory to be made for the files that the commands use");
  plan->add_option("--hdfs.mount", options.hdfs_mount,
                   "Print commands for HDFS, of which this directory is the mount");
  plan->add_option("--format", arguments.format, "text or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));
}

/// Empty: it is one.
std::string WhyNoDuration(const std::string& text) {
  const auto duration = ParseDuration(text);
  return duration ? std::string() : duration.error().message;
}

void AddGateStep(CLI::App& gate, Arguments& arguments, const std::string& step,
                 const std::string& description) {
  CLI::App* command = gate.add_subcommand(step, description);
  GateOptions& options = arguments.gate;
  AddConfigFile(*command, arguments);
  AddStateDir(*command, arguments, "Instead of state_dir of the configuration; only read");
  command->add_option("topic", options.topic, "The topic that is recreated")->required();
  command->add_option("--kafka", options.kafka_cluster, "Its cluster; needed if there are several");
  command->add_option("--query", options.queries, "Only this query; may be given more than once")
      ->allow_extra_args(false);
  command->add_option("--timeout", options.timeout, "How long to wait")
      ->capture_default_str()
      ->check(WhyNoDuration);
  command->add_option("--interval", options.interval, "How often to look")
      ->capture_default_str()
      ->check(WhyNoDuration);
  command->callback([&options, step] { options.step = step; });
}

void AddGate(CLI::App& app, Arguments& arguments) {
  CLI::App* gate =
      app.add_subcommand("gate",
                         "Wait until the next step of recreating a topic is safe. Exit status: 0 "
                         "it is, 1 not yet when "
                         "the time was up, 2 waiting will not help, 3 something could not be read");
  gate->require_subcommand(1);
  AddGateStep(*gate, arguments, "drained",
              "Every query has read the whole topic and committed it: recreate it now");
  AddGateStep(
      *gate, arguments, "recreated",
      "The new topic is there and empty: restart the queries with failOnDataLoss=false now");
  AddGateStep(*gate, arguments, "rebased",
              "Every query is at the new topic's log start: let the producers go now");
}

int Dispatch(const CLI::App& app, Arguments& arguments) {
  StartLog(*ParseLogLevel(arguments.log_level), *ParseLogFormat(arguments.log_format));
  if (app.got_subcommand("check")) {
    arguments.check.config_file = arguments.config_file;
    arguments.check.state_dir = arguments.state_dir;
    arguments.check.json = arguments.format == "json";
    return RunCheck(arguments.check);
  }
  if (app.got_subcommand("record")) {
    arguments.record.config_file = arguments.config_file;
    return RunRecord(arguments.record);
  }
  if (app.got_subcommand("ack")) {
    arguments.ack.config_file = arguments.config_file;
    arguments.ack.state_dir = arguments.state_dir;
    return RunAck(arguments.ack);
  }
  if (app.got_subcommand("history")) {
    arguments.history.config_file = arguments.config_file;
    arguments.history.state_dir = arguments.state_dir;
    arguments.history.json = arguments.format == "json";
    return RunHistory(arguments.history);
  }
  if (app.got_subcommand("plan")) {
    arguments.plan.config_file = arguments.config_file;
    arguments.plan.state_dir = arguments.state_dir;
    arguments.plan.json = arguments.format == "json";
    return RunPlan(arguments.plan);
  }
  if (app.got_subcommand("gate")) {
    arguments.gate.config_file = arguments.config_file;
    arguments.gate.state_dir = arguments.state_dir;
    return RunGate(arguments.gate);
  }
  if (app.got_subcommand("demo")) return RunDemo(arguments.demo);
  if (app.got_subcommand("config")) {
    const CLI::App* config = app.get_subcommand("config");
    if (config->got_subcommand("reference"))
      return RunConfigReference(arguments.reference_format == "markdown");
    if (config->got_subcommand("rules")) return RunConfigRules(arguments.rules);
    if (config->got_subcommand("print")) return RunConfigPrint(arguments.config_file);
    const bool web_alone = !arguments.web_config_file.empty() &&
                           config->get_subcommand("check")->count("--config.file") == 0;
    return RunConfigCheck(web_alone ? "" : arguments.config_file, arguments.web_config_file);
  }
  arguments.service.config_file = arguments.config_file;
  arguments.service.state_dir = arguments.state_dir;
  arguments.service.web_config_file = arguments.web_config_file;
  return RunService(arguments.service);
}

void AddConfig(CLI::App& app, Arguments& arguments) {
  CLI::App* config = app.add_subcommand("config", "Look at a configuration");
  config->require_subcommand(1);
  CLI::App* check = config->add_subcommand("check", "Say every mistake in it");
  AddConfigFile(*check, arguments);
  AddWebConfigFile(*check, arguments);
  AddConfigFile(*config->add_subcommand("print", "Print it with all defaults, secrets masked"),
                arguments);
  config->add_subcommand("reference", "Print every setting with its default and meaning")
      ->add_option("--format", arguments.reference_format, "yaml or markdown")
      ->capture_default_str()
      ->check(CLI::IsMember({"yaml", "markdown"}));
  CLI::App* rules = config->add_subcommand("rules", "Print the alert rules for Prometheus");
  rules
      ->add_option_function<std::string>(
          "--format",
          [&arguments](const std::string& format) {
            arguments.rules.for_operator = format == "kubernetes";
          },
          "prometheus, or kubernetes for a PrometheusRule of its operator")
      ->check(CLI::IsMember({"prometheus", "kubernetes"}))
      ->default_str("prometheus");
  rules
      ->add_option("--prometheus.job", arguments.rules.job,
                   "The job under which Prometheus scrapes the daemon")
      ->capture_default_str();
  rules
      ->add_option("--runbook.base-url", arguments.rules.runbook_base,
                   "Where the folder docs/ of this program is to be read")
      ->capture_default_str();
}

void AddDemo(CLI::App& app, Arguments& arguments) {
  CLI::App* demo = app.add_subcommand(
      "demo", "Show every kind of reset on made-up queries; needs no Kafka and no Spark");
  demo->add_option(kListenAddress, arguments.demo.listen_address, "Where to serve")
      ->capture_default_str()
      ->check(WhyNoListenAddress);
}

/// CLI11 would take the next argument for the value of `--option=`, whatever it is.
void RefuseEmptyValues(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      throw CLI::ArgumentMismatch(fmt::format("{} has no value", argument),
                                  CLI::ExitCodes::ArgumentMismatch);
    }
  }
}

/// Before a command they would do nothing.
void RefuseServiceOptions(const CLI::App& app) {
  if (app.get_subcommands().empty()) return;
  for (const char* option : {kListenAddress, kSystemdSocket, kWebConfigFile, kEnableLifecycle,
                             kShardIndex, kShardCount}) {
    CLI::App* command = app.get_subcommands().front();
    if (app.count(option) == 0 || command->get_option_no_throw(option) != nullptr) continue;
    throw CLI::ExcludesError(
        fmt::format("{} is for the daemon, not for {}", option, command->get_name()),
        CLI::ExitCodes::ExcludesError);
  }
}

void ReadShard(Arguments& arguments) {
  const auto shard = Shard::Make(arguments.shard_index, arguments.shard_count);
  if (!shard) throw CLI::ValidationError(kShardIndex, shard.error().message);
  arguments.service.shard = *shard;
  arguments.check.shard = *shard;
}

int AnswerInstead(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream answer;
  if (app.exit(error, answer, std::cerr) != 0) return kExitUsage;
  return PrintResult(answer.str()) ? kExitOk : kExitFailure;
}

}  // namespace

int RunCommandLine(const std::vector<std::string>& arguments) {
  Arguments parsed;
  CLI::App app(
      "Watches the checkpoints of Spark Structured Streaming queries, and says when a topic was "
      "recreated or records were lost. Without a command: the daemon.",
      "tidegauge");
  app.set_version_flag("--version", fmt::format("tidegauge {}", kVersion));
  app.require_subcommand(0, 1);
  AddServiceOptions(app, parsed);
  AddCheck(app, parsed);
  AddRecord(app, parsed);
  AddAck(app, parsed);
  AddHistory(app, parsed);
  AddPlan(app, parsed);
  AddGate(app, parsed);
  AddConfig(app, parsed);
  AddDemo(app, parsed);
  try {
    RefuseEmptyValues(arguments);
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    RefuseServiceOptions(app);
    ReadShard(parsed);
  } catch (const CLI::ParseError& error) {
    return AnswerInstead(app, error);
  }
  return Dispatch(app, parsed);
}

}  // namespace tidegauge
