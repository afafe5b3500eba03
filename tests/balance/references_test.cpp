// SPDX-License-Identifier: Apache-2.0
// Published systems: what they hold, what they are compared by.
#include "analysis/balance/references.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/balance/balance.hpp"
#include "formats/tables/tables.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

using prefix::gibi;
using testing::HasSubstr;
using enum Quantity;

std::vector<System> of_kind(const char* kind) {
  return reference_systems(read_systems(systems_data()), kind);
}

const System& named(const std::vector<System>& all, std::string_view source) {
  return *std::ranges::find(all, source, &System::source);
}

// Source: b_eff paper, 2.2, and the captions of Fig. 3.
TEST(published_cups, count_the_memory_of_the_system_and_not_of_the_partition) {
  const auto all = of_kind("b_eff_io");
  const System &t3e = named(all, "000-F3-02"), &sr8000 = named(all, "000-F3-03");
  EXPECT_EQ(t3e.inputs.get(memory_byte), 64 * gibi);
  EXPECT_EQ(sr8000.inputs.get(memory_byte), 128 * gibi);
  const auto minutes = [](const System& system) {
    return coffee_cups(system).mixed->half_memory_time_s / 60;
  };
  EXPECT_NEAR(minutes(t3e), 10.05, 0.005);
  EXPECT_NEAR(minutes(sr8000), 27.9, 0.05);
  EXPECT_NEAR(coffee_cups(t3e).mixed->factor, 0.498, 0.0005);
  EXPECT_FALSE(coffee_cups(t3e).mixed->passes());
  EXPECT_FALSE(coffee_cups(sr8000).mixed->passes());
}

TEST(published_cups, tell_nodes_from_processes) {
  const auto all = of_kind("b_eff_io");
  const System &t3e = named(all, "000-F3-02"), &sr8000 = named(all, "000-F3-03");
  EXPECT_EQ(t3e.inputs.get(processes), 32);
  EXPECT_FALSE(t3e.nodes());
  EXPECT_EQ(sr8000.nodes(), 16);
  EXPECT_FALSE(sr8000.inputs.get(processes));
  EXPECT_EQ(sr8000.size(), 16);
  EXPECT_FALSE(coffee_cups(named(all, "000-F3-01")).mixed);  // its memory is not told
}

TEST(published_cups, leave_the_communication_of_a_partition_its_own_memory) {
  const auto all = of_kind("b_eff");
  EXPECT_EQ(named(all, "000-T1-04").inputs.get(memory_byte), 64 * 128 * 1048576.0);
}

System own() {
  System system;
  system.name = system.curve = "own";
  system.inputs.set(processes, 64);
  system.inputs.set(b_eff_byte_s, 20e9);
  system.inputs.set(b_eff_lmax_byte_s, 50e9);
  system.inputs.set(b_eff_io_byte_s, 58e6);
  system.inputs.set(ftio_io_fraction, 0.46);
  return system;
}

const RatioRow* row(const std::vector<RatioRow>& rows, std::string_view id) {
  const auto found = std::ranges::find(rows, id, [](const RatioRow& one) { return one.ratio->id; });
  return found == rows.end() ? nullptr : &*found;
}

TEST(reference_kinds, of_b_eff_give_medians_and_ranks_of_what_they_hold) {
  const Balance balance = judge({own()}, of_kind("b_eff"));
  const auto& judged = balance.systems[0];
  for (const char* id : {"b_eff_mbyte_s", "b_eff_per_process_mbyte_s", "b_eff_at_lmax_mbyte_s",
                         "b_eff_at_lmax_per_process_mbyte_s"}) {
    const auto* found = row(judged.figures, id);
    ASSERT_NE(found, nullptr) << id;
    EXPECT_TRUE(found->standing.median) << id;
    EXPECT_TRUE(found->standing.rank) << id;
  }
  EXPECT_TRUE(row(judged.ratios, "b_eff_over_lmax")->standing.rank);
}

