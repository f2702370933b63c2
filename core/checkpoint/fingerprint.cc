#include "core/checkpoint/fingerprint.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tidegauge {
namespace {

/// What changed so recently may change again without its modification time moving.
constexpr Duration kSettled = std::chrono::seconds(2);

bool Matches(const CheckpointDirectory& directory, const std::string& name,
             const std::optional<FileStatus>& known) {
  const auto status = directory.Status(name);
  return status && *status == known;
}

bool IsSettled(const std::optional<FileStatus>& known, Time taken_at) {
  return !known || taken_at - known->modified > kSettled;
}

}  // namespace

void FingerprintTaker::Note(const std::string& name) {
  if (status_.contains(name)) return;
  auto status = directory_.Status(name);
  if (!status) {
    complete_ = false;
    return;
  }
  status_.emplace(name, *status);
}

std::optional<Time> FingerprintTaker::ModifiedAt(const std::string& name) const {
  const auto noted = status_.find(name);
  if (noted == status_.end() || !noted->second) return std::nullopt;
  return noted->second->modified;
}

void FingerprintTaker::Finish(Checkpoint::Fingerprint& fingerprint) {
  fingerprint.taken_at = now_;
  fingerprint.status.clear();
  if (complete_) fingerprint.status = std::move(status_);
}

bool IsAsKnown(const CheckpointDirectory& directory, const Checkpoint::Fingerprint& fingerprint,
               const std::string& name) {
  const auto known = fingerprint.status.find(name);
  return known != fingerprint.status.end() && Matches(directory, name, known->second);
}

bool IsUnchanged(const CheckpointDirectory& directory, const Checkpoint::Fingerprint& fingerprint) {
  return !fingerprint.status.empty() &&
         std::ranges::all_of(fingerprint.status, [&](const auto& known) {
           return IsSettled(known.second, fingerprint.taken_at) &&
                  Matches(directory, known.first, known.second);
         });
}

}  // namespace tidegauge
