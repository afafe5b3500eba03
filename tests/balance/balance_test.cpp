// SPDX-License-Identifier: Apache-2.0
// The whole analysis: flags, missing inputs, ranks, invariances, forms.
#include "analysis/balance/balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analysis/balance/sentences.hpp"
#include "formats/tables/tables.hpp"
#include "record/json.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

using record::Json;
using enum Quantity;

using prefix::giga;

/// A cluster with everything measured.
System cluster(int nodes = 16) {
  System system;
  system.name = system.curve = "cluster";
  set_layout(system, std::vector<int>(static_cast<std::size_t>(nodes), 4));
  const std::pair<Quantity, double> all[] = {{processes, 4.0 * nodes},
                                             {threads_per_process, 1},
                                             {hpl_flop_s, 2000 * giga},
                                             {dgemm_star_flop_s, 40 * giga},
                                             {stream_star_copy_byte_s, 3.4e9},
                                             {stream_star_triad_byte_s, 3.6e9},
                                             {stream_single_triad_byte_s, 9e9},
                                             {ptrans_byte_s, 20e9},
                                             {fft_global_flop_s, 50e9},
                                             {random_access_global_update_s, 1e9},
                                             {random_access_star_update_s, 3e7},
                                             {random_ring_byte_s, 0.3e9},
                                             {random_ring_latency_s, 4e-6},
                                             {natural_ring_byte_s, 0.9e9},
                                             {natural_ring_latency_s, 2e-6},
                                             {pingpong_min_byte_s, 1e9},
                                             {pingpong_max_latency_s, 3e-6},
                                             {b_eff_byte_s, 8e9},
                                             {b_eff_lmax_byte_s, 20e9},
                                             {b_eff_io_byte_s, 1e9},
                                             {b_eff_io_write_byte_s, 0.8e9},
                                             {memory_byte, 1e12},
                                             {inter_node_share, 0.9},
                                             {ftio_io_fraction, 0.5}};
  for (const auto& [quantity, value] : all) system.inputs.set(quantity, value);
  return system;
}

std::vector<System> published() {
  return reference_systems(read_systems(systems_data()), "hpcc");
}

std::optional<double> value(const Balance& balance, std::string_view id) {
  for (const RatioRow& row : balance.systems[0].ratios)
    if (row.ratio->id == id) return row.value.value.value;
  return std::nullopt;
}

const RatioRow& row(const Balance& balance, std::string_view id) {
  return *std::ranges::find(balance.systems[0].ratios, id, [](const RatioRow& r) { return r.ratio->id; });
}

bool flagged(const System& system, Flag flag) {
  return has(flags(system), flag);
}

TEST(ratio_table, every_ratio_of_a_full_system_has_a_value) {
  System system = cluster();
  for (const Quantity q : {peak_measured_flop_s, peak_memory_byte_s, mean_power_w, hpcg_flop_s})
    system.inputs.set(q, 1e13);
  for (const Ratio& ratio : ratios()) EXPECT_TRUE(evaluate(ratio, system.inputs).value) << ratio.id;
}

TEST(ratio_table, time_to_write_is_that_of_the_writes_and_not_of_the_mean_with_reads) {
  const Balance balance = judge({cluster()}, {});
  EXPECT_DOUBLE_EQ(*value(balance, "half_memory_time_s"), 1e12 / 1e9 / 2);
  EXPECT_EQ(row(balance, "half_memory_time_s").ratio->title, "half of the memory at b_eff_io");
  EXPECT_DOUBLE_EQ(*value(balance, "half_memory_write_time_s"), 1e12 / 0.8e9 / 2);
  EXPECT_EQ(row(balance, "half_memory_write_time_s").ratio->title, "time to write half of the memory");
  std::string told;
  for (const std::string& line : conclusions(balance.systems[0])) told += line + '\n';
  EXPECT_NE(told.find("GiB) takes 8.33 min at b_eff_io; the rule allows 5."), std::string::npos) << told;
  EXPECT_NE(told.find("GiB) is written in 10.4 min at the rate of its initial writes;"), std::string::npos)
      << told;
}