TEST(reference_kinds, of_b_eff_io_give_the_rank_of_the_bandwidth) {
  const Balance balance = judge({own()}, of_kind("b_eff_io"));
  const auto* found = row(balance.systems[0].figures, "b_eff_io_mbyte_s");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->standing.reference_n, 4);
  EXPECT_EQ(found->standing.rank, 3);  // after 63 and 60, before 57 and 41
  EXPECT_DOUBLE_EQ(*found->standing.median, 58.5);
}

TEST(reference_kinds, of_ftio_give_every_published_run) {
  const Balance balance = judge({own()}, of_kind("ftio"));
  const auto& found = row(balance.systems[0].ratios, "io_fraction")->standing;
  EXPECT_EQ(found.reference_n, 8);
  EXPECT_DOUBLE_EQ(*found.median, 0.505);
  EXPECT_EQ(found.rank, 3);  // .39 and .43 are better
}

TEST(reference_kinds, rank_no_value_of_the_page_cache) {
  System system = own();
  system.doubts.cached[b_eff_io_byte_s] = "small files";
  const Balance balance = judge({system}, of_kind("b_eff_io"));
  const auto* found = row(balance.systems[0].figures, "b_eff_io_mbyte_s");
  EXPECT_TRUE(found->standing.median);
  EXPECT_FALSE(found->standing.rank);
}

std::string table_text(const analysis::Section& section) {
  return formats::tables_text({section}, 200);
}

// Source: HPCC balance paper, Table 1.
TEST(published_table, remarks_balances_that_the_document_prints_otherwise) {
  const auto sections = published_tables(judge({}, of_kind("hpcc")));
  ASSERT_EQ(sections.size(), 1U);
  const std::string text = table_text(sections.front());
  std::size_t remarks = 0;
  for (std::size_t at = text.find("published: "); at != std::string::npos;
       at = text.find("published: ", at + 1))
    ++remarks;
  EXPECT_EQ(remarks, 15U + 1U);  // and the note that says why
  EXPECT_THAT(text, HasSubstr("the document divides by HPL per process as it prints it"));
}

TEST(published_table, holds_what_is_read_off_its_curves) {
  BalanceOptions options;
  options.at_flop_s = {1e12};
  const auto sections = published_tables(judge({}, of_kind("hpcc"), options));
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections[1].id, "interpolated");
  EXPECT_FALSE(sections[1].table.rows.empty());
}

TEST(quoted_values, of_no_system_are_listed) {
  const auto data = read_systems(systems_data());
  const std::string text = table_text(quotes_table(data, {}));
  EXPECT_THAT(text, HasSubstr("004-Q-04"));
  EXPECT_THAT(text, HasSubstr("balance interpolated at 3 Tflop/s, Cray XT3"));
  EXPECT_EQ(quotes_table(data, {}).table.rows.size(), 27U);
  EXPECT_EQ(quotes_table(data, {.kind = "all", .text = "3 tflop/s"}).table.rows.size(), 4U);
  EXPECT_EQ(quotes_table(data, {.kind = "ftio", .text = ""}).table.rows.size(), 4U);
  EXPECT_THAT(systems_table(data, {}).notes.front(), HasSubstr("--quotes"));
}

TEST(quoted_values, of_curves_are_marks_of_the_figure) {
  const auto all = quoted_balances(read_systems(systems_data()));
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1].system, "SGI Altix 700 Bx2");
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].at_tflop_s, 3);
    EXPECT_EQ(all[i].byte_kflop, (std::array<double, 4>{30, 40, 62, 67}[i]));
  }
  const auto figures_of = figures(judge({own()}, of_kind("hpcc")));
  EXPECT_NE(std::ranges::find(figures_of, "B2b_quoted", &analysis::Section::id), figures_of.end());
  const auto without = figures(judge({own()}, {}));
  EXPECT_EQ(std::ranges::find(without, "B2b_quoted", &analysis::Section::id), without.end());
}

}  // namespace
}  // namespace steelyard::balance
