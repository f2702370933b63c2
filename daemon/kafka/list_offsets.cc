#include "daemon/kafka/list_offsets.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

namespace tidegauge {
namespace {

struct PartitionsDeleter {
  void operator()(rd_kafka_topic_partition_list_t* partitions) const {
    rd_kafka_topic_partition_list_destroy(partitions);
  }
};
using PartitionsHandle = std::unique_ptr<rd_kafka_topic_partition_list_t, PartitionsDeleter>;

using Clock = std::chrono::steady_clock;

// The library's work grows with the square of a call's partitions. With 10,000 on one broker, calls
// of 100 side by side took 0.1 s, calls of 1,000 0.15 s, one call for all 1 s.
constexpr std::size_t kPartitionsPerCall = 100;

// Together 3 s: after a leader moves, its old cached place goes wrong once, and the next answer is
// right within about a second.
constexpr int kMostAttempts = 6;
constexpr Duration kFirstBackoff{100};

// What another try may mend. UNKNOWN_TOPIC_OR_PART is also what a broker says that does not lead
// the partition any more, or not yet.
bool IsPassing(rd_kafka_resp_err_t code) {
  switch (code) {
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR_FENCED_LEADER_EPOCH:
    case RD_KAFKA_RESP_ERR_UNKNOWN_LEADER_EPOCH:
    case RD_KAFKA_RESP_ERR_OFFSET_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR:
    case RD_KAFKA_RESP_ERR__NOENT:  // the whole call: no leader found for any partition
      return true;
    default:
      return false;
  }
}

class Asker {
 public:
  Asker(Client& client, const std::vector<OffsetQuestion>& questions, const Deadline& deadline)
      : client_(client),
        questions_(questions),
        deadline_(deadline),
        queue_(client.NewQueue()),
        replies_(questions.size()),
        attempts_(questions.size()) {}

  std::vector<OffsetReply> Run() {
    std::vector<std::size_t> all(questions_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    Send(std::move(all));
    while ((outstanding_ > 0 || !again_.empty()) && !deadline_.Passed()) {
      const EventHandle event = client_.Await(queue_.get(), NextTurn());
      if (event != nullptr) Receive(event.get());
      if (!again_.empty() && Clock::now() >= again_at_) Send(std::exchange(again_, {}));
    }
    return std::move(replies_);
  }

 private:
  using Call = std::vector<std::size_t>;  // indices of the questions in it

  // Questions for different brokers go into different calls, so that a broker that hangs delays no
  // others; so do different times, since a call takes a partition once.
  void Send(std::vector<std::size_t> questions) {
    const auto group = [this](std::size_t i) {
      return std::pair(questions_[i].leader, questions_[i].at);
    };
    std::ranges::sort(questions, {}, group);
    Call call;
    for (const std::size_t i : questions) {
      if (questions_[i].leader < 0) {
        replies_[i].error = "the partition has no leader";
        continue;
      }
      if (!call.empty() && (call.size() == kPartitionsPerCall || group(call.front()) != group(i))) {
        SendCall(std::exchange(call, {}));
      }
      call.push_back(i);
    }
    if (!call.empty()) SendCall(std::move(call));
  }

  void SendCall(Call call) {
    const PartitionsHandle partitions(
        rd_kafka_topic_partition_list_new(static_cast<int>(call.size())));
    for (const std::size_t i : call) {
      const OffsetQuestion& question = questions_[i];
      rd_kafka_topic_partition_list_add(partitions.get(), question.topic.c_str(),
                                        question.partition)
          ->offset = question.at;
      replies_[i].error = fmt::format("no answer from broker {} in time", question.leader);
      ++attempts_[i];
    }
    // A little before our own deadline: a call that runs into its own brings what it has got so
    // far.
    const Duration left = deadline_.Left();
    const OptionsHandle options = client_.NewOptions(RD_KAFKA_ADMIN_OP_LISTOFFSETS,
                                                     left - std::min(left / 10, Duration{200}), -1);
    calls_.push_back(std::make_unique<Call>(std::move(call)));
    rd_kafka_AdminOptions_set_opaque(options.get(), calls_.back().get());
    rd_kafka_ListOffsets(client_.handle(), partitions.get(), options.get(), queue_.get());
    ++outstanding_;
  }

  Deadline NextTurn() const {
    if (again_.empty()) return deadline_;
    const auto wait = std::chrono::ceil<Duration>(again_at_ - Clock::now());
    return Deadline(std::clamp(wait, Duration::zero(), deadline_.Left()));
  }

  void Receive(rd_kafka_event_t* event) {
    --outstanding_;
    const Call& call = *static_cast<const Call*>(rd_kafka_event_opaque(event));
    if (const auto code = rd_kafka_event_error(event); code != RD_KAFKA_RESP_ERR_NO_ERROR) {
      for (const std::size_t i : call) Fail(i, code, rd_kafka_event_error_string(event));
      return;
    }
    std::size_t count = 0;
    const rd_kafka_ListOffsetsResultInfo_t** infos =
        rd_kafka_ListOffsets_result_infos(rd_kafka_event_ListOffsets_result(event), &count);
    for (const auto* info : std::span(infos, count)) {
      const auto* answer = rd_kafka_ListOffsetsResultInfo_topic_partition(info);
      const auto asked = std::ranges::find_if(call, [&](std::size_t i) {
        return questions_[i].partition == answer->partition && questions_[i].topic == answer->topic;
      });
      if (asked == call.end()) continue;
      Take(*asked, answer->err, answer->offset, rd_kafka_ListOffsetsResultInfo_timestamp(info));
    }
  }

  void Take(std::size_t i, rd_kafka_resp_err_t code, std::int64_t offset, std::int64_t timestamp) {
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return Fail(i, code, rd_kafka_err2str(code));
    const bool by_time = questions_[i].at >= 0 || questions_[i].at == kNewestTimestamp;
    if (offset < 0) {
      // Not answered in time is "no error" and RD_KAFKA_OFFSET_INVALID; the broker itself says -1
      // where no record fits, which at the ends of a log cannot be.
      if (by_time && offset == -1) replies_[i].error.clear();
      return;
    }
    replies_[i] = {.offset = offset};
    if (by_time && timestamp >= 0) replies_[i].timestamp = Time(Duration(timestamp));
  }

  void Fail(std::size_t i, rd_kafka_resp_err_t code, std::string_view why) {
    replies_[i].error = why;
    if (!IsPassing(code) || attempts_[i] >= kMostAttempts) return;
    if (again_.empty()) again_at_ = Clock::now() + kFirstBackoff * (1 << (attempts_[i] - 1));
    again_.push_back(i);
  }

  Client& client_;
  const std::vector<OffsetQuestion>& questions_;
  const Deadline& deadline_;
  QueueHandle queue_;
  std::vector<OffsetReply> replies_;
  std::vector<int> attempts_;
  std::vector<std::unique_ptr<Call>> calls_;  // by address known to the library
  int outstanding_ = 0;
  std::vector<std::size_t> again_;
  Clock::time_point again_at_;
};

}  // namespace

std::vector<OffsetReply> ListOffsets(Client& client, const std::vector<OffsetQuestion>& questions,
                                     const Deadline& deadline) {
  return Asker(client, questions, deadline).Run();
}

}  // namespace tidegauge
