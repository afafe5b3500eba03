// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "analysis/balance/flags.hpp"
#include "analysis/balance/measured.hpp"
#include "analysis/warnings.hpp"
#include "report/sections.hpp"
#include "units/prefixes.hpp"
#include "units/text.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using balance::Quantity;
using balance::System;

struct Figure {
  const char *key, *title, *unit, *part;  // part: of the report
  double scale;                           // of the unit, in base units
  Quantity quantity;
  bool per_process;  // the input is of one process, the figure of all
};
using prefix::giga, prefix::micro;
constexpr double one_percent = 0.01;
constexpr auto figures = std::to_array<Figure>({
    {"hpl", "HPL", "Gflop/s", "hpcc", giga, Quantity::hpl_flop_s, false},
    {"dgemm", "DGEMM, all processes", "Gflop/s", "hpcc", giga, Quantity::dgemm_star_flop_s, true},
    {"stream_triad", "STREAM triad, all processes", "GB/s", "hpcc", giga, Quantity::stream_star_triad_byte_s,
     true},
    {"fft", "FFT", "Gflop/s", "hpcc", giga, Quantity::fft_global_flop_s, false},
    {"random_access", "RandomAccess", "GUP/s", "hpcc", giga, Quantity::random_access_global_update_s, false},
    {"ptrans", "PTRANS", "GB/s", "hpcc", giga, Quantity::ptrans_byte_s, false},
    {"random_ring", "random ring, all processes", "GB/s", "hpcc", giga, Quantity::random_ring_byte_s, true},
    {"random_ring_latency", "random ring, latency", "us", "hpcc", micro, Quantity::random_ring_latency_s,
     false},
    {"pingpong", "ping-pong, least bandwidth", "GB/s", "hpcc", giga, Quantity::pingpong_min_byte_s, false},
    {"pingpong_latency", "ping-pong, largest latency", "us", "hpcc", micro, Quantity::pingpong_max_latency_s,
     false},
    {"b_eff", "b_eff", "GB/s", "b_eff", giga, Quantity::b_eff_byte_s, false},
    {"b_eff_io", "b_eff_io", "GB/s", "io", giga, Quantity::b_eff_io_byte_s, false},
    {"ftio", "FTIO, share of I/O", "%", "io", one_percent, Quantity::ftio_io_fraction, false},
});

struct Merit {
  std::string key, title, unit, part;
  std::optional<double> value, half_width;  // relative
  std::string doubt = {}, detail = {};      // detail: what it follows from
};

/// Ping-pong of IMB: time of the shortest message and the best rate.
void add_pingpong(const record::Run& run, std::vector<Merit>& list) {
  Merit latency{"imb_latency", "IMB PingPong, shortest message", "us", "messages", {}, {}};
  Merit rate{"imb_bandwidth", "IMB PingPong, best bandwidth", "GB/s", "messages", {}, {}};
  std::optional<double> shortest;
  for (const auto& point : run.points) {
    const bool stands = std::ranges::find(point.flags, balance::not_representative_flag) == point.flags.end();
    if (point.suite != "imb-mpi1" || point.benchmark != "PingPong" || !stands) continue;
    const auto length = length_of(point), time = median_of(point, "time_s"),
               byte_s = median_of(point, "bandwidth_byte_s");
    if (length && time && (!shortest || *length < *shortest)) {
      shortest = length;
      latency.value = *time / micro;
      latency.doubt = analysis::doubts_in_words(point);
    }
    if (byte_s && *byte_s / giga > rate.value.value_or(0)) {
      rate.value = *byte_s / giga;
      rate.doubt = analysis::doubts_in_words(point);
    }
  }
  list.push_back(std::move(latency));
  list.push_back(std::move(rate));
}

/// "N 320, residual 0.0061" of the solution that the figure is of: the fastest that stands for the machine.
std::string solution(const record::Run& run) {
  const record::PointRecord* fastest = nullptr;
  for (const auto& point : run.points)
    if (point.suite == "hpcc" && point.benchmark == "HPL" && median_of(point, point.primary) &&
        std::ranges::find(point.flags, balance::not_representative_flag) == point.flags.end() &&
        (fastest == nullptr || *median_of(point, point.primary) > *median_of(*fastest, fastest->primary)))
      fastest = &point;
  if (fastest == nullptr) return {};
  std::string text;
  if (const auto* order = record::find(fastest->params, "order")) text = "N " + word(*order);
  if (fastest->check && fastest->check->worst)
    text += (text.empty() ? "" : ", ") + std::string("residual ") +
            units::format_significant(*fastest->check->worst, 2);
  if (const auto* blas = record::find(fastest->classic, "Sy_HPL_BLAS"))
    text += (text.empty() ? "" : ", ") + word(*blas);
  return text;
}

