#include "daemon/storage/mount_table.h"

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/daemon/temp_directory.h"

namespace tidegauge {
namespace {

constexpr const char* kMounts =
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
    "40 27 0:40 / /data rw,relatime shared:1 - nfs4 nas:/export rw\n"
    "41 40 0:41 / /data/fast rw,relatime shared:1 master:2 - fuse.sshfs host:/x rw\n"
    "42 27 0:42 / /with\\040space rw - cifs //nas/x rw\n";

TEST(MountTable, TheDeepestMountOnTheWayHolds) {
  MountTable table = MountTable::Parse(kMounts);
  EXPECT_EQ(table.MountOf("/etc/x"), "/");
  EXPECT_EQ(table.MountOf("/database/x"), "/");
  EXPECT_EQ(table.MountOf("/data"), "/data");
  EXPECT_EQ(table.MountOf("/data/checkpoints/orders"), "/data");
  EXPECT_EQ(table.MountOf("//with space//x"), "/with space");
}

TEST(MountTable, NothingIsLookedUpBehindAServer) {
  // /data/fast is another mount, but to know that nothing leads elsewhere would need to ask /data.
  EXPECT_EQ(MountTable::Parse(kMounts).MountOf("/data/fast/x"), "/data");
}

TEST(MountTable, WhatAServerHoldsIsNotLocal) {
  MountTable table = MountTable::Parse(kMounts);
  EXPECT_TRUE(table.IsLocal("/etc/x"));
  EXPECT_FALSE(table.IsLocal("/data/checkpoints/orders"));
  EXPECT_FALSE(table.IsLocal("/with space"));
  EXPECT_FALSE(MountTable::Parse("").IsLocal("/etc/x"));
}

TEST(MountTable, LinksOnLocalDisksAreFollowed) {
  TempDirectory directory;
  std::filesystem::create_directory(directory / "nas");
  std::filesystem::create_directory(directory / "sub");
  std::filesystem::create_symlink(directory / "nas", directory / "absolute");
  std::filesystem::create_symlink("../nas/deep", directory / "sub/relative");
  std::filesystem::create_symlink("loop", directory / "loop");
  MountTable table = MountTable::Parse(
      fmt::format("1 1 0:1 / / rw - tmpfs x rw\n2 1 0:2 / {} rw - nfs x rw\n", directory / "nas"));
  EXPECT_EQ(table.MountOf(directory / "absolute/x"), directory / "nas");
  EXPECT_EQ(table.MountOf(directory / "sub/relative/x"), directory / "nas");
  EXPECT_EQ(table.MountOf(directory / "sub/./../nas"), directory / "nas");
  EXPECT_EQ(table.MountOf(directory / "sub/../none"), "/");
  EXPECT_EQ(table.MountOf(directory / "loop/x"), "/");
}

TEST(MountTable, WithoutKnowledgeAllIsOneMount) {
  MountTable table = MountTable::Parse("garbage\n\n- - -\n1 2 3 4 5 6 -\n");
  EXPECT_EQ(table.MountOf("/data/x"), "/");
  EXPECT_EQ(table.MountOf(""), "/");
}

TEST(MountTable, ReadsThisHosts) {
  EXPECT_EQ(MountTable::Read().MountOf("/proc/self/status"), "/proc");
}

}  // namespace
}  // namespace tidegauge
