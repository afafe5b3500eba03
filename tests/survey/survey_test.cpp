// SPDX-License-Identifier: Apache-2.0
#include "survey/survey.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "suites/hpcc/blas/blas.hpp"
#include "survey/probes.hpp"
#include "tests/little_memory.hpp"

namespace steelyard::survey {
namespace {

Wishes everything() {
  using enum suites::RateGroup;
  Wishes wishes;
  wishes.groups = {memory, kernels, solver, messages, one_sided, files, rows};
  wishes.cache = {1 << 20, 1 << 20};
  wishes.grid = hpcc::default_grid(mpi::Communicator::world().size());
  wishes.directory = ".";
  if (hpcc::blas::available()) wishes.blas = hpcc::BlasLibrary::linked();
  return wishes;
}

/// The same on all ranks.
void expect_agreed(const mpi::Communicator& world, const Surveyed& surveyed) {
  for (const auto& field : suites::rate_fields) {
    const double value = surveyed.rates.*field.value;
    EXPECT_GT(value, 0) << field.name;
    EXPECT_EQ(world.max(value), world.min(value)) << field.name;
  }
  EXPECT_EQ(world.broadcast(surveyed.rates.panels.size()), surveyed.rates.panels.size());
}

TEST(survey, measures_every_rate_alike_for_all_processes) {
  const auto world = mpi::Communicator::world();
  auto wishes = everything();
  wishes.seconds = 60;
  const auto found = survey(world, wishes);
  expect_agreed(world, found);
  EXPECT_EQ(found.rates.origin, suites::Rates::Origin::measured);
  EXPECT_TRUE(found.assumed.empty()) << found.assumed.front();
  EXPECT_EQ(found.spread.size(), suites::rate_fields.size());
  EXPECT_GT(found.seconds, 0);
  EXPECT_EQ(found.rates.panels.size(), hpcc::blas::available() ? 8u : 0u);
}

TEST(survey, works_beyond_the_caches_that_the_threads_of_a_process_reach) {
  constexpr std::int64_t mebi = 1 << 20;
  constexpr double touch_byte_s = 50e9;
  Wishes wishes;
  wishes.cache = {1152 * mebi, 1152 * mebi};  // twelve caches and 96 threads
  wishes.memory_byte = std::int64_t{600} << 30;
  wishes.threads = 96;
  EXPECT_EQ(reach_of(wishes, touch_byte_s).together_byte, 4 * 1152 * mebi);
  EXPECT_EQ(reach_of(wishes, touch_byte_s).alone_byte, 3 * 1152 * mebi);
  EXPECT_EQ(reach_of(wishes, 1e9).together_byte, 300'000'000)
      << "memory that is slow to use for the first time";
  wishes.threads = 1;
  EXPECT_EQ(reach_of(wishes, touch_byte_s).together_byte, 768 * mebi);
  wishes.cache = {32 * mebi, 4 * mebi};
  EXPECT_EQ(reach_of(wishes, touch_byte_s).together_byte, 32 * mebi);
  EXPECT_EQ(reach_of(wishes, touch_byte_s).alone_byte, 96 * mebi);
}

TEST(survey, undoing_updates_takes_as_long_as_updates_do) {
  constexpr double at_most = 20;
  auto wishes = everything();
  wishes.groups = {suites::RateGroup::kernels};
  wishes.seconds = 60;
  const auto found = survey(mpi::Communicator::world(), wishes);
  EXPECT_LT(found.rates.undone_update_s, at_most * found.rates.access_update_s);
  for (const std::string_view one : {"undone_update_s", "checked_update_s"})
    EXPECT_EQ(std::ranges::count(found.assumed, one), 0) << one << " is measured";
}

TEST(survey, without_time_assumes_what_it_leaves_out) {
  const auto world = mpi::Communicator::world();
  auto wishes = everything();
  wishes.seconds = 0;
  const auto found = survey(world, wishes);
  expect_agreed(world, found);
  EXPECT_EQ(std::ranges::count(found.assumed, "triad_byte_s"), 1);
  EXPECT_EQ(found.rates.triad_byte_s, suites::assumed_rates().triad_byte_s);
  EXPECT_EQ(std::ranges::count(found.assumed, "product_flop_s"), hpcc::blas::available() ? 0 : 1);
}

TEST(survey, kernels_work_on_a_part_of_little_memory) {
  if (!memory_may_lack) GTEST_SKIP() << "the address sanitizer ends a process that gets no memory";
  auto wishes = everything();
  wishes.groups = {suites::RateGroup::kernels};
  wishes.blas.reset();  // which takes memory for itself
  wishes.seconds = 60;
  wishes.memory_byte = 40 << 20;
  constexpr std::int64_t less_than_usual = 30 << 20;
  const LittleMemory memory(less_than_usual);
  const auto found = survey(mpi::Communicator::world(), wishes);
  EXPECT_EQ(std::ranges::count(found.assumed, "triad_byte_s"), 0);
  EXPECT_EQ(std::ranges::count(found.assumed, "access_update_s"), 0);
}

TEST(survey, measures_nothing_that_nobody_needs) {
  Wishes wishes;
  wishes.groups = {suites::RateGroup::messages};
  wishes.seconds = 60;
  const auto found = survey(mpi::Communicator::world(), wishes);
  EXPECT_EQ(std::ranges::count(found.assumed, "file_open_s"), 1);
  EXPECT_EQ(std::ranges::count(found.assumed, "barrier_s"), 0);
}

TEST(survey, a_directory_that_cannot_be_written_leaves_files_assumed) {
  auto wishes = everything();
  wishes.groups = {suites::RateGroup::files};
  wishes.directory = "/proc/self";
  const auto found = survey(mpi::Communicator::world(), wishes);
  EXPECT_EQ(std::ranges::count(found.assumed, "file_write_byte_s"), 1);
}

std::string abandoned_by(pid_t maker) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return std::string(".steelyard-survey-") + host.data() + '-' + std::to_string(maker) + "-abcdef";
}

TEST(survey, removes_the_files_of_surveys_that_were_killed_and_no_others) {
  const auto world = mpi::Communicator::world();
  const auto directory = std::filesystem::temp_directory_path() /
                         ("steelyard-survey-test-" + world.broadcast(std::to_string(getpid())));
  constexpr pid_t nobody = 99999999;  // above the most that Linux numbers
  const std::vector<std::string> others = {
      abandoned_by(getpid()), ".steelyard-survey-elsewhere-" + std::to_string(nobody) + "-abcdef",
      ".steelyard-survey-abcdef", "a file"};
  if (world.is_root()) {
    std::filesystem::create_directory(directory);
    for (const auto& name : others) std::ofstream(directory / name) << 'x';
    std::ofstream(directory / abandoned_by(nobody)) << 'x';
  }
  world.barrier();
  auto wishes = everything();
  wishes.groups = {suites::RateGroup::files};
  wishes.directory = directory;
  static_cast<void>(survey(world, wishes));
  if (!world.is_root()) return;
  for (const auto& name : others) EXPECT_TRUE(std::filesystem::exists(directory / name)) << name;
  EXPECT_FALSE(std::filesystem::exists(directory / abandoned_by(nobody)));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory), {}), std::ssize(others));
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace steelyard::survey
