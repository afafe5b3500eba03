// SPDX-License-Identifier: Apache-2.0
// hpccoutf.txt of other programs, and runs of our own.
#include "foreign/foreign.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "analysis/balance/flags.hpp"
#include "analysis/balance/measured.hpp"
#include "analysis/balance/system.hpp"
#include "record/json.hpp"
#include "record/whereabouts.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

std::string summary(const std::string& lines) {
  return "Begin of Summary section.\n" + lines + "End of Summary section.\n";
}

/// The only run of a text.
record::Run run_of(const std::string& text) {
  return foreign::read({"hpccoutf.txt", text}).runs.at(0);
}

record::Members members_of(const std::string& text) {
  return run_of(text).summaries.at(0).classic;
}

System system_of(const std::string& lines) {
  const record::Members members = members_of(summary(lines));
  System system;
  take_hpcc_summary(system, members);
  take_hpcc_success(system, members);
  return system;
}

TEST(hpcc_reader, reads_what_our_own_writer_wrote) {
  std::ifstream in(GOLDEN_HPCCOUTF);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const record::Run run = run_of(text);
  const record::Members members = members_of(text);
  EXPECT_FALSE(run.head.machine.json().value("hostname", "").empty());
  EXPECT_GT(members.size(), 150U);
  EXPECT_EQ(*record::find(members, "VersionMajor"), record::Value(std::int64_t{1}));
}

TEST(hpcc_reader, last_complete_summary_wins) {
  EXPECT_EQ(members_of(summary("CommWorldProcs=2\n") + summary("CommWorldProcs=4\n")),
            (record::Members{{"CommWorldProcs", std::int64_t{4}}}));
  EXPECT_EQ(
      members_of(summary("CommWorldProcs=2\n") + "Begin of Summary section.\nCommWorldProcs=8\nHPL_Tf\n"),
      (record::Members{{"CommWorldProcs", std::int64_t{2}}}));
}

TEST(hpcc_reader, line_ends_of_another_system_are_read) {
  EXPECT_EQ(members_of("Begin of Summary section.\r\nCommWorldProcs=2\r\nPTRANS_GBs=1.5\r\n"
                       "End of Summary section.\r\n"),
            (record::Members{{"CommWorldProcs", std::int64_t{2}}, {"PTRANS_GBs", 1.5}}));
}

TEST(hpcc_reader, cut_off_empty_and_strange_texts_are_refused) {
  for (const char* text : {"", "something else\n"})
    EXPECT_THROW(static_cast<void>(run_of(text)), foreign::Unreadable);
  const auto refused = [](const std::string& text) {
    const auto reading = foreign::read({"hpccoutf.txt", text});
    EXPECT_TRUE(reading.runs.empty());
    return reading.refused.at(0);
  };
  EXPECT_EQ(refused(summary("HPL_Tflops 3\n")).line, 2U);
  EXPECT_EQ(refused("Begin of Summary section.\nHPL_Tflops=3\nHPL_ti").line, 3U);
}

TEST(hpcc_inputs, tests_that_were_not_run_are_missing) {
  const System system =
      system_of("CommWorldProcs=4\nHPL_Tflops=-1\nPTRANS_GBs=0\nMPIFFT_Gflops=3\nFuture=x\nSuccess=1\n");
  EXPECT_FALSE(system.inputs.get(hpl_flop_s));
  EXPECT_FALSE(system.inputs.get(ptrans_byte_s));
  EXPECT_EQ(system.inputs.get(fft_global_flop_s), 3e9);
  EXPECT_TRUE(system.doubts.failed.empty());
}

TEST(hpcc_inputs, failure_is_pinned_on_the_part_where_the_file_tells) {
  // The Summary has the error of PTRANS itself. Limit 16: 16 * 2^-53 * 1000 = 1.776e-12
  const std::string transpose = "CommWorldProcs=4\nPTRANS_GBs=1\nPTRANS_n=1000\n";
  const System pinned = system_of(transpose + "PTRANS_residual=1.8e-12\nSuccess=0\n");
  EXPECT_EQ(pinned.doubts.failed, std::set{ptrans_byte_s});
  const System vague = system_of(transpose + "PTRANS_residual=1.7e-12\nSuccess=0\n");
  EXPECT_TRUE(vague.doubts.failed.contains(hpl_flop_s) && vague.doubts.failed.contains(ptrans_byte_s));
  EXPECT_TRUE(system_of(transpose + "PTRANS_residual=99\nSuccess=1\n").doubts.failed.empty());
}

