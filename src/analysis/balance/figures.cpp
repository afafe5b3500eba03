// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/balance/balance.hpp"
#include "analysis/balance/references.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

using analysis::Cell;
using analysis::Column;
using analysis::ColumnKind;
using analysis::Section;
using analysis::table_section;
using enum Quantity;

using prefix::giga, prefix::tera, prefix::micro;
constexpr double s_per_minute = 60;

Column text_column(const char* key) {
  return {key, key, "", ColumnKind::text};
}
Column number_column(const char* key, const char* unit = "") {
  return {key, key, unit, ColumnKind::number};
}

std::vector<Flag> flags_of(const System& system, std::span<const Quantity> used) {
  return touching(flags(system), used);
}

Column remarks_column() {
  return {"remarks", "remarks", "", ColumnKind::text};
}

std::optional<double> scaled(const System& system, Quantity quantity, double unit) {
  const auto value = system.inputs.get(quantity);
  return value ? std::optional(*value / unit) : std::nullopt;
}

std::optional<double> ratio(const System& system, const char* id) {
  return flagged_ratio(*ratio_named(id), system).value.value;
}

Section patterns(const Balance& balance) {
  auto out = table_section("B1", "Latency and bandwidth by pattern",
                           {text_column("curve"),
                            number_column("processes"),
                            number_column("threads"),
                            number_column("pingpong_latency_us", "us"),
                            number_column("random_ring_latency_us", "us"),
                            number_column("pingpong_gbyte_s", "GB/s"),
                            number_column("natural_ring_gbyte_s", "GB/s"),
                            number_column("random_ring_gbyte_s", "GB/s"),
                            number_column("hpl_tflop_s", "Tflop/s"),
                            number_column("natural_over_pingpong_bandwidth"),
                            number_column("random_over_pingpong_bandwidth"),
                            number_column("random_over_natural_bandwidth"),
                            {"flags", "flags", "", ColumnKind::flags},
                            remarks_column()});
  constexpr std::array network = {random_ring_byte_s, random_ring_latency_s};
  for (const JudgedCurve& curve : balance.curves)
    for (const System& s : curve.systems) {
      const auto marks = flags_of(s, network);
      if (s.inputs.get(random_ring_byte_s))
        out.table.rows.push_back(
            {curve.label, s.processes(), s.threads(), scaled(s, pingpong_max_latency_s, micro),
             scaled(s, random_ring_latency_s, micro), scaled(s, pingpong_min_byte_s, giga),
             scaled(s, natural_ring_byte_s, giga), scaled(s, random_ring_byte_s, giga),
             scaled(s, hpl_flop_s, tera), ratio(s, "natural_over_pingpong_bandwidth"),
             ratio(s, "random_over_pingpong_bandwidth"), ratio(s, "random_over_natural_bandwidth"),
             codes(marks), words(marks)});
    }
  return out;
}

struct Scaling {
  const char *absolute_id, *ratio_id, *title, *ratio, *unit;
  Quantity quantity;
  bool per_process;
};
constexpr auto scalings = std::to_array<Scaling>({
    {"B2a", "B2b", "Random ring over HPL", "network_balance_byte_kflop", "GB/s", random_ring_byte_s, true},
    {"B3a_copy", "B3b_copy", "STREAM copy over HPL", "memory_balance_copy_byte_flop", "GB/s",
     stream_star_copy_byte_s, true},
    {"B3a_triad", "B3b_triad", "STREAM triad over HPL", "memory_balance_triad_byte_flop", "GB/s",
     stream_star_triad_byte_s, true},
    {"B7a", "B7b", "FFT over HPL", "fft_ratio", "Gflop/s", fft_global_flop_s, false},
    {"B8a", "B8b", "Natural ring over HPL", "natural_ring_byte_kflop", "GB/s", natural_ring_byte_s, true},
    {"B9a", "B9b", "PTRANS over HPL", "ptrans_byte_kflop", "GB/s", ptrans_byte_s, false},
});

std::vector<Column> curve_columns(const char* value, const char* unit) {
  return {text_column("curve"),
          number_column("own"),
          number_column("processes"),
          number_column("threads"),
          number_column("hpl_tflop_s", "Tflop/s"),
          number_column(value, unit),
          {"flags", "flags", "", ColumnKind::flags},
          remarks_column()};
}

