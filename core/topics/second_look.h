// Answers that would alarm somebody are asked for once more in the same poll: brokers have given
// the earliest offset for the latest (KAFKA-7703), or listed a topic without its partitions.
#pragma once

#include "core/history/ledger.h"
#include "core/world.h"

namespace tidegauge {

/// The topics whose answers are worth a second question.
Questions OddAnswers(const Readings& readings, const Answers& answers, const Ledger& ledger);

/// Replaces the answers about `asked` by the second ones. What is not answered this time is
/// unknown.
void TakeSecondAnswers(Answers& answers, Answers second, const Questions& asked);

}  // namespace tidegauge
