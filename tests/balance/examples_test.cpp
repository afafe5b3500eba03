// SPDX-License-Identifier: Apache-2.0
// The worked cases of balance_examples.json.
#include <gtest/gtest.h>

#include <fstream>

#include "analysis/balance/balance.hpp"
#include "analysis/balance/economy.hpp"
#include "analysis/balance/measured.hpp"
#include "analysis/balance/references.hpp"
#include "analysis/balance/system.hpp"
#include "analysis/balance/verdict.hpp"
#include "record/json.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

using record::Json;
using enum Quantity;

using prefix::giga, prefix::mega, prefix::micro, prefix::tera;

const std::vector<Json>& cases() {
  static const std::vector<Json> all = [] {
    std::ifstream in(BALANCE_EXAMPLES);
    return Json::parse(in).at("cases").get<std::vector<Json>>();
  }();
  return all;
}

std::vector<Json> of_kind(const std::string& kind) {
  std::vector<Json> some;
  for (const Json& one : cases())
    if (one.at("kind") == kind) some.push_back(one);
  EXPECT_FALSE(some.empty()) << kind;
  return some;
}

void expect_number(std::optional<double> found, const Json& expected, const std::string& where) {
  ASSERT_EQ(found.has_value(), !expected.is_null()) << where;
  if (!found) return;
  EXPECT_NEAR(*found / expected.get<double>(), 1, 1e-9) << where;
}

double at(const Json& object, const char* name) {
  return object.at(name).get<double>();
}

std::optional<double> ratio(const char* id, const Inputs& inputs) {
  return evaluate(*ratio_named(id), inputs).value;
}

record::Members members(const Json& object) {
  record::Members list;
  for (const auto& [name, value] : object.items()) list.emplace_back(name, value.get<double>());
  return list;
}

System of_summary(const std::string& name, const Json& summary) {
  System system;
  system.name = name;
  take_hpcc_summary(system, members(summary));
  return system;
}

Inputs of_row(const Json& row) {
  Inputs inputs;
  inputs.set(processes, at(row, "mpi_processes"));
  inputs.set(random_ring_byte_s, at(row, "random_ring_bandwidth_gbyte_s") * giga);
  inputs.set(pingpong_min_byte_s, at(row, "pingpong_bandwidth_gbyte_s") * giga);
  inputs.set(random_ring_latency_s, at(row, "random_ring_latency_us") * micro);
  inputs.set(pingpong_max_latency_s, at(row, "pingpong_latency_us") * micro);
  inputs.set(hpl_flop_s, at(row, "hpl_gflop_s") * giga);
  return inputs;
}

TEST(examples, rows_of_the_published_table) {
  for (const Json& one : of_kind("balance_row")) {
    const std::string id = text_in(one, "id");
    const Inputs inputs = of_row(one["input"]);
    const Json& expected = one["expected"];
    const auto balance = ratio("network_balance_byte_kflop", inputs);
    expect_number(balance, expected["network_balance_byte_kflop"], id);
    expect_number(ratio("random_over_pingpong_bandwidth", inputs),
                  expected["random_ring_over_pingpong_bandwidth"], id);
    expect_number(ratio("pingpong_over_random_ring_latency", inputs),
                  expected["pingpong_over_random_ring_latency"], id);
    EXPECT_GE(*balance, one["rounding_interval_byte_kflop"][0].get<double>() * (1 - 1e-4)) << id;
    EXPECT_LE(*balance, one["rounding_interval_byte_kflop"][1].get<double>() * (1 + 1e-4)) << id;
  }
}

std::vector<CurvePoint> curve_of(const Json& input) {
  std::vector<CurvePoint> points;
  if (input.contains("points_tflop_s_byte_kflop")) {
    for (const Json& point : input["points_tflop_s_byte_kflop"])
      points.push_back({point[0].get<double>(), point[1].get<double>()});
    return points;
  }
  const auto references = reference_systems(read_systems(systems_data()), "hpcc");
  for (const Curve& curve : curves(references))
    if (curve.label == input["curve"])
      for (const CurvePoint& point : ratio_points(curve, *ratio_named("network_balance_byte_kflop")))
        points.push_back({point.x / tera, point.y});
  return points;
}

TEST(examples, interpolation) {
  for (const Json& one : of_kind("interpolation")) {
    const Json& input = one["input"];
    const auto method = input["method"] == "linear" ? Method::linear : Method::loglog;
    const auto found = interpolate(curve_of(input), at(input, "at_tflop_s"), method);
    expect_number(found.value, one["expected"]["network_balance_byte_kflop"], text_in(one, "id"));
    EXPECT_EQ(text(found.reach), one["expected"]["status"].get<std::string>()) << one["id"];
  }
}