TEST(ratio_table, a_missing_input_takes_only_the_ratios_that_name_it) {
  const Balance full = judge({cluster()}, published());
  for (const QuantityInfo& quantity : quantities()) {
    System less = cluster();
    less.inputs.erase(quantity.quantity);
    const Balance without = judge({less}, published());
    for (const RatioRow& before : full.systems[0].ratios) {
      const auto& used = before.value.value.used;
      const bool names = std::ranges::find(used, quantity.quantity) != used.end();
      const auto after = value(without, before.ratio->id);
      if (!names)
        EXPECT_EQ(after, before.value.value.value) << before.ratio->id << ' ' << quantity.name;
      else if (quantity.quantity != processes)
        EXPECT_EQ(after, std::nullopt) << before.ratio->id << ' ' << quantity.name;
    }
  }
}

TEST(ratio_table, rates_and_latencies_of_a_faster_machine_cancel) {
  constexpr double faster = 7.5;
  const System plain = cluster();
  System other = plain;
  for (const auto& [quantity, held] : plain.inputs.values()) {
    const std::string_view name = info(quantity).name;
    const bool io = name.find("_io") != std::string_view::npos;
    if (!io && (name.ends_with("_byte_s") || name.ends_with("_flop_s") || name.ends_with("_update_s")))
      other.inputs.set(quantity, held * faster);
    if (name.ends_with("latency_s")) other.inputs.set(quantity, held / faster);
  }
  other.inputs.erase(b_eff_io_byte_s);
  System base = cluster();
  base.inputs.erase(b_eff_io_byte_s);
  for (const char* id :
       {"network_balance_byte_kflop", "memory_balance_copy_byte_flop", "fft_ratio", "ptrans_byte_kflop",
        "random_access_update_mflop", "natural_ring_byte_kflop", "hpl_over_dgemm",
        "random_over_pingpong_bandwidth", "pingpong_over_random_ring_latency", "flop_per_latency_kflop"})
    EXPECT_NEAR(
        *evaluate(*ratio_named(id), other.inputs).value / *evaluate(*ratio_named(id), base.inputs).value, 1,
        1e-12)
        << id;
  const Verdict a = verdict(base), b = verdict(other);
  EXPECT_EQ(a.text, b.text);
  for (std::size_t i = 0; i < a.shares.size(); ++i)
    for (const auto& [resource, share] : a.shares[i].second)
      EXPECT_NEAR(b.shares[i].second.at(resource), share, 1e-12);
}

TEST(ratio_table, order_of_systems_and_rows_changes_nothing) {
  auto backwards = published();
  std::ranges::reverse(backwards);
  const Balance a = judge({cluster()}, published()), b = judge({cluster()}, backwards);
  for (std::size_t i = 0; i < a.systems[0].ratios.size(); ++i) {
    const Standing &x = a.systems[0].ratios[i].standing, &y = b.systems[0].ratios[i].standing;
    EXPECT_EQ(std::tie(x.rank, x.median, x.factor), std::tie(y.rank, y.median, y.factor));
  }
}

TEST(ratio_table, solver_on_a_part_of_the_processes_is_scaled_and_flagged) {
  System system = cluster();
  system.inputs.set(hpl_processes, 32);
  EXPECT_DOUBLE_EQ(*evaluate(*ratio_named("fft_ratio"), system.inputs).value, 50e9 / (2000 * giga * 64 / 32));
  EXPECT_TRUE(flagged(system, Flag::hpl_grid));
}

TEST(flag_rules, nodes) {
  EXPECT_TRUE(flagged(cluster(1), Flag::one_node));
  EXPECT_TRUE(flagged(cluster(2), Flag::few_nodes));
  EXPECT_TRUE(flagged(cluster(7), Flag::few_nodes));
  EXPECT_FALSE(flagged(cluster(8), Flag::few_nodes));
  System unknown = cluster();
  unknown.inputs.erase(nodes);
  EXPECT_TRUE(flagged(unknown, Flag::nodes_unknown));
  EXPECT_FALSE(flagged(cluster(), Flag::nodes_unknown));
}

