// Many questions of "which offset?", asked at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model.h"
#include "daemon/kafka/client.h"
#include "daemon/kafka/deadline.h"

namespace tidegauge {

// What to look for: one of these, or a timestamp (ms since 1970) for the first record stamped at or
// after it. The numbers are the protocol's (KIP-79, KIP-734).
inline constexpr std::int64_t kLogEnd = -1;  ///< the high watermark, as Spark reads by default
inline constexpr std::int64_t kLogStart = -2;
inline constexpr std::int64_t kNewestTimestamp = -3;  ///< the record with the largest timestamp

struct OffsetQuestion {
  std::string topic;
  Partition partition = 0;
  std::int32_t leader = -1;  ///< the broker to be asked; negative: there is none
  std::int64_t at = kLogEnd;
};

/// Answered if `error` is empty. Then no offset means: there is no such record.
struct OffsetReply {
  std::optional<Offset> offset;
  std::optional<Time> timestamp;  ///< only to questions by timestamp, and for kNewestTimestamp
  std::string error;
};

/// One reply to each question, in their order, before `deadline` (or a moment after it: what is
/// late is an error in its reply). Each (topic, partition, at) may be there once. A partition whose
/// leader has moved is asked again. Safe for topics that no longer exist; none is created.
std::vector<OffsetReply> ListOffsets(Client& client, const std::vector<OffsetQuestion>& questions,
                                     const Deadline& deadline);

}  // namespace tidegauge
