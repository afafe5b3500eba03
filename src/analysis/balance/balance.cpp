// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/balance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/balance/flags.hpp"
#include "analysis/balance/merits.hpp"
#include "analysis/balance/ratios.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

using prefix::giga, prefix::micro;
enum class Divided { yes, no };

struct Definition {
  std::string_view key, title, unit;
  double (*value)(Reading&);
  Divided divided = Divided::yes;
  bool optional = false;
};

constexpr auto definitions = std::to_array<Definition>({
    {"hpl_gflop_s", "HPL", "Gflop/s", [](Reading& r) { return r.of(hpl_flop_s) / giga; }, Divided::no},
    {"hpl_ratio", "HPL/HPL", "", [](Reading& r) { return r.hpl(); }},
    {"dgemm_ratio", "DGEMM", "", [](Reading& r) { return r.accumulated(dgemm_star_flop_s); }},
    {"fft_ratio", "FFT", "", [](Reading& r) { return r.of(fft_global_flop_s); }},
    {"ptrans_ratio_byte_flop", "PTRANS", "byte/flop", [](Reading& r) { return r.of(ptrans_byte_s); }},
    {"stream_copy_ratio_byte_flop", "STREAM copy", "byte/flop",
     [](Reading& r) { return r.accumulated(stream_star_copy_byte_s); }},
    {"random_ring_ratio_byte_flop", "random ring", "byte/flop",
     [](Reading& r) { return r.accumulated(random_ring_byte_s); }},
    {"inverse_random_ring_latency_per_us", "1/latency", "1/us",
     [](Reading& r) { return micro / r.of(random_ring_latency_s); }, Divided::no},
    {"random_access_ratio_update_flop", "RandomAccess", "update/flop",
     [](Reading& r) { return r.of(random_access_global_update_s); }},
    {"io_ratio_byte_flop", "b_eff_io", "byte/flop", [](Reading& r) { return r.of(b_eff_io_byte_s); },
     Divided::yes, true},
    {"cup_factor", "coffee cup", "",
     [](Reading& r) { return r.of(b_eff_io_byte_s) * cup_s / r.of(memory_byte); }, Divided::no, true},
});

double divisor(Reading& read, Normalise by) {
  switch (by) {
    case Normalise::hpl:
      return read.hpl();
    case Normalise::peak:
      return read.peak();
    case Normalise::process:
      return read.of(processes);
    case Normalise::none:
      break;
  }
  return 1;
}

std::string_view divided_by(Normalise by) {
  switch (by) {
    case Normalise::hpl:
      return "/HPL";
    case Normalise::peak:
      return "/peak";
    case Normalise::process:
      return "/process";
    case Normalise::none:
      break;
  }
  return "";
}

/// Unit of a column. The definition has the unit of a division by flop/s.
std::string unit(const Definition& column, Normalise by) {
  if (column.divided == Divided::no || by == Normalise::hpl || by == Normalise::peak)
    return std::string(column.unit);
  std::string plain(column.unit.substr(0, column.unit.find('/')));
  return plain.empty() ? "flop/s" : plain + "/s";
}

bool network_counts(std::span<const System> systems) {
  return std::ranges::all_of(systems, [](const System& s) { return s.one_node(); });
}

std::optional<double> value(const Definition& column, const System& system, Normalise by,
                            bool all_on_one_node) {
  Reading read(system.inputs);
  double found = column.value(read);
  if (column.divided == Divided::yes) found /= divisor(read, by);
  if (!read.missing().empty() || !std::isfinite(found)) return std::nullopt;
  auto doubts = touching(flags(system), read.used());
  if (all_on_one_node) std::erase(doubts, Flag::one_node);  // they are alike in that
  return left_out(doubts) ? std::nullopt : std::optional(found);
}

void set_relative(NormalisedColumn& column) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    if (!column.values[i]) continue;
    ++count;
    if (!column.best || *column.values[i] > *column.values[*column.best]) column.best = i;
  }
  column.only_value = count == 1;
  for (const auto& held : column.values)
    column.relative.push_back(held ? std::optional(*held / *column.values[*column.best]) : std::nullopt);
}

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
  if (options.price) result.costs = unit_costs(*options.price, system);
  result.verdict = verdict(system, options.verdict);
  result.system = std::move(system);
  return result;
}

/// Whether a system has values beyond HPL and the network: without any its row would be one dot.
bool fills_columns(const System& system) {
  constexpr std::array needed = {dgemm_star_flop_s, fft_global_flop_s, ptrans_byte_s, stream_star_copy_byte_s,
                                 random_access_global_update_s};
  return std::ranges::any_of(needed, [&](Quantity q) { return system.inputs.get(q).has_value(); });
}

}  // namespace

std::vector<NormalisedColumn> normalised_columns(std::span<const System> systems, Normalise by) {
  const bool all_on_one_node = network_counts(systems);
  std::vector<NormalisedColumn> columns;
  for (const Definition& definition : definitions) {
    const std::string suffix(
        definition.divided == Divided::yes && definition.key != "hpl_ratio" ? divided_by(by) : "");
    NormalisedColumn column{std::string(definition.key), std::string(definition.title) + suffix,
                            unit(definition, by)};
    if (definition.key == "hpl_ratio" && by != Normalise::hpl)
      column.title = "HPL" + std::string(divided_by(by));
    for (const System& system : systems)
      column.values.push_back(value(definition, system, by, all_on_one_node));
    set_relative(column);
    if (!definition.optional || column.best) columns.push_back(std::move(column));
  }
  return columns;
}

bool Judged::has_ratio() const {
  return std::ranges::any_of(ratios, [](const RatioRow& row) { return row.value.value.value.has_value(); });
}

bool Balance::is_empty() const {
  const auto has_figure = [](const Judged& one) {
    return std::ranges::any_of(merits(one.system, nullptr),
                               [](const Merit& merit) { return merit.value.has_value(); });
  };
  return std::ranges::none_of(systems, [&](const Judged& one) { return one.has_ratio() || has_figure(one); });
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