TEST(flag_rules, cache_cores_memory_and_solver) {
  System system = cluster();
  system.doubts.stream_elements = 1e6;
  system.doubts.node_cache_byte = 8e6 - 1;
  EXPECT_FALSE(flagged(system, Flag::cache));
  system.doubts.node_cache_byte = 8e6 + 1;
  EXPECT_TRUE(flagged(system, Flag::cache));
  system.doubts.cores = 64;
  EXPECT_FALSE(flagged(system, Flag::oversubscribed));
  system.doubts.cores = 63;
  EXPECT_TRUE(flagged(system, Flag::oversubscribed));
  EXPECT_FALSE(flagged(system, Flag::weak_hpl));
  system.doubts.hpl_order = 190000;  // 0.289 of the memory
  EXPECT_TRUE(flagged(system, Flag::weak_hpl));
  system.doubts.hpl_order = 194000;  // 0.301
  EXPECT_FALSE(flagged(system, Flag::weak_hpl));
  system.inputs.set(hpl_flop_s, 0.49 * 64 * 40 * giga);
  EXPECT_TRUE(flagged(system, Flag::weak_hpl));
}

TEST(flag_rules, lonely_process_of_a_wide_node_may_not_saturate) {
  System system = cluster();
  set_layout(system, std::vector<int>(64, 1));
  system.doubts.cores = 64 * 8;
  EXPECT_TRUE(flagged(system, Flag::unsaturated));
  system.inputs.set(threads_per_process, 8);
  EXPECT_FALSE(flagged(system, Flag::unsaturated));
  system.doubts.saturation_gain = 1.2;
  EXPECT_TRUE(flagged(system, Flag::unsaturated));
}

TEST(effects, one_node_has_no_network_in_verdict_ranks_and_columns) {
  System one = cluster(1);
  const Balance balance = judge({one}, published());
  EXPECT_TRUE(row(balance, "network_balance_byte_kflop").value.value.value);
  EXPECT_FALSE(row(balance, "network_balance_byte_kflop").standing.rank);
  EXPECT_FALSE(balance.systems[0].verdict.gain_of_doubling.contains(Resource::network));
  for (const std::string& line : balance.systems[0].verdict.text)
    EXPECT_EQ(line.find("network"), std::string::npos) << line;
  const System pair[] = {one, cluster(16)};
  const auto columns = normalised_columns(pair, Normalise::hpl);
  const auto ring = std::ranges::find(columns, "random_ring_ratio_byte_flop", &NormalisedColumn::key);
  EXPECT_FALSE(ring->values[0]);
  EXPECT_TRUE(ring->only_value);
}

TEST(effects, failed_value_is_shown_and_used_for_nothing) {
  System system = cluster();
  system.doubts.failed = {stream_star_triad_byte_s};
  const Balance balance = judge({system}, {});
  EXPECT_TRUE(row(balance, "memory_balance_triad_byte_flop").value.value.value);
  EXPECT_TRUE(parenthesised(row(balance, "memory_balance_triad_byte_flop").value.flags));
  EXPECT_FALSE(balance.systems[0].verdict.gain_of_doubling.contains(Resource::memory));
  EXPECT_TRUE(balance.systems[0].doubtful());
}

TEST(effects, files_in_memory_set_no_scale_of_a_column) {
  System cached = cluster();
  cached.inputs.set(b_eff_io_byte_s, 400 * giga);
  cached.doubts.cached[b_eff_io_byte_s] = "small files";
  const System pair[] = {cached, cluster()};
  const auto columns = normalised_columns(pair, Normalise::hpl);
  for (const std::string_view key : {"io_ratio_byte_flop", "cup_factor"}) {
    const auto column = std::ranges::find(columns, key, &NormalisedColumn::key);
    ASSERT_NE(column, columns.end()) << key;
    EXPECT_FALSE(column->values[0]) << key;
    EXPECT_EQ(column->relative[1], 1) << key;
  }
}

TEST(effects, wrong_values_and_files_in_memory_have_no_price) {
  const Price price{.purchase = 1e6, .currency = "EUR"};
  const auto has_price = [&](const System& system, std::string_view key) {
    return std::ranges::count(unit_costs(price, system), key, &UnitCost::key) == 1;
  };
  System system = cluster();
  EXPECT_TRUE(has_price(system, "cost_per_io_gbyte_s"));
  EXPECT_TRUE(has_price(system, "cost_per_memory_gbyte_s"));
  system.doubts.cached[b_eff_io_byte_s] = "small files";
  system.doubts.failed = {stream_star_triad_byte_s};
  EXPECT_FALSE(has_price(system, "cost_per_io_gbyte_s"));
  EXPECT_FALSE(has_price(system, "cost_per_memory_gbyte_s"));
  EXPECT_TRUE(has_price(system, "cost_per_gflop_s"));
}

