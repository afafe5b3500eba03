// SPDX-License-Identifier: Apache-2.0
#include "hpcc/options.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <tuple>

#include "hpcc/front_end.hpp"
#include "scratch.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/input/file.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

namespace hpl = hpcc::hpl;
using test::invoke;
using test::refusal;
using test::Strings;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::int64_t gibi_byte = std::int64_t{1} << 30;

/// Four processes that may use 1 GiB each.
Place place() {
  return {4, gibi_byte / 10 * 8, {}, gibi_byte};
}

/// A trial in which this block was the best at any order.
std::vector<suites::PanelRate> best(std::int64_t block) {
  return {{block, 1e11, 1e11}, {2 * block, 1e10, 1e10}};
}

Prepared prepared_at(const Strings& words, std::int64_t block = 64) {
  const auto invocation = invoke("hpcc", words);
  const HpccInput input(invocation.values);
  return prepare_hpcc(invocation.values, input, hpcc_chosen(invocation.values), best(block), place());
}

hpcc::Settings settings(const Strings& words, std::int64_t block = 64) {
  return prepared_at(words, block).settings<hpcc::Definition>("hpcc");
}

Strings chosen(const Strings& words) {
  return hpcc_chosen(invoke("hpcc", words).values);
}

TEST(hpcc_front, every_line_of_the_input_has_an_option) {
  const auto s = settings({"--hpcc-n",
                           "100,200",
                           "--hpcc-nb",
                           "8,16",
                           "--hpcc-grid",
                           "1x4,2x2",
                           "--hpcc-threshold",
                           "-1",
                           "--hpl-pmap",
                           "row",
                           "--hpl-pfact",
                           "left,crout",
                           "--hpl-nbmin",
                           "1,2",
                           "--hpl-ndiv",
                           "2,3",
                           "--hpl-rfact",
                           "right",
                           "--hpl-bcast",
                           "2rg,LnM",
                           "--hpl-depth",
                           "0,2",
                           "--hpl-swap",
                           "long",
                           "--hpl-swap-threshold",
                           "7",
                           "--hpl-l1",
                           "plain",
                           "--hpl-u",
                           "plain",
                           "--hpl-equil",
                           "off",
                           "--hpl-align",
                           "4",
                           "--ptrans-n",
                           "90",
                           "--ptrans-nb",
                           "10,20"});
  EXPECT_THAT(s.problem.orders, ElementsAre(100, 200));
  EXPECT_THAT(s.problem.blocks, ElementsAre(8, 16));
  EXPECT_THAT(s.problem.grids, ElementsAre(hpcc::Grid{1, 4}, hpcc::Grid{2, 2}));
  EXPECT_EQ(s.threshold, -1);
  EXPECT_EQ(s.solver.mapping, hpl::Mapping::row_major);
  EXPECT_THAT(s.solver.panel, ElementsAre(hpl::Factorisation::left, hpl::Factorisation::crout));
  EXPECT_THAT(s.solver.stop, ElementsAre(1, 2));
  EXPECT_THAT(s.solver.parts, ElementsAre(2, 3));
  EXPECT_THAT(s.solver.recursive, ElementsAre(hpl::Factorisation::right));
  EXPECT_THAT(s.solver.broadcast,
              ElementsAre(hpl::Broadcast::two_rings, hpl::Broadcast::spread_roll_modified));
  EXPECT_THAT(s.solver.depth, ElementsAre(0, 2));
  EXPECT_EQ(s.solver.swap, hpl::Swap::spread_roll);
  EXPECT_EQ(s.solver.swap_threshold, 7);
  EXPECT_EQ(s.solver.l1, hpl::Storage::plain);
  EXPECT_EQ(s.solver.u, hpl::Storage::plain);
  EXPECT_EQ(s.solver.equilibration, hpl::Equilibration::no);
  EXPECT_EQ(s.solver.alignment, 4);
  EXPECT_THAT(s.extra_orders, ElementsAre(90));
  EXPECT_THAT(s.extra_blocks, ElementsAre(10, 20));
}