void add_scaling(const Balance& balance, const Scaling& scaling, analysis::Tables& list) {
  const Ratio& of = *ratio_named(scaling.ratio);
  auto absolute = table_section(scaling.absolute_id, scaling.title, curve_columns("value", scaling.unit));
  auto relative =
      table_section(scaling.ratio_id, scaling.title, curve_columns("ratio", std::string(of.unit).c_str()));
  for (const JudgedCurve& curve : balance.curves)
    for (const System& system : curve.systems) {
      const auto found = flagged_ratio(of, system);
      const auto rate = scaled(system, scaling.quantity, giga), x = scaled(system, hpl_flop_s, tera);
      if (!x || !rate) continue;
      const auto marks = flags_of(system, found.value.used);
      const std::vector<Cell> place{curve.label, curve.own ? 1 : 0, system.processes(), system.threads(), x};
      for (auto [table, value] :
           {std::pair(&absolute, std::optional(*rate * (scaling.per_process ? system.processes() : 1))),
            std::pair(&relative, found.value.value)}) {
        auto row = place;
        row.emplace_back(value);
        row.emplace_back(codes(marks));
        row.emplace_back(words(marks));
        table->table.rows.push_back(std::move(row));
      }
    }
  list.push_back(std::move(absolute));
  list.push_back(std::move(relative));
}

/// Balances that the document reads off curves that it does not tabulate: marks beside B2b.
Section quoted(const Balance& balance) {
  auto out = table_section(
      "B2b_quoted", "Read off published curves",
      {text_column("system"), number_column("hpl_tflop_s", "Tflop/s"), number_column("ratio", "byte/kflop")});
  const auto published = [](const System& system) {
    return system.campaign == published_campaign && system.inputs.get(random_ring_byte_s);
  };
  if (std::ranges::none_of(balance.references, published)) return out;
  for (const QuotedBalance& one : quoted_balances(read_systems(systems_data())))
    out.table.rows.push_back({one.system, one.at_tflop_s, one.byte_kflop});
  return out;
}

Section columns_of_all(const Balance& balance) {
  auto out = table_section("B4", "Normalised columns",
                           {text_column("system"), text_column("column"), number_column("value"),
                            text_column("unit"), number_column("relative")});
  for (const NormalisedColumn& column : balance.columns)
    for (std::size_t i = 0; i < balance.compared.size(); ++i)
      out.table.rows.push_back(
          {balance.compared[i].name, column.key, column.values[i], column.unit, column.relative[i]});
  return out;
}

/// Roofs, then the kernels at the intensity of their model.
Section roofline(const Balance& balance) {
  auto out =
      table_section("B11", "Roofline",
                    {text_column("system"), text_column("kind"), text_column("name"),
                     number_column("intensity_flop_byte", "flop/byte"),
                     number_column("rate_gflop_s", "Gflop/s"), number_column("slope_gbyte_s", "GB/s")});
  constexpr double triad_intensity = 1.0 / 12, block = 192;
  for (const Judged& judged : balance.systems) {
    const System& s = judged.system;
    const double nodes = s.nodes().value_or(1);
    const auto per_node = [&](Quantity q, double factor) -> Cell {
      const auto value = s.inputs.get(q);
      return value ? Cell(*value * factor / nodes / giga) : Cell();
    };
    const auto add = [&](const char* kind, const char* name, Cell x, Cell rate, Cell slope) {
      out.table.rows.push_back({s.name, kind, name, std::move(x), std::move(rate), std::move(slope)});
    };
    add("roof", "peak", {}, per_node(peak_measured_flop_s, 1), {});
    add("roof", "DGEMM", {}, per_node(dgemm_star_flop_s, s.processes()), {});
    add("slope", "STREAM triad", {}, {}, per_node(stream_star_triad_byte_s, s.processes()));
    add("slope", "random ring", {}, {}, per_node(random_ring_byte_s, s.processes()));
    add("point", "triad", triad_intensity,
        per_node(stream_star_triad_byte_s, s.processes() * triad_intensity), {});
    add("point", "HPL", block / 8, per_node(hpl_flop_s, 1), {});
    if (const auto memory = s.inputs.get(memory_byte))
      add("point", "FFT", std::log2(*memory / 64) / 32, per_node(fft_global_flop_s, 1), {});
  }
  return out;
}

Section shares(const Balance& balance) {
  auto out = table_section(
      "B12", "What the time goes into",
      {text_column("system"), text_column("profile"), text_column("resource"), number_column("share")});
  for (const Judged& judged : balance.systems)
    for (const auto& [profile, all] : judged.verdict.shares)
      for (const auto& [resource, share] : all)
        out.table.rows.push_back({judged.system.name, profile, std::string(key(resource)), share});
  return out;
}