TEST(effects, oversubscribed_machine_gets_no_verdict) {
  System system = cluster();
  system.doubts.oversubscribed = true;
  const Verdict found = verdict(system);
  EXPECT_FALSE(found.kind);
  EXPECT_TRUE(found.text[0].starts_with("No verdict: ")) << found.text[0];
}

TEST(effects, no_verdict_from_one_resource_or_without_memory) {
  System lonely;
  lonely.inputs.set(processes, 1);
  lonely.inputs.set(dgemm_star_flop_s, giga);
  lonely.inputs.set(memory_byte, giga);
  EXPECT_FALSE(verdict(lonely).kind);
  System sizeless = cluster();
  sizeless.inputs.erase(memory_byte);
  EXPECT_FALSE(verdict(sizeless).kind);
}

TEST(verdict_classes, equal_gains_and_pairs_are_named) {
  System system = cluster();
  system.inputs.erase(b_eff_io_byte_s);
  system.inputs.erase(random_ring_byte_s);
  system.inputs.erase(random_ring_latency_s);
  const Profile even{"even", Demands{1, 0, 0}};
  system.inputs.set(stream_star_triad_byte_s, 40 * giga);  // 1 byte/flop asked, 1 byte/flop there
  const Verdict two_equal = verdict(system, {.profiles = {even}, .checkpoint_interval_s = 3600});
  EXPECT_EQ(two_equal.kind, VerdictClass::balanced);
  EXPECT_NEAR(two_equal.gain_of_doubling.at(Resource::memory), 1 / 0.75, 1e-12);
  system.inputs.set(stream_star_triad_byte_s, 4 * giga);
  const Verdict slow = verdict(system, {.profiles = {even}, .checkpoint_interval_s = 3600});
  EXPECT_EQ(slow.kind, VerdictClass::single);
  EXPECT_EQ(slow.text[0],
            "Memory bandwidth holds this machine back: twice the memory bandwidth would make even work 1.83 "
            "times as fast on average, twice the processor speed only 1.05 times.");
}

TEST(published_rows, print_the_balance_of_the_table_within_its_rounding) {
  const auto data = read_systems(systems_data());
  const auto all = reference_systems(data, "hpcc");
  ASSERT_GE(all.size(), 24U);
  std::size_t checked = 0;
  for (const Json& record : data.json()["records"]) {
    if (record["kind"] != "hpcc") continue;
    const auto found = std::ranges::find(all, record["id"].get<std::string>(), &System::source);
    ASSERT_NE(found, all.end());
    const double printed = record["values"]["balance_byte_kflop"].get<double>();
    EXPECT_NEAR(*evaluate(*ratio_named("network_balance_byte_kflop"), found->inputs).value / printed, 1,
                0.025)
        << found->source;
    ++checked;
  }
  EXPECT_EQ(checked, 24U);
}

TEST(published_rows, share_of_the_seed_between_nodes) {
  const auto all = published();
  const auto found = std::ranges::find(all, "004-T1-16", &System::source);
  System system = *found;
  system.inputs.set(inter_node_share, 1 - *intra_node_fraction(system.processes_per_node, IntraNode::seed));
  EXPECT_NEAR(inter_node(system)->per_process_byte_s / giga, 0.504, 0.0005);
  EXPECT_NEAR(inter_node(system)->per_node_byte_s / giga, 4.032, 0.0005);
  EXPECT_NEAR(*evaluate(*ratio_named("inter_node_balance_byte_kflop"), system.inputs).value, 60.2, 0.05);
}

