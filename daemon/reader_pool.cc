#include "daemon/reader_pool.h"

#include <cstddef>
#include <string>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "daemon/storage/local_storage.h"
#include "daemon/storage/mount_table.h"

namespace tidegauge {
namespace {

std::string Format(Time time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", std::chrono::floor<std::chrono::seconds>(time));
}

std::string Format(Duration duration) {
  return fmt::format("{:g}s", static_cast<double>(duration.count()) / 1000);
}

/// The server of a URL, else the mount: what hangs as a whole.
std::string GroupOf(const std::string& directory, const MountTable& mounts) {
  const std::string path = LocalPath(directory);
  if (std::size_t scheme = path.find("://"); scheme != std::string::npos) {
    return path.substr(0, path.find('/', scheme + 3));
  }
  return mounts.MountOf(path);
}

/// What can hang while `target` is read. A sink's mount that hangs must not count against those
/// queries which only have their checkpoint beside this one's.
std::string GroupOf(const Target& target, const MountTable& mounts) {
  std::string group = GroupOf(target.checkpoint, mounts);
  if (target.sink.empty()) return group;
  const std::string sink = GroupOf(target.sink, mounts);
  return sink == group ? group : group + " and " + sink;
}

/// Why there is no reading, for an outcome other than kDone.
Error Explain(const DeadlinePool::Answer& answer, const std::string& path, const std::string& group,
              const DeadlinePool::Options& options) {
  using enum DeadlinePool::Outcome;
  std::string why;
  switch (answer.outcome) {
    case kDone:
      break;
    case kLate:
      why = fmt::format("no answer from {} within {} (is the mount hung?)", path,
                        Format(options.deadline));
      break;
    case kStuck:
      why = fmt::format("no answer from {} since {}, when it was last read (is the mount hung?)",
                        path, Format(answer.since));
      break;
    case kGroupStuck:
      why = fmt::format("{} was not read: {} reads on {} have had no answer, the oldest since {}",
                        path, options.group_limit, group, Format(answer.since));
      break;
    case kNotReached:
      why = fmt::format("{} was not read: no reader was free within {}", path,
                        Format(2 * options.deadline));
      break;
  }
  return {ErrorKind::kUnavailable, std::move(why)};
}

}  // namespace

ReaderPool::ReaderPool(Reader reader, const DeadlinePool::Options& options)
    : reader_(std::make_shared<const Reader>(std::move(reader))),
      options_(options),
      pool_(options) {}

std::vector<Reading> ReaderPool::ReadAll(const std::vector<Target>& targets, Time now) {
  const MountTable mounts = MountTable::Read();
  std::vector<DeadlinePool::Job> jobs;
  std::vector<std::string> groups;
  std::vector<std::shared_ptr<QueryReading>> found;
  std::map<Target, KnownReading> previous;
  for (const Target& target : targets) {
    auto& last = previous[target];
    if (auto known = previous_.find(target); known != previous_.end()) last = known->second;
    auto reading = std::make_shared<QueryReading>();
    auto run = [reader = reader_, target, last, now, reading] {
      *reading = (*reader)(target, last, now);
    };
    groups.push_back(GroupOf(target, mounts));
    jobs.push_back({.key = target.query + '\n' + target.checkpoint,
                    .group = groups.back(),
                    .run = std::move(run)});
    found.push_back(std::move(reading));
  }
  previous_ = std::move(previous);

  const std::vector<DeadlinePool::Answer> answers = pool_.Run(std::move(jobs), now);
  std::vector<Reading> readings;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Target& target = targets[i];
    if (answers[i].outcome != DeadlinePool::Outcome::kDone) {
      readings.push_back(
          {target, std::unexpected(Explain(answers[i], target.checkpoint, groups[i], options_))});
      continue;
    }
    const QueryReading& read = *found[i];
    if (read.checkpoint) previous_[target] = {.checkpoint = *read.checkpoint, .logs = read.logs};
    readings.push_back({target, read.checkpoint, read.logs});
  }
  return readings;
}

}  // namespace tidegauge