/// ", OpenBLAS 0.3.21, kernel SkylakeX": what DGEMM was computed by; empty where the run does not tell.
std::string multiplier(const record::Run& run) {
  for (const auto& point : run.points)
    if (point.suite == "hpcc" && point.benchmark == "StarDGEMM") {
      const auto *library = record::find(point.classic, "Sy_BLAS"),
                 *kernel = record::find(point.classic, "Sy_BLAS_kernel");
      if (library == nullptr) return {};
      const auto of_kernel = kernel == nullptr ? std::string() : word(*kernel);
      return ", " + word(*library) + (of_kernel.empty() ? "" : ", kernel " + of_kernel);
    }
  return {};
}

std::string detail(const Figure& figure, const System& system, const record::Run* run,
                   const std::optional<double>& value) {
  if (figure.quantity == Quantity::hpl_flop_s && run != nullptr) return solution(*run);
  if ((!figure.per_process && figure.quantity != Quantity::b_eff_byte_s) || !value || system.processes() < 1)
    return {};
  const bool multiplies = figure.quantity == Quantity::dgemm_star_flop_s && run != nullptr;
  return units::format_significant(*value / system.processes(), 3) + ' ' + figure.unit + " per process, " +
         counted(static_cast<std::int64_t>(system.processes()), "process", "processes") +
         (multiplies ? multiplier(*run) : "");
}

std::vector<Merit> merits_of(const System& system, const record::Run* run) {
  std::vector<Merit> list;
  for (const Figure& one : figures) {
    auto value = system.inputs.get(one.quantity);
    if (value) *value *= (one.per_process ? system.processes() : 1) / one.scale;
    list.push_back({one.key, one.title, one.unit, one.part, value, system.inputs.half_width(one.quantity),
                    value ? balance::doubt_words(system, one.quantity) : "",
                    detail(one, system, run, value)});
  }
  if (run != nullptr)
    add_pingpong(*run, list);
  else
    add_pingpong({}, list);
  return list;
}

/// One column of the table: a run, or a result of another program.
struct MeritColumn {
  std::string name;
  std::vector<Merit> merits;
  [[nodiscard]] bool has_doubts() const {
    return std::ranges::any_of(merits, [](const Merit& one) { return one.value && !one.doubt.empty(); });
  }
  [[nodiscard]] bool has_intervals() const {
    return std::ranges::any_of(merits, [](const Merit& one) { return one.half_width.has_value(); });
  }
};

std::vector<MeritColumn> columns_of(const Source& source) {
  const auto& input = source.input;
  std::vector<MeritColumn> list;
  for (std::size_t i = 0; i < input.runs.size(); ++i)
    list.push_back({source.names[i], merits_of(balance::system_of_run(input.runs[i]), &input.runs[i])});
  for (const System& foreign : input.foreign) list.push_back({foreign.name, merits_of(foreign, nullptr)});
  return list;
}

std::string note(const Merit& merit) {
  std::string text;
  const auto add = [&](const std::string& words) {
    if (!words.empty()) text += (text.empty() ? "" : "; ") + words;
  };
  const bool told = merit.half_width && *merit.half_width > analysis::wide_half_width;
  if (merit.half_width && !told)
    add("+- " + units::format_significant(*merit.half_width / one_percent, 2) + " %");
  add(merit.detail);
  add(merit.doubt);
  return text;
}

std::vector<Card> cards(const std::vector<MeritColumn>& list) {
  std::vector<Card> all;
  for (std::size_t i = 0; !list.empty() && i < list.front().merits.size(); ++i) {
    Card card{list.front().merits[i].title, list.front().merits[i].part, {}};
    for (const MeritColumn& one : list)
      if (const Merit& merit = one.merits[i]; merit.value)
        card.values.push_back({list.size() > 1 ? one.name : "",
                               units::format_significant(*merit.value, 3) + ' ' + merit.unit, note(merit)});
    if (!card.values.empty()) all.push_back(std::move(card));
  }
  return all;
}