TEST(published_rows, counted_connections_of_a_ring) {
  const std::vector<std::vector<int>> rings = {{0, 1, 2, 3}, {0, 2, 1, 3}};
  const std::vector<int> node = {0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(intra_node_fraction(rings, node), 2.0 / 8);
}

TEST(standings, rank_median_and_factor) {
  const Ratio& ratio = *ratio_named("network_balance_byte_kflop");
  std::vector<System> references;
  for (const double bandwidth : {0.1e9, 0.2e9, 0.4e9}) {
    references.push_back(cluster());
    references.back().curve = std::to_string(bandwidth);
    references.back().inputs.set(random_ring_byte_s, bandwidth);
  }
  const Balance balance = judge({cluster()}, references);
  const Standing& found = row(balance, ratio.id).standing;
  EXPECT_EQ(found.reference_n, 3);
  EXPECT_EQ(found.rank, 2);
  EXPECT_NEAR(*found.factor, 1.5, 1e-12);
  references.pop_back();
  EXPECT_FALSE(row(judge({cluster()}, references), ratio.id).standing.rank);
}

TEST(standings, fewer_seconds_are_better) {
  std::vector<System> references;
  for (const double rate : {4e9, 8e9, 16e9}) {
    references.push_back(cluster());
    references.back().curve = std::to_string(rate);
    references.back().inputs.set(b_eff_byte_s, rate);
  }
  System fast = cluster();
  fast.inputs.set(b_eff_byte_s, 32e9);
  const Balance balance = judge({fast}, references);
  const Standing& found = row(balance, "memory_communication_time_s").standing;
  EXPECT_EQ(found.rank, 1);
  EXPECT_NEAR(*found.factor, 4, 1e-12);
}

TEST(standings, sentence_tells_a_value_above_the_median_as_more_times_it) {
  std::vector<System> references;
  for (const int i : {0, 1, 2}) {
    references.push_back(cluster());
    references.back().curve = std::to_string(i);
  }
  System slow = cluster();
  slow.inputs.set(memory_byte, 1e12 * 2057 / 2);
  slow.inputs.set(b_eff_byte_s, 8e9 / 2);
  const Balance balance = judge({slow}, references);
  EXPECT_NEAR(*row(balance, "memory_communication_time_s").standing.factor, 1 / 2057.0, 1e-9);
  const auto lines = conclusions(balance.systems[0]);
  const auto weakest =
      std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("Weakest"); });
  ASSERT_NE(weakest, lines.end());
  EXPECT_NE(weakest->find(", 2057 times the median."), std::string::npos) << *weakest;
}

TEST(standings, overlapping_intervals_share_a_rank) {
  std::vector<System> references;
  for (const int i : {0, 1, 2}) {
    references.push_back(cluster());
    references.back().curve = std::to_string(i);
    references.back().inputs.set(random_ring_byte_s, 0.31e9);
  }
  System own = cluster();
  EXPECT_EQ(row(judge({own}, references), "network_balance_byte_kflop").standing.rank, 4);
  own.inputs.set_half_width(random_ring_byte_s, 0.05);
  EXPECT_EQ(row(judge({own}, references), "network_balance_byte_kflop").standing.rank, 1);
}

void expect_finite(const Json& json) {
  if (json.is_number()) EXPECT_TRUE(std::isfinite(json.get<double>()));
  if (json.is_structured())
    for (const Json& one : json) expect_finite(one);
}

TEST(documents, read_back_they_give_the_same_ratios_and_flags) {
  System odd = cluster(3);
  odd.doubts.failed = {ptrans_byte_s};
  odd.doubts.unverified = {fft_global_flop_s};
  odd.doubts.withheld = {{b_eff_byte_s, {1e9, "2 processes", "noisy"}}};
  odd.doubts.hpl_order = 1000;
  odd.inputs.set_half_width(stream_star_copy_byte_s, 0.01);
  odd.inputs.set_half_width(random_ring_byte_s, 0.06);
  odd.inputs.set_interval(random_ring_byte_s, {-0.02, 0.1});
  const Balance first = judge({odd}, published());
  const Json written = Json::parse(document(first, {}).json().dump());
  const auto again = systems_of(written);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].doubts.unverified, odd.doubts.unverified);
  EXPECT_EQ(again[0].doubts.withheld.at(b_eff_byte_s).doubts, "noisy");
  const Balance second = judge(again, published());
  EXPECT_EQ(document(first, {}).json().dump(), document(second, {}).json().dump());
  EXPECT_THROW(static_cast<void>(systems_of(Json{{"format", "steelyard.balance"}, {"format_version", 2}})),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(systems_of(Json{{"format", "other"}})), std::invalid_argument);
}