TEST(examples, scaling_exponent) {
  for (const Json& one : of_kind("scaling_exponent")) {
    std::vector<CurvePoint> points;
    for (const Json& point : one["input"]["points_tflop_s_gbyte_s"])
      points.push_back({point[0].get<double>(), point[1].get<double>()});
    expect_number(scaling_exponent(points), one["expected"]["exponent"], text_in(one, "id"));
  }
}

TEST(examples, memory_time) {
  for (const Json& one : of_kind("memory_time")) {
    Inputs inputs;
    inputs.set(memory_byte,
               at(one["input"], "processes") * at(one["input"], "memory_per_process_mbyte") * 1048576);
    inputs.set(b_eff_byte_s, at(one["input"], "b_eff_mbyte_s") * mega);
    const auto found = memory_communication(inputs);
    expect_number(found->time_s, one["expected"]["memory_communication_time_s"], text_in(one, "id"));
    expect_number(found->time_same_mb_s, one["expected"]["memory_communication_time_same_mb_s"],
                  text_in(one, "id"));
    expect_number(ratio("memory_communication_time_s", inputs),
                  one["expected"]["memory_communication_time_s"], text_in(one, "id"));
  }
}

TEST(examples, coffee_cup) {
  for (const Json& one : of_kind("coffee_cup")) {
    const auto cup = coffee_cup(at(one["input"], "memory_byte"), at(one["input"], "b_eff_io_byte_s"));
    const Json& expected = one["expected"];
    expect_number(cup.required_io_byte_s, expected["required_io_byte_s"], text_in(one, "id"));
    expect_number(cup.total_memory_time_s, expected["total_memory_time_s"], text_in(one, "id"));
    expect_number(cup.half_memory_time_s, expected["half_memory_time_s"], text_in(one, "id"));
    expect_number(cup.factor, expected["cup_factor"], text_in(one, "id"));
    EXPECT_EQ(cup.passes(), expected["passes"].get<bool>());
  }
}

TEST(examples, inter_node_bandwidth) {
  for (const Json& one : of_kind("inter_node"))
    for (const auto& [name, method] :
         {std::pair("expected", IntraNode::expected), std::pair("seed", IntraNode::seed)}) {
      const Json &input = one["input"], &expected = one["expected"][name];
      System system;
      set_layout(system, input["processes_per_node"].get<std::vector<int>>());
      double all = 0;
      for (const int m : system.processes_per_node) all += m;
      system.inputs.set(processes, all);
      system.inputs.set(random_ring_byte_s, at(input, "random_ring_bandwidth_gbyte_s") * giga);
      system.inputs.set(hpl_flop_s, at(input, "hpl_gflop_s") * giga);
      system.inputs.set(inter_node_share, 1 - *intra_node_fraction(system.processes_per_node, method));
      const auto found = inter_node(system);
      expect_number(found->intra_fraction, expected["intra_fraction"], text_in(one, "id"));
      expect_number(found->per_process_byte_s / giga, expected["inter_per_process_gbyte_s"],
                    text_in(one, "id"));
      expect_number(found->per_node_byte_s / giga, expected["inter_per_node_gbyte_s"], text_in(one, "id"));
      expect_number(ratio("inter_node_balance_byte_kflop", system.inputs),
                    expected["inter_node_balance_byte_kflop"], text_in(one, "id"));
    }
}

TEST(examples, ratios_of_a_summary) {
  for (const Json& one : of_kind("ratios")) {
    const System system = of_summary("two", one["input"]["hpcc_summary"]);
    for (const auto& [id, expected] : one["expected"].items()) {
      ASSERT_NE(ratio_named(id), nullptr) << id;
      expect_number(evaluate(*ratio_named(id), system.inputs).value, expected, id);
    }
  }
}

TEST(examples, normalised_columns) {
  for (const Json& one : of_kind("normalised_columns")) {
    std::vector<System> systems;
    for (const auto& [name, summary] : one["input"]["hpcc_summaries"].items())
      systems.push_back(of_summary(name, summary));
    const auto columns = normalised_columns(systems, Normalise::hpl);
    ASSERT_EQ(columns.size(), one["expected"]["column_best"].size());
    for (const auto& column : columns) {
      expect_number(*column.values[*column.best], one["expected"]["column_best"].at(column.key), column.key);
      for (std::size_t i = 0; i < systems.size(); ++i) {
        const std::string& name = systems[i].name;
        expect_number(column.values[i], one["expected"]["values"][name].at(column.key),
                      name + ' ' + column.key);
        expect_number(column.relative[i], one["expected"]["normalised"][name].at(column.key),
                      name + ' ' + column.key);
      }
    }
  }
}