Section cups(const Balance& balance) {
  auto out = table_section("B13", "Half of the memory at b_eff_io",
                           {text_column("system"), number_column("own"), number_column("size"),
                            text_column("counts"), number_column("minutes", "min")});
  const auto add = [&](const System& system, int own) {
    if (const auto cup = coffee_cups(system).mixed)
      out.table.rows.push_back({system.name, own, system.size(),
                                system.processes() > 0 ? "processes" : "nodes",
                                cup->half_memory_time_s / s_per_minute});
  };
  for (const Judged& judged : balance.systems) add(judged.system, 1);
  for (const System& system : balance.references) add(system, 0);
  return out;
}

Section saturations(const Balance& balance) {
  auto out = table_section(
      "B15", "Random ring by the number of processes of a node",
      {text_column("system"), number_column("processes_of_node"), number_column("node_gbyte_s", "GB/s")});
  for (const Judged& judged : balance.systems)
    for (const SaturationPoint& one : judged.system.saturation)
      out.table.rows.push_back({judged.system.name, one.processes_of_node, one.node_byte_s / giga});
  return out;
}

/// Axes of a system from 0 to 1, for the first systems that are compared, those under
/// judgement before others.
Section shapes(const Balance& balance) {
  auto out = table_section(
      "B10", "Shape of the machine",
      {text_column("system"), number_column("own"), text_column("axis"), number_column("relative")});
  constexpr std::size_t others = 5, columns_of_size = 2;  // HPL and its efficiency are no axes
  const std::size_t shown = std::min(balance.compared.size(), balance.systems.size() + others);
  for (std::size_t s = 0; s < shown; ++s)
    for (std::size_t c = columns_of_size; c < balance.columns.size(); ++c)
      out.table.rows.push_back({balance.compared[s].name, s < balance.systems.size() ? 1 : 0,
                                balance.columns[c].key, balance.columns[c].relative[s]});
  return out;
}

Section io_shares(const Balance& balance) {
  auto out = table_section("B14", "Share of I/O in FTIO over the size of the matrix",
                           {text_column("curve"), number_column("own"), number_column("processes"),
                            number_column("elements"), number_column("io_fraction")});
  for (const Judged& judged : balance.systems)
    for (const FtioShare& one : judged.system.ftio)
      out.table.rows.push_back(
          {judged.system.name, 1, judged.system.processes(), one.elements, one.io_fraction});
  if (out.table.rows.empty()) return out;
  for (const PublishedFtio& one : published_ftio())
    out.table.rows.push_back({one.system, 0, one.processes, one.share.elements, one.share.io_fraction});
  return out;
}

/// Capacities that a system has for its price.
Section prices(const Balance& balance) {
  auto out = table_section("B16", "What the price buys",
                           {text_column("system"), number_column("cost"), text_column("currency"),
                            text_column("capacity"), number_column("amount")});
  if (!balance.options.price) return out;
  const double cost = total_cost(*balance.options.price);
  for (const Judged& judged : balance.systems)
    for (const UnitCost& unit : judged.costs)
      if (unit.cost > 0)
        out.table.rows.push_back({judged.system.name, cost, balance.options.price->currency,
                                  std::string(unit.title), cost / unit.cost});
  return out;
}

Section effective_bandwidths(const Balance& balance) {
  auto out = table_section("B17", "b_eff per process",
                           {text_column("curve"), number_column("own"), number_column("processes"),
                            number_column("b_eff_per_process_mbyte_s", "MB/s")});
  for (const JudgedCurve& curve : balance.curves)
    for (const System& system : curve.systems)
      if (const auto rate = scaled(system, b_eff_byte_s, 1e6); rate && system.processes() > 0)
        out.table.rows.push_back(
            {curve.label, curve.own ? 1 : 0, system.processes(), *rate / system.processes()});
  return out;
}

}  // namespace

analysis::Tables figures(const Balance& balance) {
  analysis::Tables all{patterns(balance)};
  for (const Scaling& scaling : scalings) add_scaling(balance, scaling, all);
  for (auto* make : {quoted, columns_of_all, shapes, roofline, shares, cups, io_shares, saturations, prices,
                     effective_bandwidths})
    all.push_back(make(balance));
  std::erase_if(all, [](const Section& one) { return one.table.rows.empty(); });
  return all;
}

}  // namespace steelyard::balance