TEST(documents, tell_both_ends_of_intervals) {
  System own = cluster(3);
  own.inputs.set_half_width(random_ring_byte_s, 0.06);
  own.inputs.set_interval(random_ring_byte_s, {-0.02, 0.1});
  own.inputs.set_half_width(hpl_flop_s, 0.15);
  own.inputs.set_interval(hpl_flop_s, {-0.2, 0.1});
  const Json written = Json::parse(document(judge({own}, {}), {}).json().dump()).at("systems").at(0);
  EXPECT_EQ(written.at("relative_half_widths").at("random_ring_byte_s"), 0.06);
  EXPECT_EQ(written.at("relative_intervals").at("random_ring_byte_s"), Json({-0.02, 0.1}));
  const Json& ratio = written.at("ratios").at("network_balance_byte_kflop");
  EXPECT_TRUE(ratio.contains("relative_half_width"));
  // The lower end of HPL, which divides, makes the upper one: 1 / 0.8 - 1.
  EXPECT_NEAR(ratio.at("relative_interval").at(0).get<double>(), -std::hypot(0.02, 1 - 1 / 1.1), 1e-9);
  EXPECT_NEAR(ratio.at("relative_interval").at(1).get<double>(), std::hypot(0.1, 0.25), 1e-9);
}

/// Why a document is refused whose member is the given value; null: without the member.
std::string refusal(const std::vector<std::string>& path, const Json& value) {
  Json system{{"layout", {{"processes_per_node", {2}}}}, {"inputs", {{"processes", 2}}}};
  Json* at = &system;
  for (const std::string& name : path) at = &(*at)[name];
  *at = value;
  try {
    static_cast<void>(systems_of(Json{{"format", "steelyard.balance"}, {"systems", {system}}}));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(documents, a_member_of_another_kind_is_named) {
  const Json value{{"value", 1e9}};
  EXPECT_EQ(refusal({"facts", "withheld", "hpl_flop_s"}, {{"value", 1e9}, {"why", "small"}}), "none");
  EXPECT_EQ(refusal({"facts", "withheld", "hpl_flop_s"}, value),
            "balance: systems[0].facts.withheld.hpl_flop_s.why: missing");
  EXPECT_EQ(refusal({"facts", "withheld"}, Json::array()),
            "balance: systems[0].facts.withheld: not an object");
  for (const char* name :
       {"layout", "facts", "evidence", "inputs", "relative_half_widths", "relative_intervals"})
    EXPECT_EQ(refusal({name}, 1), "balance: systems[0]." + std::string(name) + ": not an object");
  EXPECT_EQ(refusal({"evidence", "blas"}, "x"), "balance: systems[0].evidence.blas: not an object");
  EXPECT_EQ(refusal({"evidence", "arithmetic"}, 1), "balance: systems[0].evidence.arithmetic: not an object");
  EXPECT_EQ(refusal({"facts", "optimised"}, 1), "balance: systems[0].facts.optimised: not true or false");
  EXPECT_EQ(refusal({"facts", "failed"}, Json::object()), "balance: systems[0].facts.failed: not a list");
  EXPECT_EQ(refusal({"inputs", "hpl_flop_s"}, "x"), "balance: systems[0].inputs.hpl_flop_s: not a number");
  EXPECT_EQ(refusal({"inputs"}, {}), "balance: systems[0].inputs: missing");
  EXPECT_EQ(refusal({"name"}, 3), "balance: systems[0].name: not a text");
  EXPECT_EQ(refusal({"clock_ghz"}, "x"), "balance: systems[0].clock_ghz: not a number");
  for (const Json& count : {Json(1e300), Json(-1)})
    EXPECT_EQ(refusal({"layout", "processes_per_node"}, Json::array({count})),
              "balance: systems[0].layout.processes_per_node: holds no number of processes");
  EXPECT_EQ(refusal({"layout", "processes_per_node"}, 2),
            "balance: systems[0].layout.processes_per_node: not a list");
  const auto with = [](const char* name, const Json& member) {
    return systems_of(Json{{"format", "steelyard.balance"}, {"systems", Json::array()}, {name, member}});
  };
  for (const char* name : {"format", "format_version", "systems"})
    EXPECT_THROW(static_cast<void>(with(name, Json::object())), std::invalid_argument) << name;
  EXPECT_THROW(static_cast<void>(with("format_version", 1e300)), std::invalid_argument);
}

TEST(documents, reference_systems_of_another_kind_are_refused_as_such) {
  Json data = Json::parse(systems_data());
  EXPECT_THROW(static_cast<void>(read_systems(R"({"format":1})")), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(read_systems(R"({"format":"steelyard.systems","format_version":1e300})")),
               std::invalid_argument);
  auto& records = data["records"];
  Json& record =
      *std::find_if(records.begin(), records.end(), [](const Json& one) { return one["kind"] == "hpcc"; });
  record["config"]["processes_per_node"] = 1;
  for (const double nodes : {-1.0, 2.5, 1e300}) {
    record["config"]["nodes"] = nodes;
    EXPECT_THROW(static_cast<void>(reference_systems(data, "hpcc")), std::invalid_argument) << nodes;
  }
}

TEST(documents, date_without_digits_is_no_year) {
  Json data = Json::parse(systems_data());
  for (auto& [name, table] : data["tables"].items()) table["measured"] = "----";
  for (auto& [name, document] : data["documents"].items()) document["date"] = "0000";
  for (const auto& system : reference_systems(data, "hpcc")) EXPECT_EQ(system.year, std::nullopt);
}

TEST(documents, nothing_measured_is_no_division_by_zero) {
  System bare;
  bare.name = "bare";
  System one = cluster(1);
  one.inputs.set(processes, 1);
  set_layout(one, {1});
  for (const Quantity q : {random_ring_latency_s, natural_ring_latency_s, pingpong_max_latency_s})
    one.inputs.erase(q);
  System other = one;
  other.curve = "other";
  const Balance balance = judge({bare, one, other}, {});
  expect_finite(document(balance, {}).json());
  EXPECT_FALSE(balance.systems[0].has_ratio());
  EXPECT_FALSE(formats::tables_text(tables(balance)).empty());
}

TEST(forms, figures_of_merit_are_divided_but_latencies_are_not) {
  BalanceOptions options;
  options.per = Per::process;
  const auto figure = [](const Balance& balance, const std::string& title) {
    for (const auto& section : tables(balance))
      for (const auto& cells : section.table.rows)
        if (section.id == "figures" && std::get<std::string>(cells[0].value) == title)
          return std::get<double>(cells[2].value);
    return 0.0;
  };
  const Balance whole = judge({cluster()}, {}), each = judge({cluster()}, {}, options);
  EXPECT_DOUBLE_EQ(figure(whole, "HPL"), 2000);
  EXPECT_DOUBLE_EQ(figure(each, "HPL"), 2000.0 / 64);
  for (const Balance& balance : {whole, each}) {
    EXPECT_DOUBLE_EQ(figure(balance, "random ring latency"), 4);
    EXPECT_DOUBLE_EQ(figure(balance, "ping-pong latency, largest"), 3);
  }
}

TEST(forms, text_csv_and_json_show_the_same_numbers) {
  const Balance balance = judge({cluster(), cluster(1)}, published());
  const auto sections = tables(balance);
  const Json json = document(balance, {}).json();
  const std::string csv = formats::tables_csv(sections, "ratios"), text = formats::tables_text(sections);
  EXPECT_TRUE(csv.starts_with(
      "system,source,run_type,nodes,processes,threads,hpl_flop_s,ratio,value,unit,flags,reference_n,"
      "reference_median,rank,factor\n"));
  for (const auto& section : sections) {
    if (section.table.id != "ratios") continue;
    for (const auto& cells : section.table.rows) {
      const std::string id = std::get<std::string>(cells[8].value);
      const std::size_t which = std::get<std::int64_t>(cells[3].value) == 1 ? 1 : 0;
      const Json& held = json["systems"][which]["ratios"][id]["value"];
      if (held.is_null()) {
        EXPECT_TRUE(std::holds_alternative<std::monostate>(cells[9].value)) << id;
        continue;
      }
      EXPECT_EQ(std::get<double>(cells[9].value), held.get<double>()) << id;
      EXPECT_NE(csv.find(',' + id + ',' + held.dump() + ','), std::string::npos) << id;
      EXPECT_NE(text.find(std::get<std::string>(cells[7].value)), std::string::npos) << id;
    }
  }
}

TEST(forms, csv_that_was_read_back_is_a_reference_with_the_same_ratios) {
  System other = cluster();
  other.name = other.curve = "other, \"quoted\"";
  const Balance balance = judge({other, cluster(1)}, {});
  const auto read = systems_of_csv(formats::tables_csv(tables(balance), "ratios"));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].name, other.name);
  EXPECT_EQ(read[0].inputs.get(Quantity::hpl_flop_s), other.inputs.get(Quantity::hpl_flop_s));
  for (const RatioRow& row : balance.systems[0].ratios) {
    const auto told = read[0].told_ratios.find(std::string(row.ratio->id));
    ASSERT_EQ(told != read[0].told_ratios.end(), row.value.value.value.has_value()) << row.ratio->id;
    if (told != read[0].told_ratios.end()) EXPECT_EQ(told->second, *row.value.value.value) << row.ratio->id;
  }
  EXPECT_FALSE(read[1].told_ratios.contains("network_balance_byte_kflop"));  // of shared memory
  EXPECT_TRUE(read[1].told_ratios.contains("memory_balance_copy_byte_flop"));
}

