// SPDX-License-Identifier: Apache-2.0
// File systems that refuse: every refusal is a reason, and what comes after it is measured.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "tests/imb/io/file_session_bench.hpp"

namespace steelyard::imb {
namespace {

using record::PointRecord;
using record::ReasonCode;
using record::Status;

bool is_root() {
  return mpi::Communicator::world().is_root();
}

// The last point of a block failed as a file system does that has no room.
void expect_full(const std::vector<PointRecord>& records) {
  if (!is_root()) return;
  ASSERT_FALSE(records.empty());
  const auto& last = records.back();
  EXPECT_EQ(last.status, Status::failed);
  ASSERT_TRUE(last.reason);
  EXPECT_FALSE(last.reason->text.empty());
  EXPECT_TRUE(last.reason->mpi_class || last.reason->code == ReasonCode::space) << last.reason->text;
}

void expect_fine(const std::vector<PointRecord>& records) {
  for (const auto& record : records)
    EXPECT_EQ(record.status, Status::ok)
        << record.benchmark << (record.reason ? ": " + record.reason->text : "");
}

Settings of_size(std::int64_t size) {
  auto settings = test::small_settings();
  settings.sizes.listed = std::vector{Bytes{64}, Bytes{size}};
  return settings;
}

// No process may write a file beyond this length.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    before_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    rlimit lower = limit_;
    lower.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &lower);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  rlimit limit_{};
  void (*before_)(int) = SIG_DFL;
};

TEST(file_failures, a_limit_of_the_file_size_fails_large_points_and_leaves_small_ones) {
  const test::Directory directory;
  for (const auto* name : {"S_Write_Indv", "P_Read_Expl", "C_Write_Indv", "P_IWrite_Priv"}) {
    {
      const FileLimit limit(1 << 16);
      test::Blocks large(directory, of_size(1 << 18));
      expect_full(large.measure(name));
    }
    test::Blocks small(directory, of_size(1 << 12));
    expect_fine(small.measure(name));
  }
}

// A file system in memory of so few bytes. Made and removed by all processes together.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& size)
      : place_(std::filesystem::current_path() /
               world_.broadcast("imb_io_small_disk_" + std::to_string(::getpid()))) {
    bool mounted = false;
    if (world_.is_root()) {
      std::filesystem::create_directory(place_);
      mounted = ::mount("none", place_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
    }
    mounted_ = world_.any(mounted);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    world_.barrier();
    if (!world_.is_root()) return;
    if (mounted_) ::umount(place_.c_str());
    std::filesystem::remove(place_);
  }
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] const std::filesystem::path& place() const { return place_; }

 private:
  mpi::Communicator world_ = mpi::Communicator::world();
  std::filesystem::path place_;
  bool mounted_ = false;
};

TEST(file_failures, a_full_disk_is_a_reason_and_the_next_block_is_measured) {
  const SmallDisk disk("1m");
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount a small file system";
  const test::Directory directory(disk.place());
  for (const auto* name : {"P_Write_Shared", "C_Write_Expl", "S_IWrite_Expl", "P_Read_Indv"}) {
    test::Blocks large(directory, of_size(1 << 20));
    expect_full(large.measure(name));
    test::Blocks small(directory, of_size(1 << 10));
    expect_fine(small.measure(name));
  }
}

// Others may take the room after the row has asked for it: it is looked for again right before the open.
TEST(file_failures, a_shared_pointer_is_not_opened_where_its_file_has_no_room) {
  const SmallDisk disk("1m");
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount a small file system";
  const test::Directory directory(disk.place());
  const test::Teams teams;
  if (is_root()) {
    const int ballast = ::open((disk.place() / "ballast").c_str(), O_WRONLY | O_CREAT, 0600);
    EXPECT_EQ(::posix_fallocate(ballast, 0, *room_byte(disk.place()) - 8192), 0);
    ::close(ballast);
  }
  const auto& team = teams.of(mpi::Communicator::world().size());
  team.active.barrier();
  const auto failure =
      measure::attempt([&] { const test::FileBench bench(directory, team, "C_Write_Shared", 8); });
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, ReasonCode::space);
  EXPECT_THAT(failure->text, testing::HasSubstr("shared file pointer"));
  team.active.barrier();
  if (is_root()) std::filesystem::remove(disk.place() / "ballast");
}

