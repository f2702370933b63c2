#include "daemon/clusters.h"

#include <algorithm>
#include <chrono>
#include <expected>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "config/replay_file.h"
#include "daemon/impatient_storage.h"
#include "daemon/kafka/cluster.h"
#include "daemon/kafka/replay_cluster.h"

namespace tidegauge {
namespace {

/// The largest is a bundle of all public authorities, of some 200 kB.
constexpr std::size_t kMaxFileBytes = 1 << 20;
constexpr Duration kFileTimeout = std::chrono::seconds(3);

/// For the files of one cluster. They may lie on a mount that hangs.
ReadFile ReaderOfFiles() {
  return [pool = ImpatientStorage::MakePool(kFileTimeout)](const std::string& path) {
    return ImpatientStorage(pool, MountTable::Read()).Read(path, kMaxFileBytes);
  };
}

Result<std::unique_ptr<Cluster>> MakeCluster(const KafkaConfig& kafka) {
  if (!kafka.replay_file.empty()) {
    return std::make_unique<ReplayFileCluster>(kafka.replay_file, kafka.timeout);
  }
  const KafkaClientSettings settings{.name = kafka.name,
                                     .bootstrap_servers = kafka.bootstrap_servers,
                                     .properties = kafka.properties};
  return MakeKafkaCluster(settings, kafka.properties_file, ReaderOfFiles());
}

Duration Since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start);
}

/// Calls `work` with 0 to `count` - 1, each on a thread of its own; those for which there is no
/// thread to be had, one after the other.
void SideBySide(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    try {
      threads.emplace_back(work, i);
    } catch (const std::system_error&) {
      work(i);
    }
  }
}

const std::set<std::string>& TopicsFor(const Questions& questions, const std::string& cluster) {
  static const std::set<std::string> kNone;
  const auto found = questions.find(cluster);
  return found == questions.end() ? kNone : found->second;
}

}  // namespace

std::shared_ptr<Cluster> Clusters::MemberOf(const KafkaConfig& config) const {
  const auto found = std::ranges::find(members_, config, &Member::config);
  return found == members_.end() ? nullptr : found->cluster;
}

Result<Clusters> Clusters::Make(const std::vector<KafkaConfig>& kafka, const Clusters* before) {
  Clusters clusters;
  for (const KafkaConfig& config : kafka) {
    Member member{.config = config, .cluster = before ? before->MemberOf(config) : nullptr};
    if (member.cluster == nullptr) {
      auto cluster = MakeCluster(config);
      if (!cluster) return std::unexpected(cluster.error());
      member.cluster = std::move(*cluster);
    }
    clusters.members_.push_back(std::move(member));
  }
  return clusters;
}

Answers Clusters::Ask(const std::vector<Member*>& members, const Questions& topics) {
  std::vector<Asked> asked(members.size());
  SideBySide(members.size(), [&](std::size_t i) {
    const auto start = std::chrono::steady_clock::now();
    const Member& member = *members[i];
    asked[i].answer =
        member.cluster->Fetch(TopicsFor(topics, member.config.name), member.config.timeout);
    asked[i].took = Since(start);
  });
  Answers answers;
  for (std::size_t i = 0; i < members.size(); ++i) {
    answers.emplace(members[i]->config.name, std::move(asked[i]));
  }
  return answers;
}

Answers Clusters::Ask(const Questions& topics) {
  std::vector<Member*> all;
  all.reserve(members_.size());
  for (Member& member : members_) all.push_back(&member);
  return Ask(all, topics);
}

Answers Clusters::AskAgain(const Questions& topics) {
  std::vector<Member*> named;
  for (Member& member : members_) {
    if (topics.contains(member.config.name)) named.push_back(&member);
  }
  return Ask(named, topics);
}

StampAnswers Clusters::AskStamps(const Questions& topics) {
  std::vector<std::map<std::string, TopicStamps, std::less<>>> stamps(members_.size());
  SideBySide(members_.size(), [&](std::size_t i) {
    Member& member = members_[i];
    if (!topics.contains(member.config.name)) return;
    auto answer =
        member.cluster->Stamps(TopicsFor(topics, member.config.name), member.config.timeout);
    if (answer) stamps[i] = std::move(*answer);
  });
  StampAnswers answers;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (!stamps[i].empty()) answers.emplace(members_[i].config.name, std::move(stamps[i]));
  }
  return answers;
}

Result<RecordedCluster> ReplayFileCluster::Load() {
  auto recording = std::make_shared<std::expected<RecordedCluster, Mistakes>>();
  std::vector<DeadlinePool::Job> jobs;
  jobs.push_back({.key = file_, .group = file_, .run = [file = file_, recording] {
                    *recording = LoadReplayFile(file);
                  }});
  const auto outcome = pool_.Run(std::move(jobs), Time()).front().outcome;
  if (outcome != DeadlinePool::Outcome::kDone) {
    return Fail(ErrorKind::kUnavailable, fmt::format("{}: cannot be read within {:g} s", file_,
                                                     static_cast<double>(timeout_.count()) / 1000));
  }
  if (*recording) return std::move(**recording);
  return Fail(ErrorKind::kUnavailable, Render(file_, recording->error()));
}

Result<ClusterAnswer> ReplayFileCluster::Fetch(const std::set<std::string>& topics,
                                               Duration timeout) {
  auto recording = Load();
  if (!recording) return std::unexpected(recording.error());
  return ReplayCluster(std::move(*recording)).Fetch(topics, timeout);
}

Result<std::map<std::string, TopicStamps, std::less<>>> ReplayFileCluster::Stamps(
    const std::set<std::string>& topics, Duration timeout) {
  auto recording = Load();
  if (!recording) return std::unexpected(recording.error());
  return ReplayCluster(std::move(*recording)).Stamps(topics, timeout);
}

}  // namespace tidegauge
