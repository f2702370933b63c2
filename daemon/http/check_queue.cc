#include "daemon/http/check_queue.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace tidegauge {

CheckQueueLimits DefaultCheckQueueLimits() {
  return {.threads = std::clamp(std::thread::hardware_concurrency() / 2, 1U, 4U)};
}

struct CheckQueue::State {
  struct Job {
    std::function<void()> run;
    std::function<void()> dropped;
  };

  explicit State(CheckQueueLimits given) : limits(given) {}

  const CheckQueueLimits limits;
  std::mutex mutex;
  std::condition_variable wake;
  std::map<std::string, std::deque<Job>> jobs;  // by client; none is empty
  std::deque<std::string> turns;                // those who have some
  std::size_t waiting = 0;
  std::size_t threads = 0;
  std::size_t idle = 0;
  bool stopping = false;

  /// With the mutex held, and a job waiting.
  Job Take() {
    const std::string client = std::move(turns.front());
    turns.pop_front();
    std::deque<Job>& own = jobs[client];
    Job job = std::move(own.front());
    own.pop_front();
    --waiting;
    if (own.empty()) {
      jobs.erase(client);
    } else {
      turns.push_back(client);
    }
    return job;
  }

  /// With the mutex held. Absent: nobody has enough more than `own`.
  std::optional<Job> DropOneOfTheMost(std::size_t own) {
    const auto most =
        std::ranges::max_element(jobs, {}, [](const auto& client) { return client.second.size(); });
    if (most == jobs.end() || most->second.size() < own + 2) return std::nullopt;
    Job job = std::move(most->second.back());
    most->second.pop_back();
    --waiting;
    return job;
  }

  /// With the mutex held. False: there is none.
  bool HasThread(const std::shared_ptr<State>& self) {
    if (waiting < idle || threads >= limits.threads) return true;
    try {
      std::thread([self] { self->Work(); }).detach();
      ++threads;
    } catch (const std::system_error&) {
      return threads > 0;
    }
    return true;
  }

  void Work() {
    std::unique_lock lock(mutex);
    while (true) {
      ++idle;
      wake.wait(lock, [this] { return stopping || waiting > 0; });
      --idle;
      if (stopping) return;
      {
        const Job job = Take();
        lock.unlock();
        job.run();
      }
      lock.lock();
    }
  }
};

CheckQueue::CheckQueue(CheckQueueLimits limits) : state_(std::make_shared<State>(limits)) {}

CheckQueue::~CheckQueue() {
  std::map<std::string, std::deque<State::Job>> dropped;  // ends outside the lock
  const std::lock_guard lock(state_->mutex);
  state_->stopping = true;
  state_->waiting = 0;
  state_->turns.clear();
  dropped.swap(state_->jobs);
  state_->wake.notify_all();
}

bool CheckQueue::Add(const std::string& client, std::function<void()> job,
                     std::function<void()> dropped) {
  State& state = *state_;
  std::optional<State::Job> loser;
  {
    const std::lock_guard lock(state.mutex);
    const auto known = state.jobs.find(client);
    const std::size_t own = known == state.jobs.end() ? 0 : known->second.size();
    if (own >= state.limits.per_client) return false;
    if (state.waiting >= state.limits.waiting) {
      loser = state.DropOneOfTheMost(own);
      if (!loser) return false;
    }
    if (!state.HasThread(state_)) return false;
    if (own == 0) state.turns.push_back(client);
    state.jobs[client].push_back({std::move(job), std::move(dropped)});
    ++state.waiting;
    state.wake.notify_one();
  }
  if (loser && loser->dropped) loser->dropped();
  return true;
}

}  // namespace tidegauge
