#include "daemon/storage/local_storage.h"

#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/daemon/temp_directory.h"
#include "tests/daemon/unprivileged.h"

namespace tidegauge {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr std::size_t kLimit = 1 << 20;

class LocalStorageTest : public ::testing::Test {
 protected:
  TempDirectory directory_;
  LocalStorage storage_;
};

TEST_F(LocalStorageTest, ListsEverythingWhateverItsName) {
  directory_.Write("0", "");
  directory_.Write(".1.crc", "");
  directory_.Write("sub/x", "");
  directory_.Write("a\nb \"'\\", "");
  directory_.Write("\xff\xfe", "");
  auto names = storage_.List(directory_.path());
  ASSERT_TRUE(names) << names.error().message;
  EXPECT_THAT(*names, UnorderedElementsAre("0", ".1.crc", "sub", "a\nb \"'\\", "\xff\xfe"));
}

TEST_F(LocalStorageTest, AnEmptyDirectoryIsAnEmptyList) {
  auto names = storage_.List(directory_.path());
  ASSERT_TRUE(names);
  EXPECT_TRUE(names->empty());
}

TEST_F(LocalStorageTest, ReadsAPartOfAFile) {
  directory_.Write("9.compact", "0123456789");
  const std::string path = directory_ / "9.compact";
  EXPECT_EQ(storage_.ReadPart(path, 0, 4), "0123");
  EXPECT_EQ(storage_.ReadPart("file://" + path, 4, 4), "4567");
  EXPECT_EQ(storage_.ReadPart(path, 8, 4), "89");
  EXPECT_EQ(storage_.ReadPart(path, 10, 4), "");
  EXPECT_EQ(storage_.ReadPart(path, 1'000'000, 4), "");
  EXPECT_EQ(storage_.ReadPart(directory_.path(), 0, 4).error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(storage_.ReadPart(directory_ / "none", 0, 4).error().kind, ErrorKind::kNotFound);
}

TEST_F(LocalStorageTest, AListingIsNeverCut) {
  for (const char* name : {"0", "1", "2"}) directory_.Write(name, "");
  EXPECT_EQ(LocalStorage(3).List(directory_.path())->size(), 3U);
  auto names = LocalStorage(2).List(directory_.path());
  ASSERT_FALSE(names);
  EXPECT_EQ(names.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(names.error().message, HasSubstr("more than 2 entries"));
}

TEST_F(LocalStorageTest, ReadsAWholeFileWithEveryByte) {
  std::string text(300'000, 'x');
  text[7] = '\0';
  text[8] = '\n';
  directory_.Write("file", text);
  EXPECT_EQ(storage_.Read(directory_ / "file", kLimit), text);
  directory_.Write("empty", "");
  EXPECT_EQ(storage_.Read(directory_ / "empty", kLimit), "");
}

TEST_F(LocalStorageTest, ReadsFilesThatClaimToBeEmpty) {
  auto text = storage_.Read("/proc/self/status", kLimit);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("Pid:"));
  auto cut = storage_.Read("/proc/self/status", 10);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().kind, ErrorKind::kCorrupt);
}

TEST_F(LocalStorageTest, AFileOfExactlyTheLimitIsReadOneByteMoreIsNot) {
  directory_.Write("file", "12345");
  EXPECT_EQ(storage_.Read(directory_ / "file", 5), "12345");
  auto text = storage_.Read(directory_ / "file", 4);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::kCorrupt);
  EXPECT_THAT(text.error().message, HasSubstr(directory_ / "file"));
}

TEST_F(LocalStorageTest, AHugeFileIsRefusedUnread) {
  directory_.Write("offsets/5", "v1");
  std::filesystem::resize_file(directory_ / "offsets/5", std::uintmax_t{1} << 40);
  auto text = storage_.Read(directory_ / "offsets/5", kLimit);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::kCorrupt);
}

TEST_F(LocalStorageTest, AFifoIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((directory_ / "7").c_str(), 0600), 0);
  auto text = storage_.Read(directory_ / "7", kLimit);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::kCorrupt);
  EXPECT_THAT(text.error().message, HasSubstr("not a regular file"));
  EXPECT_EQ(storage_.List(directory_ / "7").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(storage_.Stat(directory_ / "7")->kind, EntryKind::kOther);
}

TEST_F(LocalStorageTest, ASocketADeviceAndADirectoryAreNoFiles) {
  int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (directory_ / "socket").c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  for (const std::string& path :
       {directory_ / "socket", std::string("/dev/zero"), directory_.path().string()}) {
    auto text = storage_.Read(path, kLimit);
    ASSERT_FALSE(text) << path;
    EXPECT_EQ(text.error().kind, ErrorKind::kCorrupt) << path;
  }
  ::close(fd);
}