TEST(hpcc_inputs, failure_is_of_every_test_with_keys_where_the_file_does_not_tell) {
  const auto failed = [](const std::string& lines) {
    return failed_hpcc_tests(members_of(summary("CommWorldProcs=4\n" + lines)));
  };
  EXPECT_EQ(failed("MPIRandomAccess_LCG_ErrorsFraction=0.02\nSuccess=0\n"),
            std::set<std::string_view>{"MPIRandomAccess_LCG"});
  EXPECT_TRUE(failed("Success=0\n").contains("SingleFFT"));
  EXPECT_TRUE(failed("MPIRandomAccess_ErrorsFraction=0.02\nSuccess=1\n").empty());
  EXPECT_TRUE(system_of("CommWorldProcs=4\nHPL_Tflops=1\n").doubts.unverified.contains(hpl_flop_s));
}

TEST(own_runs, records_of_a_text_have_its_success) {
  record::Run imported;
  imported.head.processes = 4;
  imported.head.imported = record::Json{{"format", "hpcc"}};
  imported.summaries.emplace_back();
  imported.summaries[0].name = imported.summaries[0].suite = "hpcc";
  imported.summaries[0].classic = {{"HPL_Tflops", 1.0}, {"Success", std::int64_t{0}}};
  EXPECT_TRUE(system_of_run(imported).doubts.failed.contains(hpl_flop_s));
}

TEST(hpcc_inputs, residual_of_the_solver_is_computed) {
  const std::string solver =
      "CommWorldProcs=4\nHPL_Tflops=1\nHPL_eps=1e-16\nHPL_N=1000\nHPL_AnormI=250\nHPL_XnormI=4\nHPL_BnormI=1\nSuccess=0\n";
  // Limit 16: 16 * 1e-16 * 1000 * 1001
  EXPECT_EQ(system_of(solver + "HPL_RnormI=1.7e-9\n").doubts.failed, std::set{hpl_flop_s});
  EXPECT_GT(system_of(solver + "HPL_RnormI=1.5e-9\n").doubts.failed.size(), 1U);
}

TEST(hpcc_inputs, parts_on_fewer_processes_are_flagged) {
  const System system = system_of(
      "CommWorldProcs=6\nPTRANS_nprow=2\nPTRANS_npcol=2\nMPIFFT_Procs=6\nHPL_nprow=2\nHPL_npcol=3\n");
  EXPECT_EQ(system.doubts.subset, std::set{ptrans_byte_s});
  EXPECT_EQ(system.inputs.get(hpl_processes), 6);
}

record::Run run() {
  record::Run run;
  run.head.name = "vm";
  run.head.processes = 3;
  run.head.nodes = 2;
  run.head.threads_per_process = 2;
  run.head.layout = record::Json{{"hosts", {"a", "b"}}, {"ranks", {{0, 1}, {1, 1}, {0, 1}}}};
  run.head.machine = record::Json{
      {"memory_byte", 1000.0},
      {"cores", 4},
      {"caches",
       {{{"level", 2}, {"size_byte", 9}, {"count", 4}}, {{"level", 3}, {"size_byte", 100}, {"count", 2}}}}};
  record::SummaryRecord hpcc;
  hpcc.name = hpcc.suite = "hpcc";
  hpcc.classic = {{"CommWorldProcs", std::int64_t{3}},
                  {"HPL_Tflops", 0.5},
                  {"Success", std::int64_t{0}},
                  {"Sy_run", std::string("optimized")}};
  record::SummaryRecord beff;
  beff.name = "b_eff";
  beff.suite = "b-eff";
  beff.values = {{"b_eff_byte_s", 7e9}, {"b_eff_at_lmax_byte_s", 9e9}};
  beff.official = false;
  run.summaries = {hpcc, beff};
  record::PointRecord point;
  point.suite = "hpcc";
  point.benchmark = "HPL";
  point.verified = false;
  run.points = {point};
  return run;
}

TEST(own_runs, caches_of_several_sizes_count_together) {
  record::Run mixed = run();
  auto& caches = mixed.head.machine.json()["caches"];
  caches = record::Json::parse(R"([{"level": 1, "kind": "data", "size_byte": 50, "count": 9},
    {"level": 3, "kind": "unified", "size_byte": 96, "count": 1}, {"level": 3, "kind": "unified", "size_byte": 32, "count": 2},
    {"level": 2, "kind": "unified", "size_byte": 9, "count": 4}])");
  EXPECT_EQ(system_of_run(mixed).doubts.node_cache_byte, 96 + 2 * 32);
  caches = record::Json::parse(R"([{"level": 1, "kind": "data", "size_byte": 8, "count": 2},
    {"level": 1, "kind": "instruction", "size_byte": 16, "count": 2}])");
  EXPECT_EQ(system_of_run(mixed).doubts.node_cache_byte, 16);
}

