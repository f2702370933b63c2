// Which reads would hang together: the mounts of this host.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tidegauge {

/// What /proc/self/mountinfo says, so that paths can be told apart by mount without touching a
/// mount that may hang. A value; const use is thread-safe.
class MountTable {
 public:
  /// Of this process, now. Without a readable mountinfo every path belongs to one mount.
  static MountTable Read();

  /// `mountinfo` in the format of proc(5). Lines that are not understood are left out.
  static MountTable Parse(std::string_view mountinfo);

  /// The mount point that `path` (absolute, local) lies behind. Symbolic links are followed as long
  /// as they lie on a local file system; the first directory of any other kind is where the answer
  /// ends, so this never waits for a server.
  std::string MountOf(const std::string& path) const;

  /// Whether `path` lies on this host's disks or in its memory, so that it cannot wait for a
  /// server.
  bool IsLocal(const std::string& path) const;

 private:
  /// By mount point: whether it is on this host's disks or in its memory, so that it cannot wait
  /// for a server. Of mounts one over the other, the last.
  using Mounts = std::map<std::string, bool, std::less<>>;
  using Mount = Mounts::value_type;

  /// The mount that MountOf speaks of; null: nothing is known of it.
  const Mount* Reached(const std::string& path) const;
  /// The mount whose point is `directory`; null: none.
  const Mount* Find(std::string_view directory) const;
  /// The mount that `directory` lies behind; null: nothing is known of the root.
  const Mount* Covering(std::string_view directory) const;

  Mounts mounts_;
};

}  // namespace tidegauge