TEST(hpcc_front, words_that_are_not_said_leave_the_file_as_it_is) {
  const test::Scratch scratch;
  hpcc::Settings written;
  written.problem = {{300}, {24}, {{2, 2}}};
  written.solver.depth = {3};
  const auto file = scratch.file("in", hpcc::write_input(written));
  const auto s = settings({"--input", file, "--hpcc-n", "100"});
  EXPECT_THAT(s.problem.orders, ElementsAre(100));
  EXPECT_THAT(s.problem.blocks, ElementsAre(24));
  EXPECT_THAT(s.problem.grids, ElementsAre(hpcc::Grid{2, 2}));
  EXPECT_THAT(s.solver.depth, ElementsAre(3));
}

TEST(hpcc_front, grids_of_an_option_stand_above_those_that_the_job_is_too_small_for) {
  const test::Scratch scratch;
  hpcc::Settings written;
  written.problem = {{300}, {24}, {{4, 4}}};
  const auto file = scratch.file("in", hpcc::write_input(written));
  EXPECT_THAT(settings({"--input", file, "--hpcc-grid", "1x3"}).problem.grids, ElementsAre(hpcc::Grid{1, 3}));
  EXPECT_THAT(refusal([&] { return settings({"--input", file}); }), HasSubstr("nothing is run"));
  EXPECT_THAT(refusal([&] {
                return settings({"--input", file, "--hpcc-grid", "5x1"});
              }),
              HasSubstr("--hpcc-grid: 5x1"));
}

TEST(hpcc_front, words_of_a_wrong_file_are_shown_without_what_a_terminal_would_obey) {
  const test::Scratch scratch;
  const std::string zero(1, '\0');
  const auto file = scratch.file("in", "\n\n\n6" + zero + "\n\x1b[31m1\n");
  const auto told = refusal([&] { return settings({"--input", file}); });
  EXPECT_THAT(
      told, HasSubstr("in:4: the device must be a whole number from -2147483648 to 2147483647, found \"6\\"));
  EXPECT_THAT(told, HasSubstr(":5: the number of values must be a whole number from 1 to 20, found \"\\"));
  EXPECT_EQ(told.find('\x1b'), std::string::npos);
}

/// Notes on an input file when these words stand above it.
Strings notes(const std::string& file, Strings words) {
  words.insert(words.end(), {"--input", file});
  const auto invocation = invoke("hpcc", words);
  return HpccInput(invocation.values).notes();
}

TEST(hpcc_front, order_of_ptrans_that_is_dropped_is_told_whatever_says_it) {
  const test::Scratch scratch;
  hpcc::Settings written;
  written.problem = {{256}, {24}, {{2, 2}}};
  written.extra_orders = {10, 200};
  const auto file = scratch.file("in", hpcc::write_input(written));
  const auto dropped = [&](Strings words) { return dropped_orders(prepared_at(words)); };
  const auto small = StartsWith("PTRANS of order 10 would use less than 90 %");
  EXPECT_THAT(dropped({"--hpcc-n", "256", "--ptrans-n", "10"}), ElementsAre(small));
  EXPECT_THAT(dropped({"--hpcc-n", "256", "--ptrans-n", "10", "--skip", "PTRANS"}), IsEmpty());
  EXPECT_THAT(dropped({"--input", file}), ElementsAre(small));
  EXPECT_THAT(dropped({"--input", file, "--hpcc-n", "4000"}),
              ElementsAre(small, StartsWith("PTRANS of order 200 ")));
  EXPECT_THAT(dropped({"--input", file, "--hpcc-n", "20"}), IsEmpty());
  EXPECT_THAT(dropped({"--input", file, "--ptrans-n", "150"}), IsEmpty());
}

TEST(hpcc_front, line_below_an_option_has_no_notes) {
  const test::Scratch scratch;
  hpcc::Settings written;
  written.problem = {{256}, {24}, {{2, 2}}};
  written.extra_orders.assign(21, 200);
  const auto file = scratch.file("in", hpcc::write_input(written));
  EXPECT_THAT(notes(file, {}), ElementsAre("line 33: only the first 20 of 21 values are used"));
  EXPECT_THAT(notes(file, {"--ptrans-nb", "8"}), testing::SizeIs(1));
  EXPECT_THAT(notes(file, {"--ptrans-n", "150"}), IsEmpty());
}

