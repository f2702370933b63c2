// Findings on damage of the checkpoint itself, in which Kafka has no part.
#pragma once

#include <initializer_list>
#include <optional>

#include "core/checkpoint/damage.h"
#include "core/topics/comparison.h"

namespace tidegauge {

/// The first damage of these kinds, in the order in which it was met. Left out is damage of the
/// newest batch before it is committed, so shortly after its file was written that the writing may
/// not be over: not every storage makes files appear whole.
std::optional<Damage> FirstDamage(const QueryView& query,
                                  std::initializer_list<Damage::Kind> kinds);

/// Of `finding`: names the checkpoint's file and batch, and leaves Kafka out.
void SetDamage(Finding& finding, const Damage& damage);

}  // namespace tidegauge