System of_verdict(const Json& input) {
  System system;
  system.inputs.set(nodes, at(input, "nodes"));
  system.inputs.set(processes, at(input, "processes"));
  system.inputs.set(dgemm_star_flop_s, at(input, "star_dgemm_gflop_s") * giga);
  system.inputs.set(stream_star_triad_byte_s, at(input, "star_stream_triad_gbyte_s") * giga);
  system.inputs.set(random_ring_byte_s, at(input, "random_ring_bandwidth_gbyte_s") * giga);
  system.inputs.set(random_ring_latency_s, at(input, "random_ring_latency_us") * micro);
  system.inputs.set(memory_byte, at(input, "memory_byte"));
  if (input.contains("io_byte_s")) system.inputs.set(b_eff_io_byte_s, at(input, "io_byte_s"));
  return system;
}

TEST(examples, verdicts) {
  for (const Json& one : of_kind("verdict")) {
    const auto found = verdict(of_verdict(one["input"]));
    const Json& expected = one["expected"];
    for (const auto& [name, demands] : found.demands) {
      expect_number(demands.memory_byte_flop, expected["demands"][name]["memory_byte_flop"], name);
      expect_number(demands.network_byte_flop, expected["demands"][name]["network_byte_flop"], name);
      expect_number(demands.message_flop, expected["demands"][name]["message_flop"], name);
    }
    for (const auto& [name, shares] : found.shares) {
      ASSERT_EQ(shares.size(), expected["shares"][name].size()) << name;
      for (const auto& [resource, share] : shares)
        expect_number(share, expected["shares"][name].at(std::string(key(resource))), name);
    }
    std::vector<std::string> order, resources;
    for (const Resource r : found.order) order.emplace_back(key(r));
    for (const Resource r : found.resources) resources.emplace_back(key(r));
    for (const auto& [resource, gain] : found.gain_of_doubling)
      expect_number(gain, expected["gain_of_doubling"].at(std::string(key(resource))), text_in(one, "id"));
    EXPECT_EQ(order, expected["order"].get<std::vector<std::string>>());
    EXPECT_EQ(resources, expected["resources"].get<std::vector<std::string>>());
    EXPECT_EQ(text(*found.kind), expected["class"].get<std::string>());
  }
}

TEST(examples, energy) {
  for (const Json& one : of_kind("energy")) {
    System system;
    system.inputs.set(hpl_flop_s, at(one["input"], "hpl_gflop_s") * giga);
    system.inputs.set(mean_power_w, at(one["input"], "mean_power_w"));
    const auto found = energy(system);
    expect_number(found->gflop_s_per_w, one["expected"]["gflop_s_per_w"], text_in(one, "id"));
    expect_number(found->pj_per_flop, one["expected"]["pj_per_flop"], text_in(one, "id"));
  }
}

TEST(examples, cost) {
  for (const Json& one : of_kind("cost")) {
    const Json& input = one["input"];
    const Price price{at(input, "purchase"),
                      text_in(input, "currency"),
                      at(input, "years"),
                      at(input, "mean_power_kw"),
                      at(input, "energy_price_per_kwh"),
                      at(input, "pue"),
                      0};
    System system;  // accumulated values, as of one process
    Inputs& inputs = system.inputs;
    inputs.set(processes, 1);
    inputs.set(hpl_flop_s, at(input, "hpl_gflop_s") * giga);
    inputs.set(stream_star_triad_byte_s, at(input, "stream_triad_gbyte_s") * giga);
    inputs.set(random_ring_byte_s, at(input, "random_ring_accumulated_gbyte_s") * giga);
    inputs.set(b_eff_io_byte_s, at(input, "b_eff_io_gbyte_s") * giga);
    expect_number(total_cost(price), one["expected"]["total_cost"], text_in(one, "id"));
    for (const UnitCost& cost : unit_costs(price, system))
      if (one["expected"].contains(std::string(cost.key)))
        expect_number(cost.cost, one["expected"][std::string(cost.key)], std::string(cost.key));
  }
}

}  // namespace
}  // namespace steelyard::balance
