// SPDX-License-Identifier: Apache-2.0
// What moves: every benchmark on real files, and faults planted into its calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "suites/imb/io/catalogue.hpp"
#include "suites/imb/io/file_check.hpp"
#include "tests/imb/io/file_bench.hpp"
#include "tests/imb/io/interposed_files.hpp"

namespace steelyard::imb {
namespace {

using test::Directory;
using test::errors_of;
using test::FileBench;
using test::FileFault;

int everybody() {
  return mpi::Communicator::world().size();
}

int team_size(const FileAction& action) {
  return action.access == Access::single ? 1 : everybody();
}

// More processes than processors wait for each other at every one of the thousands of opens and closes: with
// three and more, what one process does alone is left to the runs with fewer.
bool crowded() {
  return everybody() > 2;
}

std::vector<FileBenchmark> benchmarks_here() {
  std::vector<FileBenchmark> list;
  for (const auto& benchmark : file_benchmarks)
    if (!crowded() || benchmark.action.access != Access::single) list.push_back(benchmark);
  return list;
}

std::vector<std::int64_t> sizes_here() {
  return crowded() ? std::vector<std::int64_t>{10, 4099} : std::vector<std::int64_t>{0, 1, 10, 4099};
}

// Of each way to find a place in a file one that writes and one that reads, some of them collective.
bool stands_for_others(std::string_view name) {
  constexpr std::string_view names[] = {"P_Write_Indv",  "P_Read_Expl",    "P_IWrite_Shared",
                                        "C_Read_Shared", "C_Write_Shared", "C_IWrite_Expl"};
  return std::ranges::find(names, name) != std::end(names);
}

// Twice what there are places for: the file is gone through again from its start.
TEST(file_workloads, every_benchmark_moves_what_it_should) {
  const Directory directory;
  const test::Teams teams;
  for (const auto& benchmark : benchmarks_here())
    for (const std::int64_t size : sizes_here()) {
      const auto& team = teams.of(team_size(benchmark.action));
      if (!team.takes_part()) continue;
      FileBench bench(directory, team, benchmark.name, size);
      EXPECT_EQ(bench.workload().run(0, 5), MPI_SUCCESS) << benchmark.name << ' ' << size;
      EXPECT_EQ(bench.workload().complete(), MPI_SUCCESS) << benchmark.name;
      EXPECT_EQ(bench.workload().run(5, 5), MPI_SUCCESS) << benchmark.name;
      EXPECT_EQ(errors_of(bench.workload(), team), 0) << benchmark.name << ' ' << size;
    }
}

TEST(file_workloads, writes_completed_each_time_and_transfers_under_way_together_are_right_too) {
  const Directory directory;
  const test::Teams teams;
  for (const auto& benchmark : benchmarks_here()) {
    const auto& action = benchmark.action;
    const bool each = action.blocks() && action.writes();
    const bool together = !action.blocks() && !action.together();
    if (!each && !together) continue;
    const auto& team = teams.of(team_size(action));
    if (!team.takes_part()) continue;
    FileBench bench(directory, team, benchmark.name, 4099, each ? Mode::non_aggregate : Mode::aggregate,
                    Version::v2021);
    EXPECT_EQ(bench.workload().run(0, 5), MPI_SUCCESS) << benchmark.name;
    EXPECT_EQ(errors_of(bench.workload(), team), 0) << benchmark.name;
  }
}

// What no count of bytes holds is one element of a derived type, here from 101 byte on.
TEST(file_workloads, that_move_more_than_a_count_holds_are_right_and_faults_are_found) {
  const Directory directory;
  const test::Teams teams;
  for (const auto& benchmark : benchmarks_here()) {
    if (!stands_for_others(benchmark.name) && benchmark.name != "P_Read_Shared") continue;
    const auto& team = teams.of(team_size(benchmark.action));
    FileBench bench(directory, team, benchmark.name, 4099, Mode::aggregate, Version::v31, 5, 100);
    EXPECT_EQ(bench.workload().run(0, 5), MPI_SUCCESS) << benchmark.name;
    EXPECT_EQ(bench.workload().complete(), MPI_SUCCESS) << benchmark.name;
    EXPECT_EQ(errors_of(bench.workload(), team), 0) << benchmark.name;
    test::spoil_files(FileFault::drop);
    EXPECT_GT(errors_of(bench.workload(), team), 0) << benchmark.name;
    test::spoil_files(FileFault::none);
  }
}

TEST(file_workloads, tell_the_bytes_of_all_processes_in_a_file_of_the_length_of_all_repetitions) {
  const Directory directory;
  const auto team = test::team_of(everybody());
  FileBench bench(directory, team, "P_Write_Indv", 1000);
  EXPECT_EQ(bench.workload().run(0, 5), MPI_SUCCESS);
  EXPECT_EQ(bench.workload().complete(), MPI_SUCCESS);
  EXPECT_EQ(std::filesystem::file_size(bench.point().path), 5000U);
}

bool can_have(FileFault fault, const FileAction& action) {
  if (fault == FileFault::twice) return action.pointer == Pointer::explicit_offset;
  if (fault == FileFault::reverse)
    return everybody() > 1 && action.pointer == Pointer::shared && action.together() && action.blocks();
  return true;
}

// One byte too many is seen where nothing is written over it: in the last repetition.
TEST(planted_faults, of_every_kind_are_found_in_every_benchmark) {
  const Directory directory;
  const test::Teams teams;
  constexpr std::int64_t size = 600;
  for (const auto& benchmark : benchmarks_here())
    for (const auto fault :
         {FileFault::drop, FileFault::shift, FileFault::overrun, FileFault::twice, FileFault::reverse}) {
      if (!can_have(fault, benchmark.action)) continue;
      if (crowded() && !stands_for_others(benchmark.name)) continue;
      const auto& team = teams.of(team_size(benchmark.action));
      if (!team.takes_part()) continue;
      FileBench bench(directory, team, benchmark.name, size);
      test::spoil_files(fault, fault == FileFault::overrun ? 3 : 1);
      EXPECT_GT(errors_of(bench.workload(), team), 0)
          << benchmark.name << ", fault " << static_cast<int>(fault);
      test::spoil_files(FileFault::none);
      EXPECT_EQ(errors_of(bench.workload(), team), 0) << benchmark.name << " without a fault";
    }
}

TEST(planted_faults, of_one_process_alone_are_found) {
  const Directory directory;
  const auto team = test::team_of(everybody());
  for (const auto* name : {"P_Write_Shared", "P_Read_Shared", "C_Write_Expl", "P_IWrite_Priv"}) {
    FileBench bench(directory, team, name, 600);
    if (team.group.rank() == everybody() - 1) test::spoil_files(FileFault::shift, 0);
    EXPECT_GT(errors_of(bench.workload(), team), 0) << name;
    test::spoil_files(FileFault::none);
  }
}

// Blocks of letters, by rank and number.
using Blocks = std::vector<std::vector<std::string>>;

std::int64_t explained_part(const std::string& stream, const Blocks& blocks) {
  std::vector<std::size_t> counts;
  for (const auto& rank : blocks) counts.push_back(rank.size());
  return explained(static_cast<std::int64_t>(stream.size()), counts,
                   [&](std::int64_t position, std::size_t rank, std::size_t number) {
                     const auto& block = blocks[rank][number];
                     const auto rest = std::string_view(stream).substr(static_cast<std::size_t>(position));
                     return rest.starts_with(block) ? static_cast<std::int64_t>(block.size()) : 0;
                   });
}

TEST(stream, of_all_blocks_in_any_order_of_ranks_is_explained) {
  const Blocks blocks{{"aaa", "bb"}, {"cc", "d"}};
  EXPECT_EQ(explained_part("aaabbccd", blocks), 8);
  EXPECT_EQ(explained_part("ccaaadbb", blocks), 8);
}

TEST(stream, with_the_blocks_of_one_rank_exchanged_is_not) {
  const Blocks blocks{{"aaa", "bb"}, {"cc", "d"}};
  EXPECT_EQ(explained_part("bbaaaccd", blocks), 0);
  EXPECT_EQ(explained_part("ccbbaaad", blocks), 2);
}

TEST(stream, with_a_spoilt_lost_or_doubled_block_is_not) {
  const Blocks blocks{{"aaa", "bb"}, {"cc", "d"}};
  EXPECT_LT(explained_part("aaabxccd", blocks), 8);
  EXPECT_LT(explained_part(std::string("aaa") + std::string(2, 0) + "ccd", blocks), 8);
  EXPECT_LT(explained_part("aaaaaccd", blocks), 8);
}

TEST(stream, where_a_block_could_be_of_two_ranks_is_explained_by_the_one_that_fits) {
  // First taken for "a" and "b" of rank 0, which leaves "xab" unexplained.
  EXPECT_EQ(explained_part("abxab", {{"a", "b"}, {"ab", "x"}}), 5);
}

TEST(stream, of_blocks_that_an_int_cannot_count_is_explained) {
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  const std::vector<std::size_t> counts{1, 1, 1};
  const std::vector<std::int64_t> starts{3 * gibibyte, 8 * gibibyte, 0};
  const std::vector<std::int64_t> lengths{5 * gibibyte, 2 * gibibyte, 3 * gibibyte};
  const auto length = [&](std::int64_t position, std::size_t rank, std::size_t) {
    return position == starts[rank] ? lengths[rank] : 0;
  };
  EXPECT_EQ(explained(10 * gibibyte, counts, length), 10 * gibibyte);
  EXPECT_EQ(explained(11 * gibibyte, counts, length), 10 * gibibyte);
}

TEST(stream, with_empty_blocks_is_explained_by_the_others) {
  EXPECT_EQ(explained_part("ab", {{"a", "b"}, {"", ""}}), 2);
}

}  // namespace
}  // namespace steelyard::imb
