// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/sections.hpp"

#include <algorithm>
#include <array>

#include "analysis/balance/sentences.hpp"
#include "units/prefixes.hpp"

namespace steelyard::balance {
namespace {

using analysis::Audience;
using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using analysis::Table;
using enum Quantity;

using prefix::giga, prefix::tera, prefix::gibi, prefix::micro;

struct Figure {
  const char *key, *title, *unit;
  double scale;
  double (*value)(Reading&);
  bool adds_up = true;  // over what the figures are divided by
};
constexpr auto figures_of_merit = std::to_array<Figure>({
    {"hpl", "HPL", "Gflop/s", giga, [](Reading& r) { return r.of(hpl_flop_s); }},
    {"dgemm", "DGEMM", "Gflop/s", giga, [](Reading& r) { return r.accumulated(dgemm_star_flop_s); }},
    {"stream_triad", "STREAM triad", "GB/s", giga,
     [](Reading& r) { return r.accumulated(stream_star_triad_byte_s); }},
    {"random_ring", "random ring", "GB/s", giga,
     [](Reading& r) { return r.accumulated(random_ring_byte_s); }},
    {"random_ring_latency", "random ring latency", "us", micro,
     [](Reading& r) { return r.of(random_ring_latency_s); }, false},
    {"pingpong_latency", "ping-pong latency, largest", "us", micro,
     [](Reading& r) { return r.of(pingpong_max_latency_s); }, false},
    {"fft", "FFT", "Gflop/s", giga, [](Reading& r) { return r.of(fft_global_flop_s); }},
    {"ptrans", "PTRANS", "GB/s", giga, [](Reading& r) { return r.of(ptrans_byte_s); }},
    {"random_access", "RandomAccess", "GUP/s", giga,
     [](Reading& r) { return r.of(random_access_global_update_s); }},
    {"b_eff", "b_eff", "GB/s", giga, [](Reading& r) { return r.of(b_eff_byte_s); }},
    {"b_eff_io", "b_eff_io", "GB/s", giga, [](Reading& r) { return r.of(b_eff_io_byte_s); }},
    {"memory", "memory", "GiB", gibi, [](Reading& r) { return r.of(memory_byte); }},
});

std::optional<double> parts(const System& system, Per per) {
  switch (per) {
    case Per::system:
      return 1;
    case Per::node:
      return system.nodes();
    case Per::process:
      return system.processes();
    case Per::core:
      break;
  }
  return system.processes() * system.threads();
}

const char* name_of(Per per) {
  constexpr std::array names = {"system", "node", "process", "core"};
  return names[static_cast<std::size_t>(per)];
}

}  // namespace

Cell whole(const std::optional<double>& value) {
  return value ? Cell(static_cast<std::int64_t>(*value)) : Cell();
}

Section absolute_section(const Balance& balance) {
  const std::string per = name_of(balance.options.per);
  Section section{"figures", "Figures of merit per " + per, {}, {"figures", {}, {}, {}}, {}};
  Table& table = section.table;
  table.columns = {{"figure", "figure", "", ColumnKind::text}, {"unit", "unit", "", ColumnKind::text}};
  for (const Judged& judged : balance.systems)
    table.columns.push_back({judged.system.name, judged.system.name, "", ColumnKind::number});
  const bool alone = balance.systems.size() == 1;
  bool doubted = false;
  for (const Figure& figure : figures_of_merit) {
    std::vector<Cell> row{figure.title, figure.unit};
    bool any = false;
    for (const Judged& judged : balance.systems) {
      Reading read(judged.system.inputs);
      const double value = figure.value(read);
      const auto divisor = figure.adds_up ? parts(judged.system, balance.options.per) : 1;
      const bool there = read.missing().empty() && divisor && *divisor > 0;
      row.push_back(there ? Cell(value / figure.scale / *divisor) : Cell());
      row.back().doubtful = there && parenthesised(touching(judged.flags, read.used()));
      any = any || there;
      if (!alone) continue;
      // The number of processes, which accumulated figures are multiplied by, bears no doubt.
      std::string doubt;
      for (const Quantity quantity : read.used())
        if (there && quantity != processes) doubt = doubt_words(judged.system, quantity);
      doubted = doubted || !doubt.empty();
      row.emplace_back(doubt);
    }
    if (any) table.rows.push_back(std::move(row));
  }
  // Several systems stand side by side: parentheses tell that there is something to be read of them.
  if (doubted) table.columns.push_back({"remark", "", "", ColumnKind::text, analysis::Audience::readers});
  if (alone && !doubted)
    for (auto& row : table.rows) row.pop_back();
  return section;
}

Section inter_node_section(const Balance& balance) {
  Section section{"inter_node", "Between nodes", {}, {"inter_node", {}, {}, {}}, {}};
  Table& table = section.table;
  table.columns = {{"system", "system", "", ColumnKind::text},
                   {"processes", "processes", "", ColumnKind::number},
                   {"threads", "threads", "", ColumnKind::number},
                   {"intra_fraction", "inside nodes", "%", ColumnKind::number},
                   {"per_process", "per process", "GB/s", ColumnKind::number},
                   {"per_node", "per node", "GB/s", ColumnKind::number}};
  const auto add = [&](const System& system) {
    if (const auto found = inter_node(system))
      table.rows.push_back({system.name, whole(system.processes()), whole(system.threads()),
                            100 * found->intra_fraction, found->per_process_byte_s / giga,
                            found->per_node_byte_s / giga});
  };
  for (const Judged& judged : balance.systems) add(judged.system);
  if (table.rows.empty()) return section;
  for (const System& system : balance.references) add(system);
  return section;
}

Section saturation_section(const Balance& balance) {
  Section section{
      "saturation", "Random ring by the number of processes of a node", {}, {"saturation", {}, {}, {}}, {}};
  Table& table = section.table;
  table.columns = {{"system", "system", "", ColumnKind::text},
                   {"processes_of_node", "processes of a node", "", ColumnKind::number},
                   {"per_node", "per node", "GB/s", ColumnKind::number},
                   {"share", "of the largest", "%", ColumnKind::number}};
  for (const Judged& judged : balance.systems) {
    double most = 0;
    for (const auto& one : judged.system.saturation) most = std::max(most, one.node_byte_s);
    for (const auto& one : judged.system.saturation)
      table.rows.push_back({judged.system.name, whole(one.processes_of_node), one.node_byte_s / giga,
                            most > 0 ? Cell(100 * one.node_byte_s / most) : Cell()});
  }
  return section;
}

Section read_off_section(const Balance& balance) {
  Section section{
      "interpolated", "Network balance of the curves at a given speed", {}, {"interpolated", {}, {}, {}}, {}};
  Table& table = section.table;
  table.columns = {{"curve", "curve", "", ColumnKind::text},
                   {"at_tflop_s", "HPL", "Tflop/s", ColumnKind::number},
                   {"ratio", "ratio", "", ColumnKind::text, Audience::programs},
                   {"value", "balance", "byte/kflop", ColumnKind::number},
                   {"status", "status", "", ColumnKind::text}};
  for (const JudgedCurve& curve : balance.curves)
    for (const ReadOff& one : curve.read_off)
      if (one.ratio->id == "network_balance_byte_kflop")
        table.rows.push_back({curve.label, one.at_flop_s / tera, std::string(one.ratio->id), one.found.value,
                              std::string(text(one.found.reach))});
  return section;
}

Section exponent_section(const Balance& balance) {
  Section section{"exponents",
                  "Growth with computing power (exponent: 1 keeps pace, 0.5 is its square root)",
                  {},
                  {"exponents", {}, {}, {}},
                  {}};
  Table& table = section.table;
  table.columns = {{"curve", "curve", "", ColumnKind::text},
                   {"quantity", "accumulated", "", ColumnKind::text},
                   {"exponent", "exponent", "", ColumnKind::number},
                   {"points", "points", "", ColumnKind::number},
                   {"remark", "", "", ColumnKind::text, Audience::readers}};
  for (const JudgedCurve& curve : balance.curves)
    for (const Exponent& one : curve.exponents)
      table.rows.push_back({curve.label, one.quantity, one.value, static_cast<std::int64_t>(one.points),
                            one.points == 2 ? "two points" : ""});
  return section;
}

Section energy_section(const Balance& balance) {
  Section section{"energy", "Energy", {}, {"energy", {}, {}, {}}, {}};
  Table& table = section.table;
  table.columns = {{"system", "system", "", ColumnKind::text},
                   {"mean_power_w", "power", "W", ColumnKind::number},
                   {"gflop_s_per_w", "HPL", "Gflop/s/W", ColumnKind::number},
                   {"pj_per_flop", "flop", "pJ", ColumnKind::number},
                   {"byte_per_j", "STREAM triad", "byte/J", ColumnKind::number},
                   {"energy_to_memory_write", "half of the memory at b_eff_io", "J", ColumnKind::number}};
  for (const Judged& judged : balance.systems)
    if (const auto& e = judged.energy)
      table.rows.push_back({judged.system.name, e->mean_power_w, e->gflop_s_per_w, e->pj_per_flop,
                            e->byte_per_j, e->memory_write_j});
  if (!table.rows.empty()) section.notes.emplace_back("power as the user states it, for the whole system");
  return section;
}

Section cost_section(const Balance& balance) {
  Section section{"cost", "Cost", {}, {"cost", {}, {}, {}}, {}};
  if (!balance.options.price) return section;
  const Price& price = *balance.options.price;
  Table& table = section.table;
  table.columns = {{"system", "system", "", ColumnKind::text},
                   {"key", "key", "", ColumnKind::text, Audience::programs},
                   {"of", "of one", "", ColumnKind::text},
                   {"cost", "cost", price.currency, ColumnKind::number},
                   {"per_million", "for a million", "", ColumnKind::number}};
  for (const Judged& judged : balance.systems)
    for (const UnitCost& one : judged.costs)
      table.rows.push_back(
          {judged.system.name, std::string(one.key), std::string(one.title), one.cost, 1e6 / one.cost});
  section.text.push_back("total " + digits(total_cost(price)) + ' ' + price.currency + " over " +
                         digits(price.years) + " years");
  return section;
}

}  // namespace steelyard::balance