// Rows of 1 MiB, one after the other in the same file.
Settings two_rows_of_a_mebibyte(bool check) {
  auto settings = test::small_settings();
  settings.sizes.listed = std::vector{Bytes{1 << 18}, Bytes{1 << 19}};
  settings.check = check;
  return settings;
}

TEST(file_failures, rows_that_fit_are_measured_on_a_disk_without_room_for_twice_as_much) {
  const SmallDisk disk("1536k");
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount a small file system";
  const test::Directory directory(disk.place());
  for (const auto* name : {"S_Write_Indv", "P_Write_Expl", "S_IWrite_Expl"}) {
    test::Blocks unchecked(directory, two_rows_of_a_mebibyte(false), false);
    expect_fine(unchecked.measure(name));
    test::Blocks checked(directory, two_rows_of_a_mebibyte(true));
    expect_full(checked.measure(name));
  }
}

TEST(file_failures, a_row_may_be_as_long_as_a_file_may_be) {
  const test::Directory directory;
  for (const auto* name : {"S_Write_Indv", "P_Write_Priv", "C_Write_Expl"}) {
    const FileLimit limit(1 << 20);
    test::Blocks blocks(directory, two_rows_of_a_mebibyte(false));
    expect_fine(blocks.measure(name));
  }
}

TEST(file_failures, a_directory_that_vanished_is_a_reason) {
  const test::Directory elsewhere;
  const test::Directory directory;
  mpi::Communicator::world().barrier();
  if (is_root()) std::filesystem::remove_all(directory.place().directory);
  mpi::Communicator::world().barrier();
  for (const auto* name : {"P_Write_Indv", "C_Read_Shared", "S_Read_Expl", "Open_Close"}) {
    test::Blocks gone(directory, test::small_settings());
    const auto records = gone.measure(name);
    if (is_root()) {
      ASSERT_FALSE(records.empty()) << name;
      EXPECT_EQ(records.back().status, Status::failed) << name;
      EXPECT_EQ(records.back().reason->code, ReasonCode::file_system) << records.back().reason->text;
    }
    test::Blocks there(elsewhere, test::small_settings());
    expect_fine(there.measure(name));
  }
}

TEST(file_failures, a_file_that_was_cut_is_not_read) {
  const test::Directory directory;
  const auto team = test::team_of(mpi::Communicator::world().size());
  test::FileBench bench(directory, team, "P_Read_Expl", 1000);
  bench.close();
  if (is_root()) std::filesystem::resize_file(bench.point().path, 4999);
  team.active.barrier();
  EXPECT_THROW(static_cast<void>(open_file_workload(bench.point(), [] { return std::int64_t{0}; })),
               measure::SharedFailure);
}

TEST(file_failures, a_read_that_is_short_is_told_however_its_bytes_are_counted) {
  const test::Directory directory;
  const auto team = test::team_of(mpi::Communicator::world().size());
  constexpr std::int64_t size = 1000;
  for (const std::int64_t longest : {2 * size, size / 10}) {
    test::FileBench bench(directory, team, "P_Read_Priv", size, Mode::aggregate, Version::v31, 5, longest);
    EXPECT_EQ(bench.workload().run(0, 5), MPI_SUCCESS) << longest;
    EXPECT_EQ(bench.workload().complete(), MPI_SUCCESS) << longest;
    std::filesystem::resize_file(bench.point().path, 0);
    EXPECT_EQ(bench.workload().run(5, 5), MPI_SUCCESS) << longest;
    EXPECT_NE(bench.workload().complete(), MPI_SUCCESS) << longest;
  }
}

TEST(file_failures, a_symbolic_link_in_the_place_of_a_file_is_not_followed) {
  const test::Directory directory;
  const auto target = directory.place().directory / "IMB_out_target";
  if (is_root()) {
    std::filesystem::create_symlink(target, directory.place().directory / "IMB_out");
  }
  mpi::Communicator::world().barrier();
  test::Blocks blocks(directory, test::small_settings());
  const auto records = blocks.measure("P_Write_Indv");
  if (!is_root()) return;
  EXPECT_EQ(records.back().status, Status::failed);
  EXPECT_FALSE(std::filesystem::exists(target));
  EXPECT_TRUE(std::filesystem::is_symlink(directory.place().directory / "IMB_out"));
  std::filesystem::remove(directory.place().directory / "IMB_out");  // else the scratch directory stays
}

}  // namespace
}  // namespace steelyard::imb
