// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "suites/hpcc/test_rules.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double matrices_of_caches = 2;

/// The problem with an order that its memory holds on this grid, where a budget decides about the memory.
Problem of_memory(const Settings& settings, const Grid& grid) {
  if (!settings.memory_byte) return settings.problem;
  const auto bytes = static_cast<double>(*settings.memory_byte) * static_cast<double>(grid.processes());
  const auto order = static_cast<std::int64_t>(std::sqrt(bytes / 8));
  return {{rounded_order(order, settings.problem.blocks.front())}, settings.problem.blocks, {grid}};
}

class PtransRules final : public TestRules {
 public:
  bool takes_one_execution() const override { return false; }
  TestText text() const override {
    return {.metrics = "bandwidth_byte_s",
            .condition = "two matrices that together take at least twice the last-level cache in use",
            .statistic = "slowest of the placements"};
  }
  bool has_combinations() const override { return true; }

  std::vector<PointSpec> points(const Settings& settings, PointSpec spec, int) const override {
    std::vector<PointSpec> all;
    for (const auto& grid : settings.problem.grids)
      for (const auto n : ptrans_orders(of_memory(settings, grid), settings.extra_orders))
        for (const auto nb : ptrans_blocks(settings.problem, settings.extra_blocks)) {
          spec.length = nb < 1 ? 0 : n;
          spec.matrix = {n, nb, grid};
          spec.processes = static_cast<int>(grid.processes());
          all.push_back(at_least(settings, spec.processes, spec, n));
        }
    return all;
  }
  int passes(const Settings& settings) const override { return settings.effort.placements; }
  void identify(const PointSpec& spec, record::Params& params) const override {
    params["order"] = spec.matrix.n;
    params["block"] = spec.matrix.nb;
    params["grid_rows"] = std::int64_t{spec.matrix.grid.rows};
    params["grid_columns"] = std::int64_t{spec.matrix.grid.columns};
  }
  double counted_work(const PointSpec& spec) const override {
    const auto order = static_cast<double>(spec.length);
    return word_byte * order * order;
  }
  /// Two matrices, one more for the check, and what travels.
  std::int64_t memory_byte(const PointSpec& spec, const Settings& settings) const override {
    const int matrices = settings.form == Form::base ? 5 : 3;
    const auto order = static_cast<double>(spec.matrix.n);
    return counted_in_int64(matrices * word_byte * order * order / std::max(spec.processes, 1));
  }
  /// Every pass has matrices of its own, tries both ways of exchange, and is verified.
  TimeParts expected(const PointSpec& spec, const Settings&, const suites::Rates& rates) const override {
    const Pace pace(spec.benchmark.mode, rates);
    const double elements = counted_work(spec) / word_byte / spec.processes, byte = word_byte * elements;
    const double transposed_s = pace.exchange_s(byte) + pace.stream_s(3 * byte);
    const double made_s = pace.touch_s(2 * byte) + 2 * pace.fill_s(elements);
    return {0, made_s + 3 * transposed_s + 2 * pace.fill_s(elements) + pace.stream_s(2 * byte), 0};
  }
  std::optional<Obstacle> obstacle(const PointSpec& spec, int world) const override {
    const auto lack = lack_of_processes(spec, world);
    return lack ? lack : TestRules::obstacle(spec, world);
  }

  /// Sets the order, rounded up to a multiple of the block, as the test wants it.
  void set_size(PointSpec& spec, std::int64_t order) const override {
    const auto block = std::max<std::int64_t>(spec.matrix.nb, 1);
    spec.matrix.n = spec.length = divided_up(order, block) * block;
  }
  using TestRules::least_size;
  std::int64_t least_size(const Benchmark& benchmark, const Settings& settings,
                          int processes) const override {
    const auto bytes = cache_multiple_byte(matrices_of_caches, benchmark.mode, settings);
    const auto elements = static_cast<double>(divided_up(bytes, 16) * processes);
    return static_cast<std::int64_t>(std::ceil(std::sqrt(elements)));
  }
  double counted_byte(const PointSpec& spec) const override {
    return 2 * counted_work(spec) / spec.processes;
  }
};

}  // namespace

std::vector<std::int64_t> dropped_ptrans_orders(const Settings& settings) {
  std::vector<std::int64_t> dropped;
  for (const auto& grid : settings.problem.grids)
    for (const auto n : dropped_ptrans_orders(of_memory(settings, grid), settings.extra_orders))
      if (std::ranges::find(dropped, n) == dropped.end()) dropped.push_back(n);
  return dropped;
}

const TestRules& ptrans_rules() {
  static const PtransRules rules;
  return rules;
}

}  // namespace steelyard::hpcc
