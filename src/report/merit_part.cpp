// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/balance/flags.hpp"
#include "analysis/balance/measured.hpp"
#include "analysis/balance/merits.hpp"
#include "analysis/warnings.hpp"
#include "record/point_view.hpp"
#include "report/sections.hpp"
#include "units/text.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using balance::Quantity;
using balance::System;

constexpr double one_percent = 0.01;

struct Merit {
  std::string key, title, unit, part;
  std::optional<double> value, half_width;  // relative
  std::optional<analysis::RelativeInterval> interval = {};
  std::string doubt = {}, detail = {};  // detail: what it follows from
};

/// "N 320, residual 0.0061" of the solution that the figure is of: the fastest that stands for the machine.
std::string solution(const record::Run& run) {
  const record::PointRecord* fastest = nullptr;
  for (const auto& point : run.points)
    if (point.suite == "hpcc" && point.benchmark == "HPL" && record::figure(point, point.primary) &&
        !has_flag(point, balance::not_representative_flag) &&
        (fastest == nullptr ||
         *record::figure(point, point.primary) > *record::figure(*fastest, fastest->primary)))
      fastest = &point;
  if (fastest == nullptr) return {};
  std::string text;
  if (const auto* order = record::find(fastest->params, "order")) text = "N " + word(*order);
  if (fastest->check && fastest->check->worst)
    text += (text.empty() ? "" : ", ") + std::string("residual ") +
            units::format_significant(*fastest->check->worst, 2);
  if (const auto blas = record::word_in(*fastest, "Sy_HPL_BLAS"); !blas.empty())
    text += (text.empty() ? "" : ", ") + blas;
  return text;
}

/// BLAS that computed DGEMM, ", OpenBLAS 0.3.21, kernel SkylakeX"; empty if the run does not tell.
std::string multiplier(const record::Run& run) {
  for (const auto& point : run.points)
    if (point.suite == "hpcc" && point.benchmark == "StarDGEMM") {
      const auto library = record::word_in(point, "Sy_BLAS"),
                 kernel = record::word_in(point, "Sy_BLAS_kernel");
      if (library.empty()) return {};
      return ", " + library + (kernel.empty() ? "" : ", kernel " + kernel);
    }
  return {};
}

std::string detail(const balance::MeritFigure& figure, const System& system, const record::Run* run,
                   const std::optional<double>& value) {
  if (figure.quantity == Quantity::hpl_flop_s && run != nullptr) return solution(*run);
  if ((!figure.per_process && figure.quantity != Quantity::b_eff_byte_s) || !value || system.processes() < 1)
    return {};
  const bool multiplies = figure.quantity == Quantity::dgemm_star_flop_s && run != nullptr;
  return units::format_significant(*value / system.processes(), 3) + ' ' + std::string(figure.shown_unit) +
         " per process, " + units::counted(static_cast<std::int64_t>(system.processes()), "process") +
         (multiplies ? multiplier(*run) : "");
}

std::vector<Merit> merits_of(const System& system, const record::Run* run) {
  std::vector<Merit> list;
  for (const balance::Merit& one : balance::merits(system, run)) {
    const balance::MeritFigure& figure = *one.figure;
    const auto value = one.value ? std::optional(*one.value / figure.scale) : std::nullopt;
    list.push_back({std::string(figure.key), std::string(figure.title), std::string(figure.shown_unit),
                    part_of_suite(figure.suite), value, one.half_width, one.interval, one.doubt,
                    detail(figure, system, run, value)});
  }
  return list;
}

/// One column of the table: a run, or a result of another program.
struct MeritColumn {
  std::string name;
  std::vector<Merit> merits;
  bool has_network = true;
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
  const auto add = [&](const std::string& name, const System& system, const record::Run* run) {
    list.push_back({name, merits_of(system, run), system.has_network()});
  };
  for (std::size_t i = 0; i < input.runs.size(); ++i)
    add(source.names[i], balance::system_of_run(input.runs[i], source.points->states(i)), &input.runs[i]);
  for (std::size_t i = 0; i < input.foreign.size(); ++i)
    add(source.foreign_names[i], input.foreign[i], nullptr);
  return list;
}