TEST(forms, csv_that_is_none_or_is_cut_off_is_refused) {
  const std::string csv = formats::tables_csv(tables(judge({cluster()}, {})), "ratios");
  EXPECT_TRUE(is_balance_csv(csv));
  EXPECT_FALSE(is_balance_csv("name,value\n"));
  EXPECT_THROW(static_cast<void>(systems_of_csv("name,value\n")), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(systems_of_csv(csv + "a,b,c\n")), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(systems_of_csv(csv + "a,b,c,many,2,1,,x,1,,\n")), std::invalid_argument);
}

TEST(forms, wide_lines_are_wrapped_at_100_columns) {
  System system = cluster();
  const std::string text = formats::tables_text(tables(judge({system}, {})));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 100U) << text.substr(at, end - at);
    at = end + 1;
  }
}

TEST(forms, figures_have_data_and_no_empty_table) {
  const auto all = figures(judge({cluster()}, published()));
  for (const char* id :
       {"B1", "B2a", "B2b", "B3a_copy", "B4", "B7a", "B8b", "B9b", "B11", "B12", "B13", "B17"})
    EXPECT_NE(std::ranges::find(all, id, &analysis::Section::id), all.end()) << id;
  for (const auto& figure : all) EXPECT_FALSE(figure.table.rows.empty());
}

