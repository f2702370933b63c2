// A tree of files in memory behind the Storage port, with faults on demand.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"

namespace tidegauge::testing {

struct StorageCall {
  enum class Kind { kList, kRead, kStat };
  Kind kind = Kind::kList;
  std::string path;
  std::size_t number = 0;  ///< of all calls since the last ResetCalls(), from 1
};

/// Times behave as on a POSIX file system: a file's moves with its content, a directory's only when
/// a name appears in it or leaves it. Paths are absolute; directories appear with what is in them.
/// Safe for concurrent use.
class MemoryStorage : public Storage {
 public:
  MemoryStorage() = default;
  /// A copy has the tree and the clock; faults and calls stay behind.
  MemoryStorage(const MemoryStorage& other);
  MemoryStorage& operator=(const MemoryStorage&) = delete;

  Result<std::vector<std::string>> List(const std::string& directory) override;
  Result<std::string> Read(const std::string& path, std::size_t max_bytes) override;
  /// Counts, and can be made to fail, as a read.
  Result<std::string> ReadPart(const std::string& path, std::uint64_t offset,
                               std::size_t max_bytes) override;
  Result<FileStatus> Stat(const std::string& path) override;

  // ---- the tree

  /// The modification time of everything that changes from now on.
  void SetClock(Time now);
  void Write(const std::string& path, std::string text);
  void MakeDirectory(const std::string& path);
  /// A file, or a directory with all that is in it. What is not there is not removed.
  void Remove(const std::string& path);
  void SetModified(const std::string& path, Time modified);
  bool Has(const std::string& path) const;
  /// Paths of all files, ascending.
  std::vector<std::string> Files() const;
  /// The content of a file that is there. Not counted as a call.
  std::string TextOf(const std::string& path) const;
  /// Copies the files below directory `from` of the real file system to `to`.
  void Load(const std::filesystem::path& from, const std::string& to);

  // ---- faults

  /// Called before each call is answered; an error it returns is the answer. It may change the tree
  /// (a file that vanishes between list and read) or wait.
  using Hook = std::function<std::optional<Error>(const StorageCall&)>;
  void OnCall(Hook hook);
  /// May change what a read returns: a short read, another version of the file.
  using Edit = std::function<void(const StorageCall&, std::string& text)>;
  void OnRead(Edit edit);

  /// The call numbered `number` (from 1) fails with `kind`.
  void FailCall(std::size_t number, ErrorKind kind);
  /// `path` is removed just before the call numbered `number` is answered.
  void VanishBefore(std::size_t number, std::string path);
  /// The call numbered `number` does not return until Release() is called.
  void HangCall(std::size_t number);
  void Release();
  void ClearFaults();

  // ---- what was asked

  std::vector<StorageCall> Calls() const;
  std::size_t CallCount() const;
  std::size_t CallCount(StorageCall::Kind kind) const;
  /// Paths read since the last ResetCalls(), in order.
  std::vector<std::string> ReadPaths() const;
  void ResetCalls();

 private:
  struct Node {
    EntryKind kind = EntryKind::kFile;
    std::string text;
    Time modified;
  };
  using Tree = std::map<std::string, Node, std::less<>>;

  std::optional<Error> Begin(StorageCall::Kind kind, const std::string& path, StorageCall* call);
  void MakeParents(const std::string& path);
  void Touch(const std::string& path);

  mutable std::mutex mutex_;
  std::condition_variable released_;
  std::size_t releases_ = 0;
  Tree tree_;
  Time clock_{};
  Hook hook_;
  Edit edit_;
  std::vector<StorageCall> calls_;
};

}  // namespace tidegauge::testing
