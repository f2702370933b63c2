#include "tests/support/memory_storage.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/core.h>

namespace tidegauge::testing {
namespace {

std::string ParentOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

Error NotFound(const std::string& path) {
  return {ErrorKind::kNotFound, fmt::format("{}: No such file or directory", path)};
}

}  // namespace

MemoryStorage::MemoryStorage(const MemoryStorage& other) : Storage(other) {
  const std::scoped_lock lock(other.mutex_);
  tree_ = other.tree_;
  clock_ = other.clock_;
}

std::optional<Error> MemoryStorage::Begin(StorageCall::Kind kind, const std::string& path,
                                          StorageCall* call) {
  Hook hook;
  {
    const std::scoped_lock lock(mutex_);
    *call = {.kind = kind, .path = path, .number = calls_.size() + 1};
    calls_.push_back(*call);
    hook = hook_;
  }
  return hook ? hook(*call) : std::nullopt;
}

Result<std::vector<std::string>> MemoryStorage::List(const std::string& directory) {
  StorageCall call;
  if (auto error = Begin(StorageCall::Kind::kList, directory, &call)) {
    return std::unexpected(std::move(*error));
  }
  const std::scoped_lock lock(mutex_);
  const auto found = tree_.find(directory);
  if (found == tree_.end() || found->second.kind != EntryKind::kDirectory) {
    return std::unexpected(NotFound(directory));
  }
  std::vector<std::string> names;
  const std::string prefix = directory + '/';
  for (auto entry = tree_.lower_bound(prefix);
       entry != tree_.end() && entry->first.starts_with(prefix); ++entry) {
    std::string name = entry->first.substr(prefix.size());
    if (name.find('/') == std::string::npos) names.push_back(std::move(name));
  }
  std::ranges::reverse(names);  // no caller may rest on an order
  return names;
}

Result<std::string> MemoryStorage::Read(const std::string& path, std::size_t max_bytes) {
  StorageCall call;
  if (auto error = Begin(StorageCall::Kind::kRead, path, &call)) {
    return std::unexpected(std::move(*error));
  }
  std::string text;
  Edit edit;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = tree_.find(path);
    if (found == tree_.end()) return std::unexpected(NotFound(path));
    if (found->second.kind != EntryKind::kFile) {
      return Fail(ErrorKind::kCorrupt, fmt::format("{} is not a regular file", path));
    }
    if (found->second.text.size() > max_bytes) {
      return Fail(ErrorKind::kCorrupt, fmt::format("{} has more than {} bytes", path, max_bytes));
    }
    text = found->second.text;
    edit = edit_;
  }
  if (edit) edit(call, text);
  return text;
}

Result<std::string> MemoryStorage::ReadPart(const std::string& path, std::uint64_t offset,
                                            std::size_t max_bytes) {
  auto text = Read(path, std::numeric_limits<std::size_t>::max());
  if (!text) return text;
  if (offset >= text->size()) return std::string();
  return text->substr(offset, max_bytes);
}

Result<FileStatus> MemoryStorage::Stat(const std::string& path) {
  StorageCall call;
  if (auto error = Begin(StorageCall::Kind::kStat, path, &call)) {
    return std::unexpected(std::move(*error));
  }
  const std::scoped_lock lock(mutex_);
  const auto found = tree_.find(path);
  if (found == tree_.end()) return std::unexpected(NotFound(path));
  const Node& node = found->second;
  return FileStatus{.kind = node.kind, .size = node.text.size(), .modified = node.modified};
}

void MemoryStorage::SetClock(Time now) {
  const std::scoped_lock lock(mutex_);
  clock_ = now;
}

void MemoryStorage::Touch(const std::string& path) {
  const auto found = tree_.find(path);
  if (found != tree_.end()) found->second.modified = clock_;
}

void MemoryStorage::MakeParents(const std::string& path) {
  const std::string parent = ParentOf(path);
  if (parent.empty() || tree_.contains(parent)) return;
  MakeParents(parent);
  tree_[parent] = Node{.kind = EntryKind::kDirectory, .text = {}, .modified = clock_};
  Touch(ParentOf(parent));
}

