#include "daemon/impatient_storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/temp_directory.h"

namespace tidegauge {
namespace {

using testing::ElementsAre;

// What lies behind a server for this table is on a local disk in truth: so it answers.
MountTable AllRemote() { return MountTable::Parse("27 1 0:40 / / rw - nfs4 nas:/ rw\n"); }
MountTable AllLocal() { return MountTable::Parse("27 1 0:40 / / rw - ext4 /dev/vda rw\n"); }

class ImpatientStorageTest : public ::testing::TestWithParam<bool> {
 protected:
  ImpatientStorage storage{ImpatientStorage::MakePool(std::chrono::seconds(10)),
                           GetParam() ? AllRemote() : AllLocal()};
};

TEST_P(ImpatientStorageTest, reads_what_answers) {
  TempDirectory directory;
  directory.Write("file", "text");
  EXPECT_THAT(*storage.List(directory / "."), ElementsAre("file"));
  EXPECT_EQ(*storage.Read("file:" + (directory / "file"), 100), "text");
  EXPECT_EQ(storage.Stat(directory / "file")->size, 4);
}

TEST_P(ImpatientStorageTest, passes_errors_on) {
  EXPECT_EQ(storage.Stat("/no/such").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(storage.List("/no/such").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(storage.Read("/proc", 100).error().kind, ErrorKind::kCorrupt);
}

INSTANTIATE_TEST_SUITE_P(, ImpatientStorageTest, testing::Values(true, false),
                         [](const auto& at) { return at.param ? "remote" : "local"; });

}  // namespace
}  // namespace tidegauge
