#include "daemon/expose/lag_metrics.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daemon/expose/lag.h"

namespace tidegauge {
namespace {

using enum MetricType;

constexpr MetricFamily kTopicPresent{
    "tidegauge_topic_present", kGauge,
    "1 if the topic exists, 0 if the cluster does not have it; absent if that is unknown."};
constexpr MetricFamily kPosition{
    "tidegauge_position_offset", kGauge,
    "The offset that the query would read next after a restart, from its checkpoint."};
constexpr MetricFamily kLogStart{"tidegauge_log_start_offset", kGauge,
                                 "The partition's first offset in the last poll."};
constexpr MetricFamily kLogEnd{"tidegauge_log_end_offset", kGauge,
                               "The partition's next offset to be written in the last poll."};
constexpr MetricFamily kLag{
    "tidegauge_lag_records", kGauge,
    "Offsets from the position to the log end, an upper bound of records; never negative."};
constexpr MetricFamily kAhead{"tidegauge_ahead_records", kGauge,
                              "Offsets by which the position is beyond the log end."};
constexpr MetricFamily kExpired{
    "tidegauge_expired_records", kGauge,
    "Offsets from the position to the log start: deleted before they were read."};
constexpr MetricFamily kUnknownPartitions{
    "tidegauge_unknown_partitions", kGauge,
    "Partitions that the checkpoint reads and whose log start or log end Kafka did not tell."};

/// A topic or a query: what lag is summed over.
struct Subject {
  std::string labels;
  Lag lag;
  bool compared = false;  ///< with Kafka
};

struct LabelledTopic {
  const TopicReport* topic;
  bool compared;
  std::string labels;
};

std::vector<LabelledTopic> LabelTopics(const Report& report) {
  std::vector<LabelledTopic> topics;
  for (const QueryReport& query : report.queries) {
    for (const TopicReport& topic : query.topics) {
      topics.push_back({&topic, !query.kafka_cluster.empty(),
                        FormatLabels({{"query", query.query},
                                      {"kafka_cluster", query.kafka_cluster},
                                      {"topic", topic.topic},
                                      {"source", topic.source}})});
    }
  }
  return topics;
}

std::optional<bool> IsPresent(const TopicReport& topic) {
  if (topic.presence == TopicPresence::kUnknown) return std::nullopt;
  return topic.presence == TopicPresence::kPresent;
}

void AddPresence(Exposition& out, const std::vector<LabelledTopic>& topics) {
  out.Begin(kTopicPresent);
  for (const LabelledTopic& topic : topics) out.Add(topic.labels, IsPresent(*topic.topic));
}

void AddUnknownPartitions(Exposition& out, const std::vector<Subject>& subjects) {
  out.Begin(kUnknownPartitions);
  for (const Subject& subject : subjects) {
    if (subject.compared) out.Add(subject.labels, subject.lag.unknown_partitions);
  }
}

void AddSums(Exposition& out, const std::vector<Subject>& subjects) {
  const auto add = [&](const MetricFamily& family, std::optional<std::int64_t> Lag::* value) {
    out.Begin(family);
    for (const Subject& subject : subjects) out.Add(subject.labels, subject.lag.*value);
  };
  add(kLag, &Lag::behind);
  add(kAhead, &Lag::ahead);
  add(kExpired, &Lag::expired);
}

std::vector<Subject> SubjectsOf(const std::vector<LabelledTopic>& topics) {
  std::vector<Subject> subjects;
  subjects.reserve(topics.size());
  for (const LabelledTopic& topic : topics) {
    subjects.push_back({topic.labels, LagOf(*topic.topic), topic.compared});
  }
  return subjects;
}

void AddByPartition(Exposition& out, const std::vector<LabelledTopic>& topics) {
  const auto add = [&](const MetricFamily& family, auto value_of) {
    out.Begin(family);
    for (const LabelledTopic& topic : topics) {
      for (const PartitionReport& partition : topic.topic->partitions) {
        out.AddPartition(topic.labels, partition.partition, value_of(partition));
      }
    }
  };
  add(kPosition, [](const PartitionReport& p) { return p.position; });
  add(kLogStart, [](const PartitionReport& p) { return p.log_start; });
  add(kLogEnd, [](const PartitionReport& p) { return p.log_end; });
  add(kLag, [](const PartitionReport& p) { return LagOf(p).behind; });
  add(kAhead, [](const PartitionReport& p) { return LagOf(p).ahead; });
  add(kExpired, [](const PartitionReport& p) { return LagOf(p).expired; });
}

void AddByQuery(Exposition& out, const Report& report) {
  std::vector<Subject> subjects;
  subjects.reserve(report.queries.size());
  for (const QueryReport& query : report.queries) {
    subjects.push_back(
        {FormatLabels({{"query", query.query}, {"kafka_cluster", query.kafka_cluster}}),
         LagOf(query), !query.kafka_cluster.empty()});
  }
  AddUnknownPartitions(out, subjects);
  AddSums(out, subjects);
}

void AddAt(Exposition& out, const Report& report, LagGranularity granularity) {
  if (granularity == LagGranularity::kQuery) return AddByQuery(out, report);
  const std::vector<LabelledTopic> topics = LabelTopics(report);
  const std::vector<Subject> subjects = SubjectsOf(topics);
  AddPresence(out, topics);
  AddUnknownPartitions(out, subjects);
  if (granularity == LagGranularity::kPartition) {
    AddByPartition(out, topics);
  } else {
    AddSums(out, subjects);
  }
}

std::size_t CountAt(const Report& report, LagGranularity granularity) {
  Exposition counting = Exposition::Counting();
  AddAt(counting, report, granularity);
  return counting.series();
}

std::optional<LagGranularity> Coarser(LagGranularity granularity) {
  switch (granularity) {
    case LagGranularity::kPartition:
      return LagGranularity::kTopic;
    case LagGranularity::kTopic:
      return LagGranularity::kQuery;
    case LagGranularity::kQuery:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

void AddLag(Exposition& out, const Report& report, const MetricsOptions& options) {
  // The series of tidegauge_series_dropped itself.
  const std::size_t others = out.series() + 1;
  const std::size_t room = options.series_limit - std::min(others, options.series_limit);
  std::optional<LagGranularity> granularity = options.granularity;
  const std::size_t wanted = CountAt(report, *granularity);
  std::size_t shown = wanted;
  while (granularity && shown > room) {
    granularity = Coarser(*granularity);
    shown = granularity ? CountAt(report, *granularity) : 0;
  }
  if (granularity) AddAt(out, report, *granularity);
  out.Begin({"tidegauge_series_dropped", kGauge,
             "Series that are not on this page because of the series limit."});
  out.Add("", wanted - std::min(shown, wanted));
}

}  // namespace tidegauge
