// SPDX-License-Identifier: Apache-2.0
// Machines whose weakness is known: the verdict names it, in its first sentence.
#include "planted.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/balance/balance.hpp"
#include "analysis/balance/flags.hpp"
#include "analysis/balance/measured.hpp"
#include "analysis/balance/merits.hpp"
#include "analysis/balance/system.hpp"
#include "formats/tables/tables.hpp"
#include "record/json.hpp"
#include "record/whereabouts.hpp"

namespace steelyard::balance {
namespace {

using planted::Machine;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using enum Quantity;

Verdict verdict_of(const record::Run& run) {
  return verdict(system_of_run(run));
}

std::string first_sentence(const record::Run& run) {
  return verdict_of(run).text.front();
}

std::string first_sentence(const Machine& machine) {
  return first_sentence(planted::run_of(machine));
}

std::string all_of(const record::Run& run) {
  return formats::tables_text(tables(judge({system_of_run(run)}, {})), 1000);
}

TEST(planted_weakness, of_nothing_nothing_stands_out) {
  EXPECT_THAT(first_sentence(Machine{}),
              StartsWith("Nothing stands out: memory bandwidth, network bandwidth and "
                         "processor speed matter about equally."));
}

TEST(planted_weakness, of_the_processors_is_processor_speed) {
  EXPECT_THAT(first_sentence({.flop_s = 2.5e9, .peak_flop_s = 3e9}),
              StartsWith("Processor speed holds this machine back: twice the processor speed would make the "
                         "three kinds of work 1."));
}

TEST(planted_weakness, of_the_library_is_the_blas_with_the_cure) {
  const auto run = planted::run_of({.flop_s = 3e9, .peak_flop_s = 30e9, .slow_blas = true});
  EXPECT_EQ(
      first_sentence(run),
      "The BLAS, not the processors, holds this machine back: DGEMM by OpenBLAS 0.3.21 with kernel Prescott "
      "reaches 10 % of the multiply-adds that the processors do.");
  EXPECT_THAT(verdict_of(run).text[1], HasSubstr("OPENBLAS_CORETYPE=Zen"));
}

TEST(planted_weakness, of_the_library_on_one_node_is_the_blas_too) {
  EXPECT_THAT(first_sentence({.nodes = 1,
                              .each = 2,
                              .flop_s = 10e9,
                              .peak_flop_s = 58e9,
                              .memory_byte_s = 30e9,
                              .node_memory_byte = 24e9,
                              .slow_blas = true}),
              StartsWith("The BLAS, not the processors, holds this machine back"));
}

/// The run resumed on other hosts, which measure what is said.
record::Run resumed_elsewhere(record::Run run, const std::string& measured_there) {
  run.envelopes.resize(run.points.size());
  run.head_session = 1;
  record::RunRecord later = run.head;
  for (auto& host : later.layout.json()["hosts"]) host = "other" + host.get<std::string>();
  record::begin_session(run, later, 2);
  for (std::size_t i = 0; i < run.points.size(); ++i)
    if (run.points[i].benchmark == measured_there) run.envelopes[i].session = 2;
  return run;
}

TEST(planted_weakness, of_a_host_is_that_of_the_session_that_measured_it) {
  const auto run = planted::run_of({.slow_host_share = 0.25});
  EXPECT_THAT(first_sentence(resumed_elsewhere(run, "SingleDGEMM")),
              AllOf(HasSubstr("host2"), Not(HasSubstr("otherhost"))));
  const auto found = evidence_of(resumed_elsewhere(run, "StarSTREAM"));
  EXPECT_EQ(found.arithmetic->slowest, "host2");
  EXPECT_EQ(found.memory->slowest, "otherhost2");
  const auto links = evidence_of(resumed_elsewhere(planted::run_of({.slow_host_link = 5}), "StarDGEMM"));
  EXPECT_EQ(links.bandwidth->place, "host2");
}

TEST(planted_weakness, of_the_library_that_matters_little_is_told_after_the_resource) {
  const auto found = verdict_of(planted::run_of({.flop_s = 17.9e9, .memory_byte_s = 1e9, .slow_blas = true}));
  EXPECT_THAT(found.text.front(), StartsWith("Memory bandwidth holds this machine back"));
  EXPECT_FALSE(found.leads);
}

TEST(planted_weakness, of_a_quota_is_processor_speed_beside_the_quota) {
  EXPECT_EQ(
      first_sentence({.flop_s = 6e9, .memory_byte_s = 2.2e9, .quota_cores = 4}),
      "Processor speed holds this machine back, because a quota limits it: the control group allows its "
      "processes 4.0 processors' worth of time where they would use 16.");
}

TEST(planted_weakness, of_other_load_is_not_the_fault_of_the_library) {
  auto run = planted::run_of({.flop_s = 3e9, .peak_flop_s = 30e9, .slow_blas = true});
  run.points[0].schedule.emplace();
  run.points[0].schedule->elapsed_s = 1.3;
  run.points[0].preempted_s = 1.2;
  const auto found = verdict_of(run);
  ASSERT_EQ(found.causes.size(), 1U);
  EXPECT_EQ(found.leads, Cause::Kind::others);
  run.points[0].preempted_s = 0.9;  // the library reaches a third of what the time that was left allows
  EXPECT_EQ(verdict_of(run).leads, Cause::Kind::blas);
}

/// The first `points` of the run waited for a processor in this share of their time.
record::Run with_waiting(Machine machine, double share, std::size_t points) {
  auto run = planted::run_of(machine);
  for (std::size_t i = 0; i < points; ++i) {
    run.points[i].schedule.emplace().elapsed_s = 2;
    run.points[i].preempted_s = 2 * share;
  }
  return run;
}

TEST(planted_weakness, of_other_programs_is_theirs) {
  const auto found = verdict_of(with_waiting({}, 0.5, 2));
  EXPECT_EQ(
      found.text[0],
      "Other programs held this machine back while it was measured: its processes waited for a processor in "
      "50 % of the time of DGEMM and 50 % of the time of STREAM's triad.");
  EXPECT_THAT(found.text[1], HasSubstr("--wait-quiet"));
  EXPECT_THAT(found.text[2], StartsWith("As it was measured, "));
}

TEST(planted_weakness, of_other_programs_has_to_be_a_tenth) {
  EXPECT_TRUE(verdict_of(with_waiting({}, 0.08, 2)).causes.empty());
  EXPECT_EQ(verdict_of(with_waiting({}, 0.12, 1)).causes.size(), 1U);
}

TEST(planted_weakness, of_a_slow_host_is_no_other_programs) {
  auto run = with_waiting({.nodes = 4, .slow_host_share = 0.1}, 0.9, 2);
  for (auto& point : run.points) point.classic.emplace_back("passes_s", std::vector<double>{10, 10});
  const auto found = verdict_of(run);
  EXPECT_EQ(found.leads, Cause::Kind::host);
  EXPECT_EQ(found.causes.size(), 1U) << "it waited for 1.8 s of its 20";
}

TEST(planted_weakness, of_processes_that_wait_for_one_another_or_for_a_quota_is_no_other_programs) {
  auto run = with_waiting({}, 0.5, 2);
  for (auto& point : run.points) point.flags.emplace_back("oversubscribed");
  EXPECT_TRUE(verdict_of(run).causes.empty());
  const auto limited = verdict_of(with_waiting({.quota_cores = 4}, 0.5, 2));
  ASSERT_EQ(limited.causes.size(), 1U);
  EXPECT_EQ(limited.leads, Cause::Kind::quota);
}

TEST(planted_weakness, of_a_quota_is_not_the_fault_of_the_library) {
  const auto found = verdict_of(planted::run_of(
      {.flop_s = 6e9, .peak_flop_s = 30e9, .memory_byte_s = 2.2e9, .quota_cores = 4, .slow_blas = true}));
  ASSERT_EQ(found.causes.size(), 1U);
  EXPECT_EQ(found.leads, Cause::Kind::quota);
}

/// Of one node whose solver and whose slowest and fastest process reach this much of the rate of a process.
std::string head_of(double solver_share, ProcessRates products) {
  const Machine machine{.nodes = 1};
  auto run = planted::run_of(machine);
  auto& classic = run.points[0].classic;
  classic.emplace_back("least_rate", products.least * machine.flop_s);
  classic.emplace_back("most_rate", products.most * machine.flop_s);
  classic.emplace_back("passes_s", std::vector<double>{products.scatter, 1.0});
  auto system = system_of_run(run);
  system.inputs.set(hpl_flop_s, solver_share * machine.flop_s * machine.processes());
  return formats::tables_text(tables(judge({system}, {})), 1000);
}

TEST(planted_weakness, of_one_process_is_told_beside_the_solver_that_waits_for_it) {
  const auto line = HasSubstr("HPL waits for the slowest and reaches 90.0 % of as many times its rate.");
  EXPECT_THAT(head_of(0.45, {.least = 0.5, .most = 1.2}), line);
  const auto any = HasSubstr("waits for the slowest");
  EXPECT_THAT(head_of(0.9, {.least = 0.5, .most = 1.2}), Not(any));   // the slowest rate was that of a moment
  EXPECT_THAT(head_of(0.45, {.least = 0.9, .most = 1.1}), Not(any));  // processes are alike
  EXPECT_THAT(head_of(0.2, {.least = 0.5, .most = 1.2}), Not(any));   // something else is low
  EXPECT_THAT(head_of(0.45, {.least = 0.5, .most = 1.2, .scatter = 2}), Not(any));  // one after the other
}

TEST(planted_weakness, of_the_memory_is_memory_bandwidth) {
  EXPECT_THAT(first_sentence({.memory_byte_s = 5e9 / 16}),
              StartsWith("Memory bandwidth holds this machine back"));
}

TEST(planted_weakness, of_cables_is_network_bandwidth) {
  EXPECT_THAT(first_sentence({.ring_byte_s = 118e6 / 16, .ring_latency_s = 100e-6}),
              StartsWith("Network bandwidth holds this machine back"));
}

TEST(planted_weakness, of_distance_is_network_latency) {
  EXPECT_THAT(first_sentence({.ring_latency_s = 2e-3, .node_memory_byte = 4e9}),
              StartsWith("Network latency holds this machine back: half the network latency would make"));
}

TEST(planted_weakness, of_one_host_is_that_host_by_name) {
  const auto run = planted::run_of({.slow_host_share = 0.25});
  EXPECT_EQ(
      first_sentence(run),
      "Host host2 holds this machine back: its processes reach 25 % of the arithmetic speed and 25 % of the "
      "memory bandwidth of the other hosts, and the others wait for it.");
  EXPECT_GT(verdict_of(run).causes.front().gain, 2);
}

TEST(planted_weakness, of_one_host_among_two_or_four_is_that_host) {
  for (const int nodes : {2, 3, 4})
    EXPECT_THAT(first_sentence({.nodes = nodes, .slow_host_share = 0.5}),
                nodes > 2 ? StartsWith("Host host2 holds") : StartsWith("Host "))
        << nodes;
}

TEST(planted_weakness, of_the_link_of_one_host_is_its_link) {
  EXPECT_EQ(
      first_sentence({.ring_byte_s = 20e6, .slow_host_link = 10}),
      "The network link of host2 holds this machine back: short messages take 10 times as long and long "
      "messages take 10 times as long as between the other hosts.");
}

TEST(planted_weakness, of_a_host_that_is_slow_in_all_is_one_cause) {
  const auto found =
      verdict_of(planted::run_of({.ring_byte_s = 20e6, .slow_host_share = 0.25, .slow_host_link = 5}));
  ASSERT_EQ(found.causes.size(), 1U);
  EXPECT_THAT(found.text.front(),
              AllOf(StartsWith("Host host2 holds"), HasSubstr("its messages take 5.0 times")));
}

TEST(planted_weakness, of_one_pair_is_that_pair_of_hosts) {
  EXPECT_EQ(
      first_sentence({.ring_byte_s = 20e6, .slow_pair = 10}),
      "The link between host1 and host3 holds this machine back: short messages take 10 times as long and "
      "long messages take 10 times as long as between the other hosts.");
}

TEST(planted_weakness, of_one_pair_on_one_node_is_those_ranks) {
  EXPECT_THAT(first_sentence(
                  {.nodes = 1, .each = 8, .ring_byte_s = 0.1e9, .node_memory_byte = 16e9, .slow_pair = 10}),
              StartsWith("Messages between rank 1 and rank 3 hold this machine back"));
}

TEST(planted_weakness, of_the_disk_is_file_io) {
  EXPECT_THAT(first_sentence({.io_byte_s = 20e6, .io_volume_byte = 5e12}),
              StartsWith("File I/O holds this machine back"));
}

TEST(planted_weakness, of_the_disk_is_not_seen_in_files_of_the_page_cache) {
  const auto run = planted::run_of({.io_byte_s = 20e6, .io_volume_byte = 1e9});
  const auto found = verdict_of(run);
  EXPECT_THAT(found.text.front(), StartsWith("Nothing stands out"));
  EXPECT_FALSE(found.gain_of_doubling.contains(Resource::io));
  EXPECT_THAT(all_of(run),
              AllOf(HasSubstr("Coffee cup: cannot be judged, the files of b_eff_io (954 MiB) can lie in"),
                    HasSubstr("'steelyard b-eff-io -dropcache' would tell"), Not(HasSubstr("It passes")),
                    Not(HasSubstr("It fails"))));
}

TEST(planted_weakness, coffee_cup_never_passes_on_the_page_cache) {
  const System system = system_of_run(planted::run_of({.io_byte_s = 50e9, .io_volume_byte = 1e9}));
  EXPECT_FALSE(coffee_cups(system).mixed);
  EXPECT_FALSE(coffee_cups(system).writing);
  EXPECT_TRUE(has(flags(system), Flag::page_cache));
  const System disk = system_of_run(planted::run_of({.io_byte_s = 50e9, .io_volume_byte = 5e12}));
  EXPECT_TRUE(coffee_cups(disk).mixed->passes());
}

TEST(planted_weakness, of_files_in_a_file_system_of_memory_is_not_judged) {
  auto run = planted::run_of({.io_byte_s = 50e9, .io_volume_byte = 5e12});
  run.head.io.json()["medium"] = "memory";
  EXPECT_EQ(coffee_cups(system_of_run(run)).not_judged, "the file system lies in memory");
  run.head.config = record::Json{{"b-eff-io", {{"drop_cache", true}}}};  // memory keeps what is dropped
  EXPECT_EQ(coffee_cups(system_of_run(run)).not_judged, "the file system lies in memory");
  run.head.io.json()["medium"] = "local";
  EXPECT_TRUE(coffee_cups(system_of_run(run)).mixed);
}

TEST(chance, names_no_host_that_is_slower_only_at_times) {
  EXPECT_THAT(first_sentence({.slow_host_share = 0.88, .scatter = 0.2}), Not(HasSubstr("host2")));
}

TEST(chance, names_no_host_of_one_repetition) {
  HostRates rates{"host2", 1, 1, 4, 4, 4, 4, 4, 3};
  EXPECT_TRUE(stands_out(rates));
  rates.repetitions = 1;
  EXPECT_FALSE(stands_out(rates));
}

TEST(chance, names_no_host_where_hosts_differ_as_much) {
  HostRates rates{"host2", 1, 1, 2, 1.5, 2.5, 1.4, 8, 3};
  EXPECT_FALSE(stands_out(rates));
  rates.others_low = 1.9;
  rates.others_high = 2.1;
  EXPECT_TRUE(stands_out(rates));
}

TEST(chance, names_no_pair_among_several_slow_ones) {
  PairTimes pairs{.slowest_s = 10,
                  .typical_s = 1,
                  .typical_worst_s = 1.2,
                  .places = 4,
                  .slow = 2,
                  .between = 2,
                  .slow_between = 2,
                  .with_place = 6,
                  .slow_with_place = 2};
  EXPECT_TRUE(pair_stands_out(pairs));
  pairs.slow = 3;  // one elsewhere
  EXPECT_FALSE(pair_stands_out(pairs));
  pairs.slow = pairs.slow_between = 1;  // one direction only
  EXPECT_FALSE(pair_stands_out(pairs));
}

TEST(chance, names_no_pair_that_is_as_slow_as_others_at_their_worst) {
  PairTimes pairs{.slowest_s = 10,
                  .typical_s = 1,
                  .typical_worst_s = 12,
                  .places = 4,
                  .slow = 2,
                  .between = 2,
                  .slow_between = 2};
  EXPECT_FALSE(pair_stands_out(pairs));
  pairs.places = 2;
  pairs.typical_worst_s = 1.1;
  EXPECT_FALSE(pair_stands_out(pairs));  // nothing to compare with
}

TEST(too_little, one_resource_names_nothing_and_says_what_would_tell) {
  auto run = planted::run_of({.nodes = 1, .each = 2});
  planted::remove(run, "StarSTREAM");
  EXPECT_EQ(
      first_sentence(run),
      "No verdict: only processor speed was measured so that it says something about this machine, and a "
      "verdict compares two of processor speed, memory bandwidth and network; 'steelyard run "
      "hpcc/StarSTREAM' would tell.");
  EXPECT_TRUE(verdict_of(run).resources.empty());
}

TEST(too_little, what_found_no_memory_is_not_to_be_tried_again_as_it_was) {
  auto run = planted::run_of({.nodes = 1, .each = 2});
  for (auto& point : run.points) {
    if (point.benchmark != "StarSTREAM") continue;
    point.status = record::Status::skipped;
    point.metrics.clear();
    point.reason = record::Reason{};
    point.reason->code = record::ReasonCode::memory;
    point.reason->text = "needs 192 MiB per process, 154 MiB are available";
  }
  std::erase_if(run.summaries, [](const auto& one) { return one.name == "hpcc"; });
  EXPECT_THAT(first_sentence(run), Not(HasSubstr("steelyard run hpcc/StarSTREAM")));
  const auto verdict = verdict_of(run);
  const auto left_out = std::ranges::find(verdict.left_out, Resource::memory, &LeftOut::resource);
  ASSERT_NE(left_out, verdict.left_out.end());
  EXPECT_THAT(left_out->reason,
              testing::EndsWith("are available; more memory or fewer processes would tell"));
  EXPECT_TRUE(left_out->command.empty());
}

TEST(too_little, arithmetic_and_files_name_nothing) {
  auto run = planted::run_of({.nodes = 1, .each = 2, .io_byte_s = 20e6, .io_volume_byte = 5e12});
  planted::remove(run, "StarSTREAM");
  EXPECT_THAT(first_sentence(run), StartsWith("No verdict: only processor speed"));
}

TEST(too_little, what_was_not_judged_stands_before_the_rest) {
  auto run = planted::run_of({.flop_s = 2.5e9, .peak_flop_s = 3e9});
  planted::remove(run, "StarSTREAM");
  EXPECT_THAT(
      first_sentence(run),
      StartsWith("Memory bandwidth was not judged; of the rest, processor speed holds this machine back: "
                 "twice the processor speed would make the three kinds of work at most 1."));
}

TEST(too_little, arithmetic_may_be_the_one_that_was_not_judged) {
  auto run = planted::run_of({.memory_byte_s = 5e9 / 16});
  planted::remove(run, "StarDGEMM");
  EXPECT_THAT(first_sentence(run),
              StartsWith("Processor speed was not judged; of the rest, memory bandwidth holds"));
}

TEST(too_little, reason_of_a_point_that_the_budget_left_out_is_told) {
  auto run = planted::run_of({.nodes = 1, .each = 2});
  planted::remove(run, "StarSTREAM");
  record::PointRecord skipped;
  skipped.suite = "hpcc";
  skipped.benchmark = "StarSTREAM";
  skipped.params["kernel"] = std::string("Triad");
  skipped.status = record::Status::skipped;
  skipped.reason.emplace();
  skipped.reason->text = "needs --budget 3m";
  run.points.push_back(skipped);
  EXPECT_THAT(all_of(run), HasSubstr("memory bandwidth (not measured: needs --budget 3m;"));
}

TEST(not_representative, figures_feed_nothing_and_are_told) {
  auto run = planted::run_of({.nodes = 1, .each = 2});
  planted::withhold(run, "StarDGEMM", "order 130 where 1000 or more is representative here");
  const System system = system_of_run(run);
  EXPECT_FALSE(system.inputs.get(dgemm_star_flop_s));
  EXPECT_TRUE(system.inputs.get(peak_measured_flop_s));
  EXPECT_EQ(system.doubts.withheld.at(dgemm_star_flop_s).value, 25e9);
  EXPECT_FALSE(system.evidence.blas);
  EXPECT_THAT(first_sentence(run), StartsWith("No verdict: only memory bandwidth"));
  EXPECT_THAT(all_of(run),
              AllOf(HasSubstr("Left out, for they say nothing about this machine: DGEMM of all "
                              "processes (order 130 where 1000 or more is"),
                    HasSubstr("but not representative"), HasSubstr("25.0  Gflop/s"),
                    HasSubstr("network; 'steelyard run hpcc/StarDGEMM' would tell with sizes that are "
                              "large enough."),
                    HasSubstr("is representative here; 'steelyard run hpcc/StarDGEMM' would tell with "
                              "sizes that are large enough)")));
  const Balance judged = judge({system}, {});
  EXPECT_TRUE(judged.systems[0].doubtful());
  for (const RatioRow& row : judged.systems[0].ratios)
    if (row.ratio->id == "dgemm_ratio") EXPECT_FALSE(row.value.value.value);
}

TEST(doubts, of_a_figure_stand_beside_it_in_words) {
  auto run = planted::run_of({.nodes = 1, .each = 2});
  record::Statistics time;
  time.median = 1;
  time.ci = {0.5, 1.5};
  for (auto& point : run.points) {
    if (point.benchmark != "StarDGEMM") continue;
    point.metrics = {{"time_s", time}};
    point.flags.emplace_back("noisy");
  }
  EXPECT_EQ(doubt_words(system_of_run(run), dgemm_star_flop_s), "interval of +-50 %, noisy");
  EXPECT_EQ(doubt_words(system_of_run(run), memory_byte), "");
  EXPECT_THAT(all_of(run), HasSubstr("interval of +-50 %, noisy"));
  const auto back = systems_of(document(judge({system_of_run(run)}, {}), {}));
  EXPECT_EQ(back.at(0).doubts.remarks, system_of_run(run).doubts.remarks);
}

TEST(doubts, of_stream_in_the_cache_stand_beside_it) {
  auto system = system_of_run(planted::run_of({.nodes = 1, .each = 2}));
  EXPECT_EQ(doubt_words(system, stream_star_triad_byte_s), "");
  system.doubts.stream_elements = 1000;
  EXPECT_EQ(doubt_words(system, stream_star_triad_byte_s), "in the cache");
  EXPECT_EQ(doubt_words(system, hpl_flop_s), "");
}

TEST(merits, tell_of_wrong_data_and_of_a_point_that_was_cut) {
  auto run = planted::run_of({.nodes = 1, .each = 2});
  record::PointRecord point;
  point.suite = "imb-mpi1";
  point.benchmark = "PingPong";
  point.params = {{"message_byte", std::int64_t{0}}};
  point.primary = "time_s";
  point.metrics = {{"time_s", 1e-6}};
  point.verified = false;
  point.status = record::Status::partial;
  point.reason.emplace().text = "point budget";
  run.points.push_back(point);
  const auto list = merits(system_of_run(run), &run);
  const auto found =
      std::ranges::find_if(list, [](const Merit& one) { return one.figure->key == "imb_latency"; });
  ASSERT_NE(found, list.end());
  EXPECT_EQ(found->doubt, "partial, wrong data: point budget");
}

TEST(quantities, of_a_summary_have_the_names_that_it_gives_them) {
  for (const auto& [name, quantity] :
       {std::pair("star_dgemm_flop_s", dgemm_star_flop_s),
        std::pair("star_stream_copy_byte_s", stream_star_copy_byte_s),
        std::pair("star_stream_triad_byte_s", stream_star_triad_byte_s),
        std::pair("mpi_fft_flop_s", fft_global_flop_s),
        std::pair("mpi_random_access_update_s", random_access_global_update_s),
        std::pair("b_eff_at_lmax_byte_s", b_eff_lmax_byte_s), std::pair("hpl_flop_s", hpl_flop_s)}) {
    EXPECT_EQ(quantity_of_summary(name), quantity) << name;
    EXPECT_NE(record::metric_name(name), nullptr) << name;
  }
  EXPECT_EQ(quantity_of_summary("none"), std::nullopt);
}

TEST(merits, keep_both_ends_of_an_interval) {
  auto run = planted::run_of({.nodes = 1, .each = 2});
  record::Statistics time;
  time.median = 1;
  time.ci = {0.8, 2};
  for (auto& point : run.points)
    if (point.benchmark == "StarDGEMM") {
      point.primary = "flop_rate_flop_s";
      point.metrics = {{"time_s", time}};
    }
  const auto list = merits(system_of_run(run), &run);
  const auto found = std::ranges::find_if(list, [](const Merit& one) { return one.figure->key == "dgemm"; });
  ASSERT_NE(found, list.end());
  ASSERT_TRUE(found->interval);
  EXPECT_DOUBLE_EQ(found->interval->low, -0.5);
  EXPECT_DOUBLE_EQ(found->interval->high, 0.25);
}

record::State apart(double c2c_s, double share) {
  record::State state;
  state.c2c_s = c2c_s;
  state.share = share;
  return state;
}

TEST(doubts, messages_of_a_moment_belong_to_its_state_of_the_machine) {
  auto run = planted::run_of({.nodes = 1, .each = 2});
  for (auto& point : run.points) {
    point.schedule.emplace();
    const bool message = point.benchmark == "LatencyBandwidth";
    point.schedule->elapsed_s = message ? 0.01 : 10;
    point.states = {apart(message ? 0.12e-6 : 0.15e-6, 1)};
  }
  EXPECT_EQ(doubt_words(system_of_run(run), random_ring_latency_s), "") << "one state";
  for (auto& point : run.points)
    if (point.benchmark != "LatencyBandwidth") point.states = {apart(0.15e-6, 0.9), apart(0.5e-6, 0.1)};
  EXPECT_EQ(doubt_words(system_of_run(run), random_ring_latency_s), "") << "another one, for a tenth";
  for (auto& point : run.points)
    if (point.benchmark != "LatencyBandwidth") point.states = {apart(0.5e-6, 0.7), apart(0.15e-6, 0.3)};
  EXPECT_EQ(doubt_words(system_of_run(run), random_ring_latency_s), "other machine states in this run");
  EXPECT_EQ(doubt_words(system_of_run(run), hpl_flop_s), "") << "no messages";
  for (auto& point : run.points)
    if (point.benchmark == "LatencyBandwidth") point.states.clear();
  EXPECT_EQ(doubt_words(system_of_run(run), random_ring_latency_s), "") << "its state is not known";
}

TEST(not_representative, doubts_of_its_points_stand_beside_the_figure) {
  auto run = planted::run_of({.nodes = 1, .each = 2});
  EXPECT_EQ(doubt_words(system_of_run(run), dgemm_star_flop_s), "");
  planted::withhold(run, "StarDGEMM", "order 130 where 1000 or more is representative here");
  EXPECT_EQ(doubt_words(system_of_run(run), dgemm_star_flop_s), "too small to stand for this machine");
  for (auto& point : run.points)
    if (point.benchmark == "StarDGEMM") {
      point.flags.insert(point.flags.end(), {"smaller_than_the_rules_ask", "noisy"});
      point.verified = false;
    }
  const auto back = systems_of(document(judge({system_of_run(run)}, {}), {}));
  for (const System& system : {system_of_run(run), back.at(0)})
    EXPECT_EQ(doubt_words(system, dgemm_star_flop_s),
              "wrong data, too small to stand for this machine, smaller than the rules ask, noisy");
}

TEST(not_representative, others_of_the_benchmark_speak) {
  auto run = planted::run_of({});
  auto small = run.points[0];
  for (auto& [name, value] : small.classic)
    if (name == "StarDGEMM_Gflops") value = 99.0;
  small.flags.emplace_back("not_representative");
  run.points.push_back(small);
  EXPECT_DOUBLE_EQ(*system_of_run(run).inputs.get(dgemm_star_flop_s), 25e9);
}

TEST(not_representative, one_of_the_points_of_b_eff_io_withholds_its_value) {
  auto run = planted::run_of({.io_byte_s = 20e6, .io_volume_byte = 5e12});
  run.points.back().flags.emplace_back("not_representative");
  const System system = system_of_run(run);
  EXPECT_FALSE(system.inputs.get(b_eff_io_byte_s));
  EXPECT_TRUE(system.doubts.withheld.contains(b_eff_io_byte_s));
}

TEST(not_representative, verdict_and_causes_survive_the_json_form) {
  for (const Machine& machine :
       {Machine{.flop_s = 3e9, .peak_flop_s = 30e9, .slow_blas = true}, Machine{.slow_host_share = 0.25},
        Machine{.ring_byte_s = 20e6, .slow_pair = 10}, Machine{.io_byte_s = 20e6, .io_volume_byte = 1e9},
        Machine{.flop_s = 6e9, .memory_byte_s = 2.2e9, .quota_cores = 4}}) {
    auto run = planted::run_of(machine);
    planted::withhold(run, "HPL", "small");
    const Balance first = judge({system_of_run(run)}, {});
    const Balance again = judge(systems_of(document(first, {})), {});
    EXPECT_EQ(again.systems[0].verdict.text, first.systems[0].verdict.text);
    EXPECT_EQ(again.systems[0].cups.not_judged, first.systems[0].cups.not_judged);
  }
}

TEST(uncertain_gains, are_about_equal_where_their_intervals_leave_it_open) {
  System system = system_of_run(planted::run_of({.memory_byte_s = 3.6e9}));
  EXPECT_EQ(verdict(system).kind, VerdictClass::single);
  system.inputs.set_half_width(stream_star_triad_byte_s, 2.11);
  EXPECT_NE(verdict(system).kind, VerdictClass::single);
}

}  // namespace
}  // namespace steelyard::balance
