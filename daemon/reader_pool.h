// Reads the checkpoints and logs of all queries, in parallel, so that one that hangs costs no
// other.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/model.h"
#include "core/query_reading.h"
#include "core/world.h"
#include "daemon/deadline_pool.h"

namespace tidegauge {

/// Remembers what each query's last successful read gave, which makes the next one cheap when
/// nothing has changed. A reading that is late is kUnavailable, and what it brings when it returns
/// after all is dropped; until it returns the query is not read again.
///
/// One thread at a time. The destructor does not wait for reads that hang.
class ReaderPool {
 public:
  /// Runs on any thread, also after the pool is gone: it owns all that it uses. Must not throw.
  using Reader =
      std::function<QueryReading(const Target& target, const KnownReading& previous, Time now)>;

  explicit ReaderPool(Reader reader, const DeadlinePool::Options& options = {});

  /// One reading for each of `targets` (whose query names differ), in their order, within three
  /// deadlines. `now` is the moment of the call.
  std::vector<Reading> ReadAll(const std::vector<Target>& targets, Time now);

 private:
  std::shared_ptr<const Reader> reader_;
  DeadlinePool::Options options_;
  DeadlinePool pool_;
  std::map<Target, KnownReading> previous_;
};

}  // namespace tidegauge
