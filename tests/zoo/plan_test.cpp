// SPDX-License-Identifier: Apache-2.0
// What is planned on each machine of the zoo, by its rates: with one process, one on every core, two on every
// core. STEELYARD_TEST_ZOO=all has every combination.
#include "run/plan.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "kernel_files.hpp"
#include "machine/environment.hpp"
#include "machine_data.hpp"
#include "measuring/measured_suite.hpp"
#include "occupied.hpp"
#include "units/text.hpp"
#include "words.hpp"

namespace steelyard::zoo {
namespace {

using suites::PointPlan;

/// What a user starts.
struct Command {
  const char* name;
  cli::test::Strings words;
  bool always = false;
};
const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      {"quick", {"--preset", "quick"}, true},
      {"standard", {"--preset", "standard"}},
      {"official", {"--preset", "official"}},
      {"5s", {"--budget", "5s"}},
      {"later", {"imb-nbc", "imb-rma", "imb-mpi4", "mpi4", "imb-p2p", "imb-mt", "--preset", "quick"}, true}};
  return all;
}

/// A machine with so many processes on it.
struct Occupied {
  int processes = 1;
  cli::Place place;
  std::int64_t usable_byte = 0;  // of the node
  bool one_a_core = false;
};

std::vector<Occupied> occupations(const MachineData& data) {
  const auto files = kernel_files(data);
  const machine::Roots roots{.files = &files};
  const int cores = machine::usable_cores(roots);
  const auto threads = std::ranges::max(data.cores, {}, &CoreGroup::threads).threads;
  std::vector<Occupied> all;
  for (const int processes : std::set<int>{1, cores, 2 * cores}) {
    Occupied one{processes, cli::node_place(processes, 1, roots), machine::usable_memory(roots).node_byte,
                 processes == cores};
    one.place.survey.rates = occupied(data.rates, cores, processes, threads > 1);
    one.place.survey.memory_byte = one.place.memory_byte;
    all.push_back(std::move(one));
  }
  return all;
}

std::int64_t mebibytes(std::int64_t byte) {
  return byte >> 20;
}

/// Caches of a process on a node of this machine, in MiB: while the others wait, and while all work.
std::pair<std::int64_t, std::int64_t> caches(const char* machine, int processes, int threads) {
  const auto data = read_machine(machine);
  const auto files = kernel_files(data);
  const auto share = cli::node_place(processes, threads, {.files = &files}).cache_share;
  return {mebibytes(share.alone_byte), mebibytes(share.together_byte)};
}

TEST(cache_share, counts_the_caches_that_the_threads_of_a_process_may_use) {
  using testing::Pair;
  EXPECT_THAT(caches("epyc-9684x-x2", 192, 1), Pair(96, 12));
  EXPECT_THAT(caches("epyc-9684x-x2", 24, 8), Pair(8 * 96, 96));
  EXPECT_THAT(caches("epyc-9684x-x2", 2, 96), Pair(24 * 96, 12 * 96));
  EXPECT_THAT(caches("epyc-9684x-x2", 1, 192), Pair(24 * 96, 24 * 96));
  EXPECT_THAT(caches("epyc-7763-x2", 1, 128), Pair(16 * 32, 16 * 32));
  EXPECT_THAT(caches("epyc-7763-x2", 4, 2), Pair(2 * 32, 2 * 32));
  EXPECT_THAT(caches("epyc-7763-x2", 1, 1), Pair(32, 32));
  EXPECT_THAT(caches("xeon-platinum-8380-x2", 2, 40), Pair(120, 60)) << "one a socket";
}

TEST(cache_share, makes_the_arrays_of_a_process_with_many_threads_longer_than_all_its_caches) {
  const auto data = read_machine("epyc-9684x-x2");
  const auto files = kernel_files(data);
  const cli::Place place = cli::node_place(1, 192, {.files = &files});
  const auto prepared = cli::prepare_run(
      cli::test::invoke("run", {"screen/triad", "hpcc/StarSTREAM", "--threads", "192", "--budget", "1h"}),
      place);
  ASSERT_GT(prepared.plan.measurable(), 0U);
  for (const auto& block : prepared.plan.blocks)
    for (const auto& point : block.points)
      EXPECT_TRUE(!point.measurable() || mebibytes(point.memory_byte) >= 3 * 4 * 24 * 96) << point.key;
}

