#include "daemon/http/check_queue.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace tidegauge {

CheckQueueLimits DefaultCheckQueueLimits() {
  return {.threads = std::clamp(std::thread::hardware_concurrency() / 2, 1U, 4U)};
}

struct CheckQueue::State {
  using Job = std::function<void()>;

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
        job();
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

bool CheckQueue::Add(const std::string& client, std::function<void()> job) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  if (state.waiting >= state.limits.waiting) return false;
  std::deque<State::Job>& own = state.jobs[client];
  if (own.size() >= state.limits.per_client) return false;
  if (state.waiting >= state.idle && state.threads < state.limits.threads) {
    try {
      std::thread([shared = state_] { shared->Work(); }).detach();
      ++state.threads;
    } catch (const std::system_error&) {
      if (state.threads == 0) {
        if (own.empty()) state.jobs.erase(client);
        return false;
      }
    }
  }
  if (own.empty()) state.turns.push_back(client);
  own.push_back(std::move(job));
  ++state.waiting;
  state.wake.notify_one();
  return true;
}

}  // namespace tidegauge