/// One of each resource that the verdict weighs, then what stands for them where they were not measured.
constexpr auto leading = std::to_array<std::string_view>(
    {"hpl", "stream_triad", "random_ring", "random_ring_latency", "b_eff_io", "b_eff", "imb_latency",
     "imb_bandwidth", "dgemm", "fft", "random_access", "ptrans", "ftio", "pingpong_latency", "pingpong"});

/// The resource that a leading figure stands for; none for those that stand beside it.
constexpr std::pair<std::string_view, balance::Resource> resources[] = {
    {"random_ring", balance::Resource::network},
    {"random_ring_latency", balance::Resource::latency},
    {"b_eff", balance::Resource::network},
    {"imb_latency", balance::Resource::latency},
    {"imb_bandwidth", balance::Resource::network}};

/// "messages of one node, not judged" where the machine has one node.
std::string of_one_node(const Source& source, const std::string& system, std::string_view key) {
  const auto* const found =
      std::ranges::find(resources, key, &std::pair<std::string_view, balance::Resource>::first);
  if (found == std::end(resources) || !source.input.judged) return {};
  for (const auto& judged : source.input.judged->systems)
    for (const auto& left : judged.verdict.left_out)
      if (judged.system.name == system && left.resource == found->second && !left.exists)
        return "inside one node: not part of the verdict";
  return {};
}

std::string trust(const Merit& merit) {
  const bool told = merit.half_width && *merit.half_width > analysis::wide_half_width;  // by the doubts
  if (told && !merit.doubt.empty()) return merit.doubt;
  std::string text = merit.half_width
                         ? "+- " + units::format_significant(*merit.half_width / one_percent, 2) + " %"
                         : "no interval known";
  return text + (merit.doubt.empty() ? "" : "; " + merit.doubt);
}

}  // namespace

std::vector<Card> leading_figures(const Source& source, std::size_t most) {
  const auto list = columns_of(source);
  std::vector<Card> all;
  for (const std::string_view key : leading) {
    if (all.size() == most) break;
    Card card;
    for (const MeritColumn& one : list) {
      const auto merit = std::ranges::find(one.merits, key, &Merit::key);
      if (merit == one.merits.end() || !merit->value) continue;
      card.title = merit->title;
      card.part = merit->part;
      const std::string inside = of_one_node(source, one.name, key);
      card.values.push_back({list.size() > 1 ? one.name : "",
                             units::format_significant(*merit->value, 3) + ' ' + merit->unit,
                             trust(*merit) + (inside.empty() ? "" : "; " + inside)});
    }
    if (!card.values.empty()) all.push_back(std::move(card));
  }
  return all;
}

Part merit_part(const Source& source) {
  Part part{"merit", "Figures of merit", {}, {}, {}};
  const auto list = columns_of(source);
  Section section{
      "merit",
      "",
      {},
      {"merit", {{"figure", "figure", "", ColumnKind::text}, {"unit", "unit", "", ColumnKind::text}}, {}, {}},
      {}};
  for (const MeritColumn& one : list) {
    section.table.columns.push_back({one.name, one.name, "", ColumnKind::number});
    if (one.has_intervals())
      section.table.columns.push_back({one.name + " half width", "+-", "%", ColumnKind::number});
    if (one.has_doubts()) section.table.columns.push_back({one.name + " remark", "", "", ColumnKind::text});
  }
  for (std::size_t i = 0; !list.empty() && i < list.front().merits.size(); ++i) {
    const Merit& first = list.front().merits[i];
    std::vector<Cell> row{first.title, first.unit};
    for (const MeritColumn& one : list) {
      const Merit& merit = one.merits[i];
      row.emplace_back(merit.value);
      if (one.has_intervals())
        row.push_back(merit.half_width ? Cell(*merit.half_width / one_percent) : Cell());
      if (one.has_doubts()) row.emplace_back(merit.doubt);
    }
    if (std::ranges::any_of(list, [&](const MeritColumn& one) { return one.merits[i].value.has_value(); }))
      section.table.rows.push_back(std::move(row));
  }
  if (std::ranges::any_of(list, &MeritColumn::has_intervals))
    section.notes.push_back("+-: half of the 95 % interval over the value, where the records hold one");
  if (!section.table.rows.empty()) part.shown.push_back(std::move(section));
  part.cards = cards(list);
  return part;
}

}  // namespace steelyard::report