void MemoryStorage::Write(const std::string& path, std::string text) {
  const std::scoped_lock lock(mutex_);
  MakeParents(path);
  if (!tree_.contains(path)) Touch(ParentOf(path));
  tree_[path] = Node{.kind = EntryKind::kFile, .text = std::move(text), .modified = clock_};
}

void MemoryStorage::MakeDirectory(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  MakeParents(path + "/.");
}

void MemoryStorage::Remove(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  const std::string prefix = path + '/';
  std::size_t removed = tree_.erase(path);
  auto entry = tree_.lower_bound(prefix);
  while (entry != tree_.end() && entry->first.starts_with(prefix)) {
    entry = tree_.erase(entry);
    ++removed;
  }
  if (removed > 0) Touch(ParentOf(path));
}

void MemoryStorage::SetModified(const std::string& path, Time modified) {
  const std::scoped_lock lock(mutex_);
  tree_.at(path).modified = modified;
}

bool MemoryStorage::Has(const std::string& path) const {
  const std::scoped_lock lock(mutex_);
  return tree_.contains(path);
}

std::vector<std::string> MemoryStorage::Files() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> files;
  for (const auto& [path, node] : tree_) {
    if (node.kind == EntryKind::kFile) files.push_back(path);
  }
  return files;
}

std::string MemoryStorage::TextOf(const std::string& path) const {
  const std::scoped_lock lock(mutex_);
  return tree_.at(path).text;
}

void MemoryStorage::Load(const std::filesystem::path& from, const std::string& to) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string below = entry.path().lexically_relative(from).string();
    Write(fmt::format("{}/{}", to, below), std::string(std::istreambuf_iterator<char>(file), {}));
  }
}

void MemoryStorage::OnCall(Hook hook) {
  const std::scoped_lock lock(mutex_);
  hook_ = std::move(hook);
}

void MemoryStorage::OnRead(Edit edit) {
  const std::scoped_lock lock(mutex_);
  edit_ = std::move(edit);
}

void MemoryStorage::FailCall(std::size_t number, ErrorKind kind) {
  OnCall([=](const StorageCall& call) -> std::optional<Error> {
    if (call.number != number) return std::nullopt;
    return Error{kind, fmt::format("{}: made to fail", call.path)};
  });
}

void MemoryStorage::VanishBefore(std::size_t number, std::string path) {
  OnCall([this, number, path = std::move(path)](const StorageCall& call) -> std::optional<Error> {
    if (call.number == number) Remove(path);
    return std::nullopt;
  });
}

void MemoryStorage::HangCall(std::size_t number) {
  const std::scoped_lock lock(mutex_);
  hook_ = [this, number, before = releases_](const StorageCall& call) -> std::optional<Error> {
    if (call.number != number) return std::nullopt;
    std::unique_lock waiting(mutex_);
    released_.wait(waiting, [&] { return releases_ != before; });
    return std::nullopt;
  };
}

void MemoryStorage::Release() {
  {
    const std::scoped_lock lock(mutex_);
    ++releases_;
  }
  released_.notify_all();
}

void MemoryStorage::ClearFaults() {
  OnCall(nullptr);
  OnRead(nullptr);
}

std::vector<StorageCall> MemoryStorage::Calls() const {
  const std::scoped_lock lock(mutex_);
  return calls_;
}

std::size_t MemoryStorage::CallCount() const { return Calls().size(); }

std::size_t MemoryStorage::CallCount(StorageCall::Kind kind) const {
  return static_cast<std::size_t>(std::ranges::count(Calls(), kind, &StorageCall::kind));
}

std::vector<std::string> MemoryStorage::ReadPaths() const {
  std::vector<std::string> paths;
  for (const StorageCall& call : Calls()) {
    if (call.kind == StorageCall::Kind::kRead) paths.push_back(call.path);
  }
  return paths;
}

void MemoryStorage::ResetCalls() {
  const std::scoped_lock lock(mutex_);
  calls_.clear();
}

}  // namespace tidegauge::testing