TEST(own_runs, layout_memory_and_doubts) {
  const System system = system_of_run(run());
  EXPECT_EQ(system.processes_per_node, (std::vector<int>{2, 1}));
  EXPECT_EQ(record::nodes_of_ranks(run().head), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(system.inputs.get(memory_byte), 2000);
  EXPECT_EQ(system.doubts.cores, 8);
  EXPECT_EQ(system.doubts.node_cache_byte, 200);
  EXPECT_EQ(system.curve, "vm x2");
  EXPECT_EQ(system.run_type, "optimized");
  EXPECT_EQ(system.inputs.get(b_eff_byte_s), 7e9);
  EXPECT_EQ(system.inputs.get(b_eff_lmax_byte_s), 9e9);
  EXPECT_EQ(system.doubts.failed, std::set{hpl_flop_s});
  EXPECT_EQ(system.doubts.shortened, (std::set{b_eff_byte_s, b_eff_lmax_byte_s}));
  EXPECT_NEAR(*system.inputs.get(inter_node_share), 1 - 2.0 / 6, 1e-15);
}

TEST(own_runs, a_figure_whose_text_says_that_it_is_invalid_is_wrong) {
  record::Run one = run();
  one.summaries.back().verified = false;  // as of "b_effINVALID = ...", a text without points
  EXPECT_EQ(system_of_run(one).doubts.failed, (std::set{hpl_flop_s, b_eff_byte_s, b_eff_lmax_byte_s}));
}

TEST(own_runs, schedule_that_is_shorter_than_the_rules_is_told) {
  record::Run one = run();
  one.summaries.pop_back();
  auto& classic = one.summaries[0].classic;
  for (const char* key :
       {"StarSTREAM_Triad", "SingleSTREAM_Triad", "PTRANS_GBs", "MPIRandomAccess_GUPs",
        "StarRandomAccess_GUPs", "RandomlyOrderedRingLatency_usec", "RandomlyOrderedRingBandwidth_GBytes"})
    classic.emplace_back(key, 1.0);
  const auto shortened = [&](const record::Json& config) {
    one.head.config = record::Json{{"hpcc", config}};
    return system_of_run(one).doubts.shortened;
  };
  using Set = std::set<Quantity>;
  EXPECT_EQ(shortened({{"stream_trials", 10},
                       {"placements", 5},
                       {"updates_share", 1.0},
                       {"update_bound_s", 60.0},
                       {"ring_patterns", 30}}),
            Set{});
  EXPECT_EQ(shortened({{"stream_trials", 4}}), (Set{stream_star_triad_byte_s, stream_single_triad_byte_s}));
  EXPECT_EQ(shortened({{"placements", 2}}), Set{ptrans_byte_s});
  EXPECT_EQ(shortened({{"updates_share", 0.25}}),
            (Set{random_access_global_update_s, random_access_star_update_s}));
  EXPECT_EQ(shortened({{"update_bound_s", 5.0}}), Set{random_access_global_update_s});
  EXPECT_EQ(shortened({{"ring_patterns", 5}}), Set{random_ring_latency_s});
}

TEST(own_runs, processes_that_do_not_saturate_a_node_are_flagged) {
  const auto with = [](std::vector<double> node_byte_s) {
    record::Run one = run();
    record::PointRecord point;
    point.suite = "hpcc";
    point.benchmark = "LatencyBandwidth";
    point.classic = {{"saturation_processes_of_node", std::vector<double>{1, 2, 4}},
                     {"saturation_node_byte_s", std::move(node_byte_s)}};
    one.points.push_back(point);
    return system_of_run(one);
  };
  const System saturated = with({2e9, 3e9, 3.1e9}), crowded = with({4e9, 3e9, 2e9});
  ASSERT_EQ(saturated.saturation.size(), 3U);
  EXPECT_EQ(saturated.saturation[1].processes_of_node, 2);
  EXPECT_EQ(saturated.doubts.saturation_gain, 1);
  EXPECT_EQ(crowded.doubts.saturation_gain, 2);
  EXPECT_TRUE(has(flags(crowded), Flag::unsaturated));
  EXPECT_TRUE(with({1e9}).saturation.empty());  // of another length than the processes
}

}  // namespace
}  // namespace steelyard::balance