TEST(plan_without_a_survey, expects_many_threads_to_be_faster_than_one) {
  const auto data = read_machine("epyc-9684x-x2");
  const auto files = kernel_files(data);
  const auto measurable = [&](const std::string& budget) {
    return cli::prepare_run(
               cli::test::invoke("run", {"hpcc/StarSTREAM", "--threads", "192", "--budget", budget}),
               cli::node_place(1, 192, {.files = &files}))
        .plan.measurable();
  };
  EXPECT_GT(measurable("1m"), 0U);
  EXPECT_EQ(measurable("1s"), 0U) << "it is not so fast that anything goes";
}

class planning : public testing::TestWithParam<std::string> {
 protected:
  /// For quick with one process on every core, or for all commands and numbers of processes.
  template <class Check>
  void each(Check check) const {
    const auto data = read_machine(GetParam());
    const bool all = std::getenv("STEELYARD_TEST_ZOO") != nullptr;
    for (const auto& where : occupations(data))
      for (const auto& command : commands()) {
        if (!all && !(where.one_a_core && command.always)) continue;
        SCOPED_TRACE(std::string(command.name) + " with " + std::to_string(where.processes));
        check(command, where, cli::prepare_run(cli::test::invoke("run", command.words), where.place));
      }
  }
};

void fits_the_memory(const Occupied& where, const campaign::Plan& plan) {
  for (const auto& block : plan.blocks)
    for (const auto& point : block.points)
      EXPECT_TRUE(!point.measurable() || point.memory_byte <= where.usable_byte / block.processes)
          << point.key;
}

/// Where nobody prescribes sizes.
void stands_for_the_machine(const campaign::Plan& plan) {
  for (const auto& block : plan.blocks)
    for (const auto& point : block.points)
      EXPECT_TRUE(!point.measurable() || point.doubt.empty()) << point.key << ": " << point.doubt;
}

void uses_the_budget(const campaign::Plan& plan) {
  constexpr double least = 0.7, rounding = 1 + 1e-9;
  EXPECT_GE(plan.estimate_s, least * plan.budget->value());
  EXPECT_LE(plan.longest_s, rounding * plan.budget->value());
}

void knows_every_time(const campaign::Plan& plan) {
  for (const auto& block : plan.blocks)
    for (const auto& point : block.points) {
      const double seconds = point.prescribed_s.value_or(0);
      EXPECT_TRUE(std::isfinite(seconds) && seconds >= 0) << point.key;
      EXPECT_GE(point.memory_byte, 0) << point.key;
      EXPECT_THAT(point.skip_text, testing::Not(testing::HasSubstr("--budget -"))) << point.key;
    }
}

/// A minute or more with one process on every core tells of a verdict's resources, or what keeps them away.
void tells_of_every_resource(const campaign::Plan& plan) {
  for (const char* benchmark : {"StarDGEMM", "StarSTREAM", "HPL"})
    for (const auto& block : plan.blocks) {
      if (block.benchmark != benchmark) continue;
      for (const auto& point : block.points) {
        if (point.measurable()) continue;
        EXPECT_THAT(point.skip_text, testing::ContainsRegex("needs (--budget [0-9]+[smh]|.* per process)"))
            << point.key;
      }
    }
}

/// STEELYARD_TEST_TABLE=1 shows what is planned on every machine.
void print(const std::string& machine, const Command& command, const Occupied& where,
           const campaign::Plan& plan) {
  std::cout << machine << ' ' << where.processes << ' ' << command.name << ": " << plan.measurable()
            << " points, " << plan.estimate_s << " to " << plan.longest_s << " s\n";
  for (const auto& suite : plan.suites)
    std::cout << "    " << suite.suite << ' ' << suite.points << ' ' << suite.skipped << ' '
              << suite.estimate_s << '\n';
  for (const auto& block : plan.blocks) {
    if (block.suite != "hpcc") continue;
    const auto& point = block.points.front();
    std::cout << "      " << point.key << ' ' << point.prescribed_s.value_or(0) << ' ' << point.skip_text
              << '\n';
  }
}

TEST_P(planning, keeps_what_is_promised_with_every_budget_and_number_of_processes) {
  each([](const Command& command, const Occupied& where, const cli::Prepared& prepared) {
    const campaign::Plan& plan = prepared.plan;
    if (std::getenv("STEELYARD_TEST_TABLE") != nullptr) print(GetParam(), command, where, plan);
    EXPECT_GT(plan.measurable(), 0U);
    fits_the_memory(where, plan);
    knows_every_time(plan);
    if (std::string_view(command.name) == "official") return;  // as large and as long as it is prescribed
    stands_for_the_machine(plan);
    uses_the_budget(plan);
    tells_of_every_resource(plan);
  });
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(zoo, planning, testing::ValuesIn(machine_names()), test_name);

}  // namespace
}  // namespace steelyard::zoo