TEST_F(LocalStorageTest, WhatIsNotThereIsNotFound) {
  directory_.Write("file", "");
  std::filesystem::create_symlink("nowhere", directory_ / "dangling");
  for (const std::string& path : {directory_ / "none", directory_ / "file/none",
                                  directory_ / "dangling", directory_ / std::string(300, 'x')}) {
    EXPECT_EQ(storage_.Read(path, kLimit).error().kind, ErrorKind::kNotFound) << path;
    EXPECT_EQ(storage_.List(path).error().kind, ErrorKind::kNotFound) << path;
    EXPECT_EQ(storage_.Stat(path).error().kind, ErrorKind::kNotFound) << path;
  }
  EXPECT_EQ(storage_.List(directory_ / "file").error().kind, ErrorKind::kNotFound);
}

TEST_F(LocalStorageTest, ANulByteDoesNotShortenAPath) {
  directory_.Write("file", "x");
  std::string path = (directory_ / "file") + std::string("\0tail", 5);
  EXPECT_EQ(storage_.Read(path, kLimit).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(storage_.Stat(path).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(storage_.List(path).error().kind, ErrorKind::kNotFound);
}

TEST_F(LocalStorageTest, ALoopOfLinksIsNoAnswer) {
  std::filesystem::create_symlink("loop", directory_ / "loop");
  EXPECT_EQ(storage_.Read(directory_ / "loop", kLimit).error().kind, ErrorKind::kUnavailable);
}

TEST_F(LocalStorageTest, FollowsLinks) {
  directory_.Write("real/0", "text");
  std::filesystem::create_symlink("real", directory_ / "link");
  EXPECT_EQ(storage_.Read(directory_ / "link/0", kLimit), "text");
  EXPECT_EQ(storage_.List(directory_ / "link")->size(), 1U);
  EXPECT_EQ(storage_.Stat(directory_ / "link")->kind, EntryKind::kDirectory);
}

TEST_F(LocalStorageTest, StatTellsKindSizeAndTimeToTheMillisecond) {
  directory_.Write("file", "12345");
  timespec times[2] = {{0, UTIME_OMIT}, {1'764'475'200, 123'999'999}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (directory_ / "file").c_str(), times, 0), 0);
  EXPECT_EQ(storage_.Stat(directory_ / "file"),
            (FileStatus{EntryKind::kFile, 5, Time(Duration(1'764'475'200'123))}));
}

TEST_F(LocalStorageTest, AFileWithoutPermissionNamesWhatToGrant) {
  directory_.Write("0", "secret");
  ::chmod(directory_.path().c_str(), 0755);
  ::chmod((directory_ / "0").c_str(), 0);
  Unprivileged nobody;
  auto text = storage_.Read(directory_ / "0", kLimit);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::kDenied);
  EXPECT_THAT(text.error().message, HasSubstr(":r '" + (directory_ / "0") + "'"));
}

TEST_F(LocalStorageTest, ADirectoryWithoutPermissionNamesWhatToGrant) {
  directory_.Write("offsets/0", "");
  ::chmod(directory_.path().c_str(), 0755);
  ::chmod((directory_ / "offsets").c_str(), 0);
  {
    Unprivileged nobody;
    auto names = storage_.List(directory_ / "offsets");
    ASSERT_FALSE(names);
    EXPECT_EQ(names.error().kind, ErrorKind::kDenied);
    EXPECT_THAT(names.error().message, HasSubstr(":rx '" + (directory_ / "offsets") + "'"));

    auto status = storage_.Stat(directory_ / "offsets/0");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::kDenied);
    EXPECT_THAT(status.error().message, HasSubstr(":x '" + (directory_ / "offsets") + "'"));
  }
  ::chmod((directory_ / "offsets").c_str(), 0755);
}

TEST_F(LocalStorageTest, TakesHadoopsScheme) {
  directory_.Write("a%20b", "text");
  const std::string path = directory_ / "a%20b";
  EXPECT_EQ(storage_.Read("file:" + path, kLimit), "text");
  EXPECT_EQ(storage_.Read("file://" + path, kLimit), "text");
  EXPECT_TRUE(storage_.Stat("file:" + path));
  EXPECT_TRUE(storage_.List("file://" + directory_.path().string()));
  EXPECT_EQ(LocalPath("file:x"), "file:x") << "a relative name that happens to begin so";
}

}  // namespace
}  // namespace tidegauge