TEST(hpcc_front, derived_matrix_takes_the_part_of_the_memory_that_is_asked_for) {
  for (const auto& [word, part] : {std::pair{"", 0.5}, {"25%", 0.25}, {"256Mi", 0.25}, {"1", 1.0}}) {
    const auto s = *word == '\0' ? settings({"--auto"}) : settings({"--auto", word});
    ASSERT_EQ(s.problem.orders.size(), 1U);
    const auto n = static_cast<double>(s.problem.orders.front());
    const double allowed = part * 4 * static_cast<double>(gibi_byte);
    EXPECT_LE(8 * n * n, allowed) << word;
    EXPECT_GT(8 * (n + 129) * (n + 129), allowed) << word;
    EXPECT_EQ(s.problem.orders.front() % 128, 0);
    EXPECT_THAT(s.problem.blocks, ElementsAre(64));
    EXPECT_THAT(s.problem.grids, ElementsAre(hpcc::Grid{2, 2}));
    EXPECT_THAT(s.derivation, HasSubstr("P x Q: as square as possible"));
    EXPECT_THAT(s.derivation, HasSubstr("64 100.0 and 100.0, 128 10.0 and 10.0"));
  }
}

TEST(hpcc_front, derived_order_is_a_multiple_of_the_block_that_is_said) {
  const auto s = settings({"--auto", "1Mi", "--hpcc-nb", "24,48"});
  EXPECT_EQ(s.problem.orders.front() % 96, 0);
  EXPECT_THAT(s.problem.blocks, ElementsAre(24, 48));
  EXPECT_THAT(s.derivation, testing::Not(HasSubstr("NB:")));
}

TEST(hpcc_front, derived_order_is_the_largest_where_two_blocks_do_not_fit) {
  const auto s = settings({"--auto", "1Mi", "--hpcc-nb", "512"});
  EXPECT_THAT(s.problem.orders, ElementsAre(724));  // 8 * 724^2 bytes are just below 4 MiB
  EXPECT_THAT(s.derivation, HasSubstr(", which holds no multiple of 2 NB;"));
}

TEST(hpcc_front, library_moves_panels_and_rows_only_where_options_say_so) {
  const auto s = settings({"--hpcc-n", "100", "--hpl-bcast", "1rg,auto", "--hpl-swap", "auto"});
  EXPECT_THAT(s.solver.broadcast, ElementsAre(hpl::Broadcast::ring, hpl::Broadcast::automatic));
  EXPECT_EQ(s.solver.swap, hpl::Swap::automatic);
  const auto told = hpcc::write_input(s);
  EXPECT_EQ(hpcc::read_written(told, "record").settings.solver.broadcast, s.solver.broadcast);
  EXPECT_THROW(static_cast<void>(hpcc::read_input(told, "file")), hpcc::InputError);
  EXPECT_THAT(refusal([] {
                return settings({"--hpcc-n", "100", "--base", "--hpl-bcast", "auto"});
              }),
              HasSubstr("no part of a base run"));
}

TEST(hpcc_front, solver_repeats_and_tells_only_what_it_is_asked_for) {
  const auto plain = settings({"--hpcc-n", "100"});
  EXPECT_EQ(plain.solver_repetitions, 1);
  EXPECT_FALSE(plain.solver_detail || plain.solver_timeline);
  const auto asked = settings({"--hpcc-n", "100", "--repeat", "2", "--hpl-detail", "--hpl-timeline"});
  EXPECT_EQ(asked.solver_repetitions, 2);
  EXPECT_TRUE(asked.solver_detail && asked.solver_timeline);
}

TEST(hpcc_front, memory_that_is_not_known_must_be_told) {
  const auto invocation = invoke("hpcc", {"--auto"});
  const HpccInput input(invocation.values);
  EXPECT_THAT(refusal([&] { return input.settings({2, 0, {}, 0}, {}); }), HasSubstr("--auto SIZE"));
}

TEST(hpcc_front, memory_file_tells_of_all_of_a_thread_or_of_a_process) {
  const test::Scratch scratch;
  const auto before = std::filesystem::current_path();
  for (const auto& [line, code, of_process] : {std::tuple{"Total=512", 1, 128.0},
                                               {"Thread=128", 2, 384.0},
                                               {"Process=128", 3, 128.0},
                                               {"Process=0.5", 3, 0.5}}) {
    const std::filesystem::path file = scratch.file("hpccmemf.txt", line);
    std::filesystem::current_path(file.parent_path());
    const auto invocation = invoke("hpcc", {"--defaults", "--threads", "3"});
    const HpccInput input(invocation.values);
    std::filesystem::current_path(before);
    const auto s = input.settings(place(), {});
    ASSERT_TRUE(s.memory.has_value()) << line;
    EXPECT_EQ(s.memory->code, code) << line;
    EXPECT_DOUBLE_EQ(s.memory->process_mebibyte, of_process) << line;
    EXPECT_EQ(s.problem.orders, hpcc::default_problem(of_process, 4).orders) << line;
  }
}

