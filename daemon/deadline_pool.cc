#include "daemon/deadline_pool.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace tidegauge {
namespace {

using Clock = std::chrono::steady_clock;

/// One thread. `slow` and `given_up` are only ever set while it runs a job.
struct Worker {
  bool busy = false;
  bool slow = false;
  bool given_up = false;
  Clock::time_point started;
  Time since;
  std::size_t index = 0;  ///< of its job, in the current run; meaningless once given up
  std::string key;
  std::string group;
};

}  // namespace

/// Everything that threads which outlive the pool may touch. Every member is guarded by `mutex_`.
class DeadlinePool::Shared : public std::enable_shared_from_this<Shared> {
 public:
  explicit Shared(const Options& options) : options_(options) {}

  std::vector<Answer> Run(std::vector<Job> jobs, Time now);
  void Stop();

 private:
  void Work(std::list<Worker>::iterator self);
  std::function<void()> Start(Worker& worker);
  void Finish(Worker& worker);

  void Submit(Time now);
  void Replace();
  void MarkLate(Clock::time_point at);
  void RefuseParked();
  void RefuseRest();
  Clock::time_point NextEvent() const;
  void Settle(std::size_t index, Answer answer);
  bool GroupIsFull(const std::string& group) const;
  std::optional<Time> GroupStuckSince(const std::string& group) const;
  std::size_t Headway() const;

  const Options options_;
  std::mutex mutex_;
  std::condition_variable work_;    ///< a job waits, or the pool ends
  std::condition_variable change_;  ///< the run is complete, or a thread ended
  bool stopping_ = false;
  std::list<Worker> workers_;
  std::map<std::string, std::size_t> slow_;  ///< by group: jobs that are slow or given up
  std::map<std::string, Time> given_up_;     ///< by key: since when

  // The current run.
  std::vector<Job> jobs_;
  std::vector<Answer> answers_;
  std::deque<std::size_t> queue_;
  std::vector<std::size_t> parked_;  ///< their group is full
  std::size_t open_ = 0;
  Time now_;
};

bool DeadlinePool::Shared::GroupIsFull(const std::string& group) const {
  auto slow = slow_.find(group);
  return slow != slow_.end() && slow->second >= options_.group_limit;
}

/// Since when a full group hangs; nothing while some of its slow jobs may still make it.
std::optional<Time> DeadlinePool::Shared::GroupStuckSince(const std::string& group) const {
  std::size_t stuck = 0;
  std::optional<Time> since;
  for (const Worker& worker : workers_) {
    if (!worker.given_up || worker.group != group) continue;
    ++stuck;
    since = std::min(since.value_or(worker.since), worker.since);
  }
  return stuck >= options_.group_limit ? since : std::nullopt;
}

/// Threads that are idle or run a job that is not slow.
std::size_t DeadlinePool::Shared::Headway() const {
  return workers_.size() - static_cast<std::size_t>(std::ranges::count_if(workers_, &Worker::slow));
}

void DeadlinePool::Shared::Settle(std::size_t index, Answer answer) {
  answers_[index] = answer;
  if (--open_ == 0) change_.notify_all();
}

/// Keeps as many threads as there is work for, up to `threads` that make headway.
void DeadlinePool::Shared::Replace() {
  const std::size_t wanted = std::min(options_.threads, open_);
  while (Headway() < wanted && workers_.size() < options_.threads + options_.max_stuck) {
    auto worker = workers_.emplace(workers_.end());
    try {
      std::thread([shared = shared_from_this(), worker] { shared->Work(worker); }).detach();
    } catch (const std::system_error&) {
      workers_.erase(worker);  // no more threads to be had: fewer must do
      return;
    }
  }
}

void DeadlinePool::Shared::Work(std::list<Worker>::iterator self) {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) break;
    std::function<void()> run = Start(*self);
    if (!run) continue;
    lock.unlock();
    run();
    run = nullptr;  // what it holds is released outside the lock
    lock.lock();
    Finish(*self);
    if (stopping_ || Headway() > options_.threads) break;
  }
  workers_.erase(self);
  change_.notify_all();
}

