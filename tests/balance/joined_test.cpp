// SPDX-License-Identifier: Apache-2.0
// Which results are of one machine.
#include <gtest/gtest.h>

#include "analysis/balance/balance.hpp"
#include "analysis/balance/system.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

System result(const std::string& source, double hpl, double processes_of_all = 2) {
  System system;
  system.name = system.curve = "vm";
  system.source = source;
  system.inputs.set(processes, processes_of_all);
  system.inputs.set(hpl_flop_s, hpl);
  return system;
}

std::vector<std::string> names(const std::vector<System>& systems) {
  std::vector<std::string> list;
  for (const System& system : systems) list.push_back(system.name);
  return list;
}

using Names = std::vector<std::string>;

TEST(joined_results, of_two_hosts_of_one_name_stay_two_machines) {
  auto systems = joined_runs({result("a/first", 1e9), result("b/hpccoutf.txt", 3e9)}, Joined::by_campaign);
  make_names_unique(systems);
  EXPECT_EQ(names(systems), (Names{"vm (first)", "vm (hpccoutf.txt)"}));
  EXPECT_EQ(systems[0].curve, "vm (first)");
  EXPECT_EQ(systems[0].inputs.get(hpl_flop_s), 1e9);
  EXPECT_EQ(judge(systems, {}).curves.size(), 2U);
}

TEST(joined_results, are_named_by_path_start_or_number_where_directories_repeat) {
  auto by_path = std::vector{result("a/run", 1e9), result("b/run", 2e9)};
  make_names_unique(by_path);
  EXPECT_EQ(names(by_path), (Names{"vm (a/run)", "vm (b/run)"}));
  auto by_start = std::vector{result("a", 1e9), result("a", 2e9)};
  by_start[0].started = "monday";
  by_start[1].started = "tuesday";
  make_names_unique(by_start);
  EXPECT_EQ(names(by_start), (Names{"vm (monday)", "vm (tuesday)"}));
}

TEST(joined_results, of_one_campaign_become_their_median) {
  std::vector<System> systems;
  for (const double rate : {1e9, 5e9, 2e9}) {
    systems.push_back(result("a", rate));
    systems.back().campaign = "series";
    systems.back().started = std::to_string(rate);
  }
  systems.push_back(result("a", 7e9, 4));
  systems.back().campaign = "series";
  auto merged = joined_runs(systems, Joined::by_campaign);
  make_names_unique(merged);
  EXPECT_EQ(names(merged), (Names{"vm", "vm"}));
  EXPECT_EQ(merged[0].inputs.get(hpl_flop_s), 2e9);
  EXPECT_EQ(judge(merged, {}).curves.size(), 1U);
}

TEST(joined_results, have_the_figures_that_only_one_of_them_measured) {
  std::vector<System> systems{result("a", 1e9), result("a", 2e9)};
  systems.back().ftio = {{.elements = 4096, .io_fraction = 0.25}};
  systems.back().evidence.products = ProcessRates{.least = 1e9, .most = 2e9, .scatter = 1.05};
  const auto merged = joined_runs(systems, Joined::all);
  ASSERT_EQ(merged.size(), 1U);
  ASSERT_EQ(merged.front().ftio.size(), 1U);
  EXPECT_EQ(merged.front().ftio.front().io_fraction, 0.25);
  ASSERT_TRUE(merged.front().evidence.products);
  EXPECT_EQ(merged.front().evidence.products->most, 2e9);
}

TEST(joined_results, that_the_user_calls_one_machine_are_a_curve) {
  auto systems = std::vector{result("a", 1e9), result("b", 3e9, 4)};
  systems[1].name = systems[1].curve = "vm2";
  auto merged = joined_runs(systems, Joined::all);
  make_names_unique(merged);
  EXPECT_EQ(names(merged), (Names{"vm", "vm"}));
  EXPECT_EQ(judge(merged, {}).curves.size(), 1U);
}

TEST(joined_results, count_by_the_largest_b_eff_io_of_a_run) {
  std::vector<System> systems;
  for (const double rate : {328.9e6, 475.8e6, 400e6}) {
    systems.push_back(result("a", 1e9));
    systems.back().inputs.set(b_eff_io_byte_s, rate);
    systems.back().inputs.set(b_eff_io_write_byte_s, rate / 2);
  }
  systems[2].inputs.set(b_eff_io_byte_s, 900e6);
  systems[2].doubts.cached[b_eff_io_byte_s] = "in memory";
  const auto merged = joined_runs(systems, Joined::all);
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].inputs.get(b_eff_io_byte_s), 475.8e6);
  EXPECT_EQ(merged[0].inputs.get(b_eff_io_write_byte_s), 475.8e6 / 2);
  EXPECT_TRUE(merged[0].doubts.cached.empty());
}

TEST(joined_results, of_several_suites_complete_one_another) {
  auto systems = std::vector{result("files", 0), result("arithmetic", 3e9)};
  systems[0].inputs.set(b_eff_io_byte_s, 1e9);
  systems[1].run_type = "optimized";
  systems[1].doubts.stream_elements = 17066;
  const auto merged = joined_runs(systems, Joined::all);
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].run_type, "optimized");
  EXPECT_EQ(merged[0].inputs.get(hpl_flop_s), 3e9);
  EXPECT_TRUE(merged[0].doubts.stream_elements);
}

TEST(joined_results, keep_the_names_of_published_systems) {
  auto systems = reference_systems(read_systems(systems_data()), "hpcc");
  const auto before = names(systems);
  systems.push_back(result("a", 1e9));
  make_names_unique(systems);
  systems.pop_back();
  EXPECT_EQ(names(systems), before);
}

}  // namespace
}  // namespace steelyard::balance
