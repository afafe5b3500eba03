// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/balance.hpp"

#include <algorithm>
#include <array>

namespace steelyard::balance {
namespace {

using enum Quantity;

struct Accumulated {
  std::string_view name;
  double (*value)(Reading&);
};
constexpr auto accumulated = std::to_array<Accumulated>({
    {"random_ring_byte_s", [](Reading& r) { return r.accumulated(random_ring_byte_s); }},
    {"natural_ring_byte_s", [](Reading& r) { return r.accumulated(natural_ring_byte_s); }},
    {"stream_star_copy_byte_s", [](Reading& r) { return r.accumulated(stream_star_copy_byte_s); }},
    {"stream_star_triad_byte_s", [](Reading& r) { return r.accumulated(stream_star_triad_byte_s); }},
    {"ptrans_byte_s", [](Reading& r) { return r.of(ptrans_byte_s); }},
    {"fft_global_flop_s", [](Reading& r) { return r.of(fft_global_flop_s); }},
    {"random_access_global_update_s", [](Reading& r) { return r.of(random_access_global_update_s); }},
});

std::vector<CurvePoint> points(const Curve& curve, const Accumulated& quantity) {
  std::vector<CurvePoint> list;
  for (const System* system : curve.systems) {
    Reading read(system->inputs);
    const double y = quantity.value(read);
    const double x = read.of(hpl_flop_s);
    if (read.missing().empty() && !left_out(touching(flags(*system), read.used()))) list.push_back({x, y});
  }
  return list;
}

std::vector<Exponent> exponents(const Curve& curve) {
  std::vector<Exponent> list;
  for (const Accumulated& quantity : accumulated) {
    const auto found = tidy(points(curve, quantity));
    if (const auto slope = scaling_exponent(found))
      list.push_back({std::string(quantity.name), *slope, found.size()});
  }
  return list;
}

JudgedCurve judged_curve(const Curve& curve, bool own, const BalanceOptions& options) {
  JudgedCurve result{curve.label, own, {}, exponents(curve), {}};
  for (const System* system : curve.systems) result.systems.push_back(*system);
  std::ranges::stable_sort(result.systems, {},
                           [](const System& s) { return s.inputs.get(hpl_flop_s).value_or(0); });
  for (const double at : options.at_flop_s)
    for (const Ratio& ratio : ratios()) {
      const auto points = ratio_points(curve, ratio);
      if (!points.empty()) result.read_off.push_back({at, &ratio, interpolate(points, at, options.method)});
    }
  return result;
}

Judged judged(System system, std::span<const Curve> references, const BalanceOptions& options) {
  Judged result;
  result.flags = flags(system);
  for (const Ratio& ratio : ratios()) {
    const auto value = flagged_ratio(ratio, system);
    result.ratios.push_back({&ratio, value, standing(ratio, system, value, references, options.method)});
  }
  for (const Ratio& figure : published_figures()) {
    const auto value = flagged_ratio(figure, system);
    const auto place = standing(figure, system, value, references, options.method);
    if (value.value.value && place.reference_n > 0) result.figures.push_back({&figure, value, place});
  }
  result.inter_node = inter_node(system);
  result.memory_communication = memory_communication(system.inputs);
  result.cups = coffee_cups(system);
  result.energy = energy(system);
  if (options.price) result.costs = unit_costs(*options.price, system.inputs);
  result.verdict = verdict(system, options.verdict);
  result.system = std::move(system);
  return result;
}

/// Columns beyond HPL and the network are in no published table: such rows would be one dot each.
bool fills_columns(const System& system) {
  constexpr std::array needed = {dgemm_star_flop_s, fft_global_flop_s, ptrans_byte_s, stream_star_copy_byte_s,
                                 random_access_global_update_s};
  return std::ranges::any_of(needed, [&](Quantity q) { return system.inputs.get(q).has_value(); });
}

}  // namespace

bool Judged::has_ratio() const {
  return std::ranges::any_of(ratios, [](const RatioRow& row) { return row.value.value.value.has_value(); });
}

bool Judged::doubtful() const {
  return std::ranges::any_of(flags, [](const Flagged& flagged) { return is_strict(flagged.flag); });
}

Balance judge(std::vector<System> systems, std::vector<System> references, BalanceOptions options) {
  Balance result{std::move(options), {}, std::move(references), {}, {}, {}};
  const auto reference_curves = curves(result.references);
  for (const Curve& curve : curves(systems))
    result.curves.push_back(judged_curve(curve, true, result.options));
  for (const Curve& curve : reference_curves)
    result.curves.push_back(judged_curve(curve, false, result.options));
  result.compared = systems;
  std::ranges::copy_if(result.references, std::back_inserter(result.compared), fills_columns);
  result.columns = normalised_columns(result.compared, result.options.normalise);
  for (System& system : systems)
    result.systems.push_back(judged(std::move(system), reference_curves, result.options));
  return result;
}

}  // namespace steelyard::balance