std::string percent_of(double share) {
  return (share < 0 ? "-" : "+") + units::format_significant(std::abs(share) / one_percent, 2);
}

/// "+- 1.6 %" where both ends are as far, else "-0.40 % to +2.8 %"; empty where the doubts tell the same width, or
/// without an interval.
std::string interval_words(const Merit& merit) {
  if (!merit.interval) return {};
  const std::string low = percent_of(merit.interval->low), high = percent_of(merit.interval->high);
  if (low.substr(1) != high.substr(1)) return low + " % to " + high + " %";
  const bool told = merit.half_width > analysis::wide_half_width && !merit.doubt.empty();
  return told ? "" : "+- " + high.substr(1) + " %";
}

std::string note(const Merit& merit) {
  std::string text;
  const auto add = [&](const std::string& words) {
    if (!words.empty()) text += (text.empty() ? "" : "; ") + words;
  };
  add(interval_words(merit));
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

/// Leading figures: one of each resource that the verdict weighs, then others that stand for them if they
/// were not measured.
constexpr auto leading = std::to_array<std::string_view>(
    {"hpl", "stream_triad", "random_ring", "random_ring_latency", "b_eff_io", "b_eff", "imb_latency",
     "imb_bandwidth", "dgemm", "fft", "random_access", "ptrans", "ftio", "pingpong_latency", "pingpong"});

/// Leading figures of messages.
constexpr std::string_view of_messages[] = {"random_ring", "random_ring_latency", "b_eff", "imb_latency",
                                            "imb_bandwidth"};

/// "inside one node: not part of the verdict" if the figure is of messages that cannot leave a node; else empty.
std::string of_one_node(const Source& source, const MeritColumn& column, std::string_view key) {
  const bool inside = !column.has_network && std::ranges::find(of_messages, key) != std::end(of_messages);
  return inside && source.input.judged ? "inside one node: not part of the verdict" : "";
}

std::string trust(const Merit& merit) {
  const std::string text = merit.interval ? interval_words(merit) : "no interval known";
  return text + (text.empty() || merit.doubt.empty() ? "" : "; ") + merit.doubt;
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
      const std::string inside = of_one_node(source, one, key);
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
  Section section = analysis::table_section(
      "merit", "", {{"figure", "figure", "", ColumnKind::text}, {"unit", "unit", "", ColumnKind::text}});
  for (const MeritColumn& one : list) {
    section.table.columns.push_back({one.name, one.name, "", ColumnKind::number});
    if (one.has_intervals()) {
      using enum analysis::Audience;
      section.table.columns.push_back({one.name + " half width", "+-", "%", ColumnKind::number, programs});
      section.table.columns.push_back({one.name + " low", "from", "%", ColumnKind::number});
      section.table.columns.push_back({one.name + " high", "to", "%", ColumnKind::number});
    }
    if (one.has_doubts()) section.table.columns.push_back({one.name + " remark", "", "", ColumnKind::text});
  }
  for (std::size_t i = 0; !list.empty() && i < list.front().merits.size(); ++i) {
    const Merit& first = list.front().merits[i];
    std::vector<Cell> row{first.title, first.unit};
    for (const MeritColumn& one : list) {
      const Merit& merit = one.merits[i];
      row.emplace_back(merit.value);
      if (one.has_intervals()) {
        row.push_back(merit.half_width ? Cell(*merit.half_width / one_percent) : Cell());
        row.push_back(merit.interval ? Cell(merit.interval->low / one_percent) : Cell());
        row.push_back(merit.interval ? Cell(merit.interval->high / one_percent) : Cell());
      }
      if (one.has_doubts()) row.emplace_back(merit.doubt);
    }
    if (std::ranges::any_of(list, [&](const MeritColumn& one) { return one.merits[i].value.has_value(); }))
      section.table.rows.push_back(std::move(row));
  }
  if (std::ranges::any_of(list, &MeritColumn::has_intervals))
    section.notes.push_back(
        "from, to: ends of the 95 % interval, relative to the value, where the records hold one");
  if (!section.table.rows.empty()) part.shown.push_back(std::move(section));
  part.cards = cards(list);
  return part;
}

}  // namespace steelyard::report
