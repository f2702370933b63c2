#include <string>
#include <vector>

#include <fmt/core.h>

#include "tests/week/week.h"

namespace tidegauge::testing {
namespace {

using namespace std::chrono_literals;

constexpr Duration kDay = 24h;
const std::string kOut = "/data/out/";

SinkPlan SinkOf(const std::string& name) { return {.directory = kOut + name}; }

void AddTopics(SimulatedKafka& kafka) {
  kafka.Create("orders", {.partitions = 4, .per_minute = 90});
  kafka.Create("clicks", {.partitions = 3, .per_minute = 300, .at_night = 0.05, .retention = 4h});
  kafka.Create("ledger", {.partitions = 2, .per_minute = 20});
  kafka.Create("payments", {.partitions = 2, .per_minute = 30, .transactional = true});
  kafka.Create("customers", {.partitions = 1, .per_minute = 5, .compacted = true});
  kafka.Create("rare", {.partitions = 2, .per_minute = 0.002, .retention = kDay});
  kafka.Create("office", {.partitions = 2, .per_minute = 40, .at_night = 0, .on_weekends = false});
}

void AddQueries(Week& week) {
  const Time before = week.now();
  SinkPlan kept_half_a_day = SinkOf("orders");
  kept_half_a_day.retention = 12h;
  week.Add("orders", {.sources = {{{"orders"}}}, .longest = 25s, .sink = kept_half_a_day},
           kMonday - 3h);
  week.Add("clicks",
           {.sources = {{{"clicks"}}},
            .every = 45s,
            .shortest = 2s,
            .longest = 15s,
            .fail_on_data_loss = false,
            .most_records = 5000,
            .checksums = true},
           kMonday - 3h);
  week.Add("nightly",
           {.sources = {{{"ledger"}}},
            .trigger = Trigger::kOnce,
            .every = kDay,
            .from_midnight = 2h,
            .shortest = 3min,
            .longest = 9min,
            .sink = SinkOf("nightly")},
           before);
  week.Add("hourly",
           {.sources = {{{"orders"}}},
            .trigger = Trigger::kAvailableNow,
            .every = 1h,
            .from_midnight = 10min,
            .shortest = 20s,
            .longest = 2min,
            .most_records = 8000,
            .sink = SinkOf("hourly")},
           before);
  week.Add("async",
           {.sources = {{{"orders"}}},
            .every = 10s,
            .shortest = 500ms,
            .longest = 4s,
            .asynchronous = 1min},
           kMonday - 3h);
  SinkPlan idle = SinkOf("idle");
  idle.with_data_files = true;
  week.Add("idle", {.sources = {{{"rare"}}}, .every = 10s, .sink = idle}, before);
  week.Add("joined",
           {.sources = {{{"payments"}, true}, {{"customers"}}}, .every = 2min, .stateful = true},
           kMonday - 5h);
  SinkPlan office = SinkOf("office");
  office.with_data_files = true;
  week.Add("office", {.sources = {{{"office"}}}, .every = 5min, .longest = 1min, .sink = office},
           kMonday - kDay);
}

/// A moment of the week.
Time Sometime(Week& week) { return kMonday + week.dice.Between(10min, 7 * kDay - 10min); }

void AddRestarts(Week& week) {
  for (const char* name :
       {"orders", "clicks", "nightly", "hourly", "async", "idle", "joined", "office"}) {
    for (const auto state : {SimulatedQuery::State::kWaiting, SimulatedQuery::State::kRunning,
                             SimulatedQuery::State::kListing, SimulatedQuery::State::kCommitting}) {
      const Duration pause = week.dice.Between(20s, 8min);
      week.At(Sometime(week), [=](Week& then) { then.KillIn(name, state, pause); });
    }
    week.At(Sometime(week), [=](Week& then) {
      // It dies between writing a plan and renaming it.
      if (then.query(name).state() != SimulatedQuery::State::kWaiting) return;
      then.query(name).LeaveTemporaryFile(then.storage, then.now());
      then.query(name).Kill(then.storage, then.now(), then.now() + 1min);
    });
  }
  // Nobody works at the weekend.
  week.At(kMonday + 5 * kDay + 1h, [](Week& then) {
    then.query("office").Kill(then.storage, then.now(), kMonday + 7 * kDay + 6h);
  });
  week.At(Sometime(week), [](Week& then) {
    then.query("orders").SetDuration(4min, 12min);
    then.At(then.now() + 40min, [](Week& later) { later.query("orders").SetDuration(4s, 25s); });
  });
}

void AddBrokerTroubles(Week& week) {
  // A leader moves, or a broker is restarted: its partitions do not answer for a while.
  for (int i = 0; i < 12; ++i) {
    const std::string topic = std::vector<std::string>{"orders", "clicks", "payments"}[i % 3];
    const Partition partition = static_cast<Partition>(i % 2);
    const Duration away = week.dice.Between(2s, 100s);
    week.At(Sometime(week), [=](Week& then) {
      then.kafka.broker.HidePartition(topic, partition);
      then.At(then.now() + away, [](Week& later) { later.kafka.broker.ShowAll(); });
    });
  }
  // The whole cluster is away.
  for (int i = 0; i < 3; ++i) {
    const Duration away = week.dice.Between(20s, 9min);
    week.At(Sometime(week), [=](Week& then) {
      then.kafka.down = true;
      then.kafka.broker.Down();
      then.At(then.now() + away, [](Week& later) {
        later.kafka.down = false;
        later.kafka.broker.Up();
      });
    });
  }
}

/// One answer that is not so. The next one is right.
void AddOddAnswers(Week& week) {
  const auto odd = [&week](const FakeKafka::Change& change) {
    week.At(Sometime(week), [change](Week& then) { then.kafka.broker.AnswerOddly(change); });
  };
  for (const char* topic : {"orders", "clicks", "rare", "payments"}) {
    const auto about = [topic](auto change) {
      return [=](ClusterAnswer& answer) {
        const auto found = answer.topics.find(topic);
        if (found != answer.topics.end()) change(found->second);
      };
    };
    odd(about([](TopicAnswer& answer) { answer = {.presence = TopicPresence::kMissing}; }));
    odd(about([](TopicAnswer& answer) { answer.partitions.clear(); }));
    odd(about([](TopicAnswer& answer) {
      for (auto& [partition, log] : answer.partitions) log.log_end = log.log_start;
    }));
    odd(about([](TopicAnswer& answer) { answer.partitions.erase(0); }));
    odd(about([](TopicAnswer& answer) {
      for (auto& [partition, log] : answer.partitions) log.log_start = log.log_end;
    }));
    odd(about([](TopicAnswer& answer) { answer.topic_id.clear(); }));
    odd(about([](TopicAnswer& answer) { answer = {.error = "not authorised"}; }));
  }
  odd([](ClusterAnswer& answer) { answer.cluster_id.clear(); });
}

void AddDaemonTroubles(Week& week) {
  for (int day = 0; day < 7; ++day) {
    week.At(kMonday + day * kDay + week.dice.Between(0s, kDay),
            [](Week& then) { then.RestartDaemon(); });
  }
  for (const char* name : {"orders", "clicks", "hourly", "joined", "idle"}) {
    const Duration span = week.dice.Between(10s, 10min);
    week.At(Sometime(week), [=](Week& then) { then.HangMount(name, then.now() + span); });
  }
}

}  // namespace

Week HealthyWeek(std::uint64_t seed) {
  Week week(seed, kMonday - 5 * kDay);
  AddTopics(week.kafka);
  AddQueries(week);
  AddRestarts(week);
  AddBrokerTroubles(week);
  AddOddAnswers(week);
  AddDaemonTroubles(week);
  week.At(Sometime(week), [](Week& then) { then.kafka.AddPartitions("orders", 2); });
  week.At(Sometime(week), [](Week& then) { then.kafka.AddPartitions("ledger", 1); });
  week.LiveUntil(kMonday);
  return week;
}

}  // namespace tidegauge::testing
