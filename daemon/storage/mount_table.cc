#include "daemon/storage/mount_table.h"

#include <algorithm>
#include <array>
#include <climits>
#include <fstream>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include <unistd.h>

namespace tidegauge {
namespace {

/// As the kernel does (ELOOP).
constexpr int kMaxLinks = 40;

constexpr std::array<std::string_view, 14> kLocalTypes = {
    "btrfs", "devtmpfs", "ext2",     "ext3",  "ext4",  "f2fs", "overlay",
    "ramfs", "rootfs",   "squashfs", "sysfs", "tmpfs", "xfs",  "zfs"};

/// mountinfo writes space, tab, newline and backslash as \ooo.
std::string Unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string ReadLink(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
  return size < 0 ? "" : std::string(target.data(), static_cast<std::size_t>(size));
}

/// The components of a path that are still to be walked, next one last.
class Walk {
 public:
  explicit Walk(std::string_view path) { Push(path); }

  void Push(std::string_view path) {
    for (std::string_view part : Split(path, '/') | std::views::reverse) rest_.emplace_back(part);
  }
  bool done() const { return rest_.empty(); }
  std::string Next() {
    std::string next = std::move(rest_.back());
    rest_.pop_back();
    return next;
  }

 private:
  std::vector<std::string> rest_;
};

}  // namespace

MountTable MountTable::Read() {
  std::ifstream file("/proc/self/mountinfo", std::ios::binary);
  return Parse(std::string(std::istreambuf_iterator<char>(file), {}));
}

MountTable MountTable::Parse(std::string_view mountinfo) {
  MountTable table;
  for (std::string_view line : Split(mountinfo, '\n')) {
    // 36 35 98:0 /root /point options optional… - type source super-options
    std::vector<std::string_view> fields = Split(line, ' ');
    auto dash = std::ranges::find(fields, "-");
    if (fields.size() < 6 || std::distance(dash, fields.end()) < 2) continue;
    bool local = std::ranges::find(kLocalTypes, *std::next(dash)) != kLocalTypes.end();
    table.mounts_.insert_or_assign(Unescape(fields[4]), local);
  }
  return table;
}

const MountTable::Mount* MountTable::Find(std::string_view directory) const {
  auto found = mounts_.find(directory);
  return found == mounts_.end() ? nullptr : &*found;
}

const MountTable::Mount* MountTable::Covering(std::string_view directory) const {
  while (!directory.empty()) {
    if (const Mount* mount = Find(directory)) return mount;
    directory = directory.substr(0, directory.rfind('/'));
  }
  return Find("/");
}

std::string MountTable::MountOf(const std::string& path) const {
  const Mount* mount = Reached(path);
  return mount == nullptr ? "/" : mount->first;
}

bool MountTable::IsLocal(const std::string& path) const {
  const Mount* mount = Reached(path);
  return mount != nullptr && mount->second;
}

const MountTable::Mount* MountTable::Reached(const std::string& path) const {
  std::string at;  // the directory reached; empty for the root
  const Mount* mount = Covering(at);
  Walk walk(path);
  for (int links = 0; !walk.done() && (mount == nullptr || mount->second);) {
    std::string name = walk.Next();
    if (name == ".") continue;
    if (name == "..") {
      at.resize(at.empty() ? 0 : at.rfind('/'));
      mount = Covering(at);
      continue;
    }
    std::string next = at;
    next.append("/").append(name);
    if (const Mount* found = Find(next)) {
      mount = found;
    } else if (std::string target = ReadLink(next); !target.empty() && ++links < kMaxLinks) {
      if (target.starts_with('/')) at.clear();
      mount = Covering(at);
      walk.Push(target);
      continue;
    }
    at = std::move(next);
  }
  return mount;
}

}  // namespace tidegauge
