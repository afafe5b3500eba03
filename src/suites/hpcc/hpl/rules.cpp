// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/hpl/shape.hpp"
#include "suites/hpcc/test_rules.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

std::int64_t half_memory_order(const hpl::Variant& variant, const Settings& settings) {
  constexpr std::int64_t unknown_memory = std::int64_t{4} << 30;
  const auto each = settings.node_share_byte > 0 ? settings.node_share_byte : unknown_memory;
  return hpl::half_memory_order(each * variant.grid.processes(), variant.nb);
}

bool are_measured(const suites::Rates& rates) {
  return rates.origin != suites::Rates::Origin::assumed && !rates.panels.empty();
}

/// The solver as a plan expects it: processes that would share memory send messages where they lie on several nodes. Ranks
/// are taken to lie node by node, as many on each.
hpl::Variant expected_variant(hpl::Variant variant, const Settings& settings) {
  if (settings.nodes <= 1) return variant;
  const auto& grid = variant.grid;
  const int processes = static_cast<int>(grid.processes());
  const bool in_sequence = variant.mapping == hpl::Mapping::column_major || grid.columns == 1;
  const bool whole = processes % settings.nodes == 0 && processes / settings.nodes % grid.rows == 0;
  variant.share = variant.share && grid.rows > 1 && in_sequence && whole;
  return variant;
}

class SolverRules final : public TestRules {
 public:
  TestText text() const override {
    return {
        .metrics = "flop_rate_flop_s",
        .sizes = "N",
        .condition = "an order with an expected efficiency of at least 0.85 of that at half of the memory"};
  }
  bool computes_with_blas() const override { return true; }
  bool has_combinations() const override { return true; }

  std::vector<PointSpec> points(const Settings& settings, PointSpec spec, int) const override {
    std::vector<PointSpec> all;
    for (const auto& variant : hpl::variants(settings.problem, settings.solver)) {
      spec.solver = variant;
      spec.solver.share = settings.form == Form::optimized;
      spec.length = variant.n;
      spec.processes = static_cast<int>(variant.grid.processes());
      all.push_back(spec);
    }
    return all;
  }
  int passes(const Settings& settings) const override { return settings.solver_repetitions; }
  std::optional<PointSpec> small_point(const PointSpec& spec, const Settings&, int) const override {
    constexpr std::int64_t rows_fewer = 8;
    auto small = spec;
    small.length = small.solver.n = spec.solver.n / rows_fewer;
    return small.length < 1 ? std::nullopt : std::optional(small);
  }
  bool repeats_freely() const override { return false; }
  void identify(const PointSpec& spec, record::Params& params) const override {
    const hpl::Variant& variant = spec.solver;
    const auto code = [](auto option) { return std::int64_t{static_cast<int>(option)}; };
    params["order"] = variant.n;
    params["block"] = variant.nb;
    params["grid_rows"] = std::int64_t{variant.grid.rows};
    params["grid_columns"] = std::int64_t{variant.grid.columns};
    params["mapping"] = std::string(1, hpl::letter(variant.mapping));
    params["depth"] = std::int64_t{variant.depth};
    params["broadcast"] = code(variant.broadcast);
    params["recursive"] = std::string(1, hpl::letter(variant.recursive));
    params["panel"] = std::string(1, hpl::letter(variant.panel));
    params["stop"] = std::int64_t{variant.stop};
    params["parts"] = std::int64_t{variant.parts};
    params["swap"] = code(variant.swap);
    params["swap_threshold"] = variant.swap_threshold;
    params["l1"] = code(variant.l1);
    params["u"] = code(variant.u);
    params["equilibration"] = code(variant.equilibration);
    params["alignment"] = std::int64_t{variant.alignment};
  }
  double counted_work(const PointSpec& spec) const override { return hpl::operations(spec.length); }
  std::int64_t memory_byte(const PointSpec& spec, const Settings&) const override {
    return hpl::memory_byte(spec.solver);
  }
  /// Every pass has a matrix of its own and is verified: the matrix is generated once more.
  TimeParts expected(const PointSpec& spec, const Settings& settings,
                     const suites::Rates& rates) const override {
    if (rates.panels.empty()) return {};
    const Pace pace(spec.benchmark.mode, rates);
    const double byte = counted_byte(spec), filled_s = pace.fill_s(byte / word_byte);
    const double checked_s = settings.threshold > 0 ? filled_s + pace.stream_s(byte) : 0;
    return {0,
            pace.touch_s(byte) + filled_s + hpl::solve_s(expected_variant(spec.solver, settings), rates) +
                checked_s,
            0};
  }
  /// None for an order of 0: a system of no equations is solved at once.
  std::optional<Obstacle> obstacle(const PointSpec& spec, int world) const override {
    return lack_of_processes(spec, world);
  }

  using TestRules::least_size;
  std::optional<std::int64_t> least_size(const PointSpec& spec, const Settings& settings,
                                         const suites::World& world) const override {
    if (!are_measured(world.rates)) return std::nullopt;
    return least_solver_order(spec.solver, settings, world.rates);
  }
  std::string expectation(const PointSpec& spec, const Settings& settings,
                          const suites::World& world) const override {
    if (!are_measured(world.rates)) return "";
    const auto here = expected_variant(spec.solver, settings);
    auto largest = here;
    largest.n = half_memory_order(spec.solver, settings);
    const auto percent = [&](const hpl::Variant& variant) {
      return units::format_fixed(100 * hpl::expected_efficiency(variant, world.rates), 0) + " %";
    };
    return "N " + std::to_string(spec.solver.n) + ", NB " + std::to_string(spec.solver.nb) + ": " +
           percent(here) + " of the rate of its matrix products is expected, " + percent(largest) +
           " with N " + std::to_string(largest.n) + " in half of the memory";
  }
  std::optional<hpl::SolveParts> expected_parts(const PointSpec& spec, const Settings& settings,
                                                const suites::Rates& rates) const override {
    if (!settings.solver_detail || !are_measured(rates)) return std::nullopt;
    return hpl::solve_parts(expected_variant(spec.solver, settings), rates);
  }
  double counted_byte(const PointSpec& spec) const override {
    const auto order = static_cast<double>(spec.length);
    return word_byte * order * order / spec.processes;
  }
  bool asks_for_more_than(double share) const override { return share < 0.5; }
};

}  // namespace

const TestRules& solver_rules() {
  static const SolverRules rules;
  return rules;
}

std::int64_t least_solver_order(const hpl::Variant& variant, const Settings& settings,
                                const suites::Rates& rates, double part) {
  return hpl::least_order(expected_variant(variant, settings), half_memory_order(variant, settings), part,
                          rates);
}

}  // namespace steelyard::hpcc