/// Takes the next job, or parks it: then the answer is empty.
std::function<void()> DeadlinePool::Shared::Start(Worker& worker) {
  const std::size_t index = queue_.front();
  queue_.pop_front();
  Job& job = jobs_[index];
  if (GroupIsFull(job.group)) {
    parked_.push_back(index);
    return nullptr;
  }
  worker = {.busy = true,
            .started = Clock::now(),
            .since = now_,
            .index = index,
            .key = std::move(job.key),
            .group = job.group};
  return std::move(job.run);
}

void DeadlinePool::Shared::Finish(Worker& worker) {
  if (worker.slow) {
    auto slow = slow_.find(worker.group);
    if (--slow->second == 0) slow_.erase(slow);
    queue_.insert(queue_.end(), parked_.begin(), parked_.end());
    parked_.clear();
    work_.notify_all();
  }
  if (worker.given_up) {
    given_up_.erase(worker.key);
  } else {
    Settle(worker.index, {.outcome = Outcome::kDone});
  }
  worker = Worker{};
}

void DeadlinePool::Shared::Submit(Time now) {
  now_ = now;
  answers_.assign(jobs_.size(), Answer{});
  open_ = jobs_.size();
  for (std::size_t index = 0; index < jobs_.size(); ++index) {
    auto stuck = given_up_.find(jobs_[index].key);
    if (stuck == given_up_.end()) {
      queue_.push_back(index);
    } else {
      Settle(index, {.outcome = Outcome::kStuck, .since = stuck->second});
    }
  }
}

void DeadlinePool::Shared::MarkLate(Clock::time_point at) {
  for (Worker& worker : workers_) {
    if (!worker.busy || worker.given_up) continue;
    if (!worker.slow && at >= worker.started + options_.patience) {
      worker.slow = true;
      ++slow_[worker.group];
    }
    if (at >= worker.started + options_.deadline) {
      worker.given_up = true;
      given_up_.emplace(worker.key, worker.since);
      Settle(worker.index, {.outcome = Outcome::kLate});
    }
  }
}

/// Fails at once the jobs whose group has nothing left that may still make it.
void DeadlinePool::Shared::RefuseParked() {
  std::erase_if(parked_, [this](std::size_t index) {
    std::optional<Time> since = GroupStuckSince(jobs_[index].group);
    if (since) Settle(index, {.outcome = Outcome::kGroupStuck, .since = *since});
    return since.has_value();
  });
}

void DeadlinePool::Shared::RefuseRest() {
  queue_.insert(queue_.end(), parked_.begin(), parked_.end());
  parked_.clear();
  for (std::size_t index : queue_) Settle(index, {.outcome = Outcome::kNotReached});
  queue_.clear();
}

/// When Watch must look again. A job that starts after this was computed is due later than it.
Clock::time_point DeadlinePool::Shared::NextEvent() const {
  Clock::time_point next = Clock::now() + options_.patience;
  for (const Worker& worker : workers_) {
    if (!worker.busy || worker.given_up) continue;
    next = std::min(next, worker.started + (worker.slow ? options_.deadline : options_.patience));
  }
  return next;
}

std::vector<DeadlinePool::Answer> DeadlinePool::Shared::Run(std::vector<Job> jobs, Time now) {
  std::unique_lock lock(mutex_);
  jobs_ = std::move(jobs);
  Submit(now);
  Replace();
  work_.notify_all();
  const Clock::time_point last_start = Clock::now() + 2 * options_.deadline;
  while (open_ > 0) {
    change_.wait_until(lock, NextEvent(), [this] { return open_ == 0; });
    const Clock::time_point at = Clock::now();
    MarkLate(at);
    RefuseParked();
    if (at >= last_start) RefuseRest();
    Replace();
  }
  jobs_.clear();
  return std::exchange(answers_, {});
}

void DeadlinePool::Shared::Stop() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  work_.notify_all();
  change_.wait(lock, [this] { return std::ranges::all_of(workers_, &Worker::busy); });
}

DeadlinePool::DeadlinePool(const Options& options) : shared_(std::make_shared<Shared>(options)) {}

DeadlinePool::~DeadlinePool() { shared_->Stop(); }

std::vector<DeadlinePool::Answer> DeadlinePool::Run(std::vector<Job> jobs, Time now) {
  return shared_->Run(std::move(jobs), now);
}

}  // namespace tidegauge