const analysis::Section* figure(const analysis::Tables& all, std::string_view id) {
  const auto found = std::ranges::find(all, id, &analysis::Section::id);
  return found == all.end() ? nullptr : &*found;
}

TEST(forms, shape_has_the_own_machine_and_five_others_at_most) {
  const auto judged = judge({cluster()}, published());
  const auto all = figures(judged);
  const auto* shape = figure(all, "B10");
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->table.rows.size(),
            (judged.columns.size() - 2) * std::min<std::size_t>(judged.compared.size(), 6));
}

TEST(forms, shares_of_io_stand_beside_the_published_ones) {
  System system = cluster();
  EXPECT_EQ(figure(figures(judge({system}, published())), "B14"), nullptr) << "nothing was measured here";
  system.ftio = {{1024, 0.25}, {4096, 0.5}};
  const auto all = figures(judge({system}, published()));
  const auto* shares = figure(all, "B14");
  ASSERT_NE(shares, nullptr);
  EXPECT_EQ(shares->table.rows.size(), 2 + published_ftio().size());
  EXPECT_GT(published_ftio().size(), 4U);
  for (const auto& one : published_ftio()) {
    EXPECT_GT(one.share.io_fraction, 0);
    EXPECT_LT(one.share.io_fraction, 1);
  }
}

TEST(forms, price_buys_what_was_measured) {
  BalanceOptions options;
  options.price = Price{.purchase = 1e6, .currency = "EUR"};
  const auto judged = judge({cluster()}, published(), options);
  const auto all = figures(judged);
  const auto* prices = figure(all, "B16");
  ASSERT_NE(prices, nullptr);
  EXPECT_EQ(prices->table.rows.size(), judged.systems[0].costs.size());
  EXPECT_EQ(figure(figures(judge({cluster()}, published())), "B16"), nullptr);
}

}  // namespace
}  // namespace steelyard::balance