TEST(hpcc_front, option_without_a_value_leaves_the_next_option_alone) {
  const auto values = invoke("hpcc", {"-auto", "-only", "HPL", "--truncate"}).values;
  EXPECT_EQ(values.word("auto"), "");
  EXPECT_THAT(values.list("only"), ElementsAre("HPL"));
  EXPECT_TRUE(values.on("truncate"));
}

TEST(hpcc_front, tests_are_chosen_in_the_order_of_the_suite) {
  EXPECT_EQ(chosen({}).size(), hpcc::all_benchmarks().size());
  EXPECT_THAT(chosen({"--only", "latbw,STREAM", "--only", "MPIFFT"}),
              ElementsAre("StarSTREAM", "SingleSTREAM", "MPIFFT", "LatencyBandwidth"));
  EXPECT_THAT(chosen({"--only", "MPIRandomAccess"}), ElementsAre("MPIRandomAccess"));
  EXPECT_THAT(chosen({"--only", "RandomAccess", "--random-generator", "polynomial"}),
              ElementsAre("MPIRandomAccess", "StarRandomAccess", "SingleRandomAccess"));
  EXPECT_THAT(chosen({"--only", "FFT,DGEMM", "--skip", "fft"}), ElementsAre("StarDGEMM", "SingleDGEMM"));
}

TEST(hpcc_front, wrong_words_are_refused) {
  EXPECT_THAT(refusal([] { return chosen({"--only", "FFT", "--skip", "FFT"}); }), HasSubstr("leave no test"));
  EXPECT_THAT(refusal([] {
                return settings({"--hpcc-n", "100", "--hpcc-grid", "2x3"});
              }),
              StartsWith("--hpcc-grid: 2x3"));
  EXPECT_THAT(refusal([] {
                return settings({"--hpcc-n", "100", "--single-rank", "4"});
              }),
              StartsWith("--single-rank: 4"));
}

/// So many times the same value.
std::string repeated(const std::string& value, int times) {
  std::string list = value;
  for (int i = 1; i < times; ++i) list += ',' + value;
  return list;
}

TEST(hpcc_front, list_has_no_more_and_no_larger_values_than_a_line_of_the_input) {
  for (const auto& [option, value] : {std::pair{"--hpl-depth", "0"},
                                      {"--hpcc-n", "100"},
                                      {"--hpcc-nb", "8"},
                                      {"--hpcc-grid", "1x1"},
                                      {"--ptrans-nb", "8"}}) {
    EXPECT_EQ(refusal("hpcc", {option, repeated(value, 20)}), "accepted") << option;
    EXPECT_THAT(refusal("hpcc", {option, repeated(value, 21)}),
                HasSubstr("names 21 values, at most 20 are possible"));
    EXPECT_THAT(refusal("hpcc", {option, ","}), HasSubstr("names no value"));
  }
  EXPECT_EQ(refusal("hpcc", {"--hpcc-n", "0,2147483647"}), "accepted");
  for (const char* option :
       {"--hpcc-n", "--hpcc-nb", "--hpl-depth", "--hpl-nbmin", "--hpl-ndiv", "--ptrans-n", "--ptrans-nb"}) {
    EXPECT_THAT(refusal("hpcc", {option, "2,,4"}), HasSubstr("'2,,4' has a comma without a value")) << option;
    EXPECT_THAT(refusal("hpcc", {option, "2,4,"}), HasSubstr("'2,4,' has a comma without a value")) << option;
  }
  EXPECT_NE(refusal("hpcc", {"--hpcc-nb", "0"}), "accepted");
  EXPECT_THAT(refusal("hpcc", {"--hpcc-n", "2147483648"}), HasSubstr("2147483647"));
}

}  // namespace
}  // namespace steelyard::cli
