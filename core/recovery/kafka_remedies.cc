// Remedies of what Kafka and the checkpoint disagree on.
#include <algorithm>
#include <map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/recovery/corrections.h"
#include "core/recovery/remedies.h"

namespace tidegauge {
namespace {

using MakeRemedies = std::vector<Remedy> (*)(const Finding&, const PlanContext&);

std::string Bootstrap(const PlanContext& context) {
  return context.input.bootstrap_servers.empty() ? "\"$BOOTSTRAP_SERVERS\""
                                                 : Quote(context.input.bootstrap_servers);
}

PlanStep RaiseRetention(const Finding& finding, const PlanContext& context) {
  return {.what =
              "Raise the topic's retention first, so that no more is lost meanwhile (-1: keep "
              "all). Set it back when the query has caught up.",
          .commands = {fmt::format("kafka-configs.sh --bootstrap-server {} --alter --entity-type "
                                   "topics --entity-name {} --add-config "
                                   "retention.ms=-1,retention.bytes=-1",
                                   Bootstrap(context), Quote(finding.key.topic))}};
}

Remedy RetentionRemedy(const Finding& finding, const PlanContext& context) {
  return {.id = "raise_retention",
          .title = "Raise the retention",
          .cost = "Disk space on the brokers.",
          .steps = {RaiseRetention(finding, context)}};
}

void AddCorrection(std::vector<Remedy>& remedies, const PlanContext& context, std::string cost) {
  if (context.can_correct) remedies.push_back(CorrectOffsetsRemedy(context, std::move(cost)));
}

std::vector<Remedy> TopicRecreated(const Finding& finding, const PlanContext& context) {
  std::vector<Remedy> remedies;
  if (finding.direction == "empty") {
    Remedy remedy = GoOnRemedy(context,
                               "Nothing of the new topic, as long as it is empty: keep its "
                               "producers stopped until the gate opens.");
    remedy.steps.insert(
        remedy.steps.begin() + 1,
        {.what = "Wait until the query has taken over the new topic's log start; then start the "
                 "producers.",
         .commands = {fmt::format("tidegauge gate rebased {} --kafka={} {} --query={}",
                                  Quote(finding.key.topic), Quote(finding.key.kafka_cluster),
                                  context.input.options, Quote(finding.key.query))}});
    remedies.push_back(std::move(remedy));
  }
  AddCorrection(remedies, context,
                "Nothing of the new topic: it is read from its log start. Records that it repeats "
                "from the old one are written again; state that learnt from the old topic stays, "
                "and may drop such records as duplicates or as late. What was unread in the old "
                "topic is gone.");
  remedies.push_back(NewCheckpointRemedy(context));
  return remedies;
}

std::string OffsetsJson(const Finding& finding, Offset (*offset)(const FindingPartition&)) {
  std::vector<std::string> numbers;
  numbers.reserve(finding.partitions.size());
  for (const FindingPartition& row : finding.partitions) {
    numbers.push_back(fmt::format("\"{}\":{}", row.partition, offset(row)));
  }
  return fmt::format("{{\"{}\":{{{}}}}}", finding.key.topic, fmt::join(numbers, ","));
}

std::vector<Remedy> RecordsSkipped(const Finding& finding, const PlanContext& context) {
  const auto from = [](const FindingPartition& row) { return row.log_start.value_or(0); };
  // Counted from the new topic's first record, some of which may have expired since.
  const auto until = [](const FindingPartition& row) {
    const Offset end = std::min(row.records.value_or(0), row.checkpoint.value_or(0));
    return std::max(row.log_start.value_or(0), end);
  };
  Remedy remedy{.id = "read_skipped",
                .title = "Read the skipped records with a batch job",
                .cost =
                    "Nothing, as long as Kafka still has them; what it no longer has must come "
                    "from where the records came from. They arrive after later ones."};
  remedy.steps = {
      {.what = fmt::format(
           "Read them in PySpark, and write them where the query writes (not into a file sink's "
           "own "
           "directory: its readers see only what _spark_metadata lists). Partitions that are not "
           "named here need the same number in both options.\n"
           "spark.read.format(\"kafka\").option(\"kafka.bootstrap.servers\", \"{}\")"
           ".option(\"subscribe\", \"{}\").option(\"startingOffsets\", \"\"\"{}\"\"\")"
           ".option(\"endingOffsets\", \"\"\"{}\"\"\").load()",
           context.input.bootstrap_servers, finding.key.topic, OffsetsJson(finding, from),
           OffsetsJson(finding, until))},
      {.what = "Say that it is done. The finding stays until then.",
       .commands = {fmt::format("tidegauge ack records_skipped {} --topic={} {} "
                                "--why='read with a batch job'",
                                Quote(finding.key.query), Quote(finding.key.topic),
                                context.input.options)}}};
  return {remedy};
}

std::vector<Remedy> EndBelowCheckpoint(const Finding& /*finding*/, const PlanContext& context) {
  std::vector<Remedy> remedies{
      {.id = "right_cluster",
       .title = "Make sure that this is the right cluster",
       .cost = "None.",
       .steps = {{.what =
                      "Compare bootstrap_servers here with kafka.bootstrap.servers of the query. "
                      "If they differ, mend that and change nothing else."}}}};
  AddCorrection(remedies, context,
                "If the log was truncated: nothing more than what the brokers lost. The query goes "
                "on at the log end, and reads what is written from now on.");
  remedies.push_back(NewCheckpointRemedy(context));
  return remedies;
}

std::vector<Remedy> TopicMissing(const Finding& finding, const PlanContext& context) {
  const auto topic =
      std::ranges::find(context.input.query.topics, finding.key.topic, &TopicReport::topic);
  const std::size_t partitions =
      topic == context.input.query.topics.end() ? 1 : topic->partitions.size();
  Remedy recreate{.id = "recreate_topic",
                  .title = "Create the topic again",
                  .cost =
                      "What was unread in the old topic is gone. Nothing of the new one, if its "
                      "producers wait for the gate."};
  recreate.steps = {
      {.what = "Keep the producers stopped. Create the topic with as many partitions as before.",
       .commands = {fmt::format("kafka-topics.sh --bootstrap-server {} --create --topic {} "
                                "--partitions {}",
                                Bootstrap(context), Quote(finding.key.topic), partitions),
                    fmt::format("tidegauge gate recreated {} --kafka={} {}",
                                Quote(finding.key.topic), Quote(finding.key.kafka_cluster),
                                context.input.options)}},
      {.what = "Start every query that reads it once with failOnDataLoss=false.",
       .commands = {fmt::format("tidegauge gate rebased {} --kafka={} {}", Quote(finding.key.topic),
                                Quote(finding.key.kafka_cluster), context.input.options)}},
      {.what = "Start the producers. Take failOnDataLoss=false back at the next restart."}};
  return {recreate};
}

std::vector<Remedy> PartitionMissing(const Finding& /*finding*/, const PlanContext& context) {
  std::vector<Remedy> remedies;
  AddCorrection(remedies, context,
                "What was unread in the partitions that are gone. They are taken out of the "
                "checkpoint; the others go on where they are.");
  remedies.push_back(NewCheckpointRemedy(context));
  return remedies;
}

std::vector<Remedy> RecordsExpired(const Finding& finding, const PlanContext& context) {
  std::vector<Remedy> remedies{RetentionRemedy(finding, context)};
  AddCorrection(remedies, context,
                "The records that expired; fetch them from where they came from. The query goes on "
                "at the log start, and still fails at the next loss.");
  remedies.push_back(GoOnRemedy(context,
                                "The records that expired, and whatever else expires until the "
                                "option is taken back: Spark then says so in one log line."));
  return remedies;
}

std::vector<Remedy> RetentionHeadroomLow(const Finding& finding, const PlanContext& context) {
  return {RetentionRemedy(finding, context)};
}

std::vector<Remedy> NewPartitionNotFromStart(const Finding& finding, const PlanContext& context) {
  std::vector<Remedy> remedies{RetentionRemedy(finding, context)};
  AddCorrection(remedies, context,
                "The partition's first records, which expired. It is read from its log start.");
  remedies.push_back(GoOnRemedy(context, "The partition's first records, which expired."));
  return remedies;
}

std::vector<Remedy> ClusterChanged(const Finding& finding, const PlanContext& context) {
  Remedy back{
      .id = "right_cluster",
      .title = "Point the query and tidegauge back to the old cluster",
      .cost = "None.",
      .steps = {{.what = "Mend bootstrap_servers and the name behind it. Start the query only "
                         "then."}}};
  Remedy moved = NewCheckpointRemedy(context);
  moved.title = "The move was meant: a new checkpoint, at offsets of the new cluster";
  moved.steps[1].what +=
      " - but with offsets of the new cluster: those above are the old one's, which mean nothing "
      "there. Find them by time: kafka-get-offsets.sh --time, or startingTimestamp.";
  moved.steps.push_back(
      {.what = "Say that the new cluster is the right one.",
       .commands = {fmt::format("tidegauge ack cluster_changed {} "
                                "{} --why='moved on purpose'",
                                Quote(finding.key.query), context.input.options)}});
  return {back, moved};
}

std::vector<Remedy> Fresh(const Finding& /*finding*/, const PlanContext& context) {
  return {NewCheckpointRemedy(context)};
}

const std::map<std::string, MakeRemedies, std::less<>>& Kinds() {
  static const std::map<std::string, MakeRemedies, std::less<>> kKinds = {
      {"topic_recreated", TopicRecreated},
      {"records_skipped", RecordsSkipped},
      {"end_below_checkpoint", EndBelowCheckpoint},
      {"topic_missing", TopicMissing},
      {"partition_missing", PartitionMissing},
      {"records_expired", RecordsExpired},
      {"retention_headroom_low", RetentionHeadroomLow},
      {"new_partition_not_from_start", NewPartitionNotFromStart},
      {"cluster_changed", ClusterChanged},
      {"source_offsets_empty", Fresh},
      {"partition_dropped", Fresh},
  };
  return kKinds;
}

}  // namespace

std::vector<Remedy> KafkaRemediesFor(const Finding& finding, const PlanContext& context) {
  const auto kind = Kinds().find(finding.key.kind);
  return kind == Kinds().end() ? std::vector<Remedy>() : kind->second(finding, context);
}

}  // namespace tidegauge
