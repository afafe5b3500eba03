// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "record/point_view.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

constexpr std::size_t ranks_a_line = 16;
constexpr std::size_t most_shown = 1024;

/// Ranks of four digits behind one another, sixteen a line.
std::string numbers(std::span<const int> ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i > 0 && i % ranks_a_line == 0) text += "\n# ";
    text += fmt::format(" {:4}", ranks[i]);
  }
  return text;
}

/// Row of ranks and the line that ends it; of more than 1024 ranks the first and the last 512.
std::string row(const std::string& begin, std::span<const int> ranks) {
  if (ranks.size() <= most_shown) return begin + numbers(ranks) + "\n# \n";
  return fmt::format("{} {} ... {}\n# \n", begin, numbers(ranks.first(most_shown / 2)),
                     numbers(ranks.last(most_shown / 2)));
}

bool renumbers(const ImbBanner& banner) {
  return banner.map && banner.map->first > 1 && banner.map->second > 1 &&
         banner.map->first * banner.map->second == banner.world;
}

std::vector<int> order(const ImbBanner& banner) {
  return renumbers(banner) ? imb::rank_order(banner.map->first, banner.map->second) : std::vector<int>{};
}

std::string of_threads(const ImbBanner& banner) {
  std::string text = fmt::format("# #processes = {} (threads: {})\n", banner.processes, *banner.threads);
  if (banner.window) text += fmt::format("# window_size = {}\n", *banner.window);
  return text;
}

std::string one_group(const ImbBanner& banner) {
  if (banner.threads) return of_threads(banner);
  if (!renumbers(banner)) return fmt::format("# #processes = {} \n", banner.processes);
  std::string text = fmt::format("# #processes = {}; rank order (rowwise): \n", banner.processes);
  const std::vector<int> ranks = order(banner);
  std::span<const int> active = std::span(ranks).first(static_cast<std::size_t>(banner.processes));
  while (!active.empty()) {
    const auto length = std::min(active.size(), static_cast<std::size_t>(banner.map->second));
    text += row("# ", active.first(length));
    active = active.subspan(length);
  }
  return text;
}

std::string group_rows(const ImbBanner& banner) {
  const auto groups = imb::groups(banner.world, banner.processes, true, order(banner));
  std::string text;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool hidden =
        groups.size() > most_shown && g >= most_shown / 2 && g < groups.size() - most_shown / 2;
    if (!hidden) text += row(fmt::format("# Group {:2}: ", g), groups[g]);
    if (hidden && g == most_shown / 2) text += "#  . \n#  . \n";
  }
  return text;
}

std::string several_groups(const ImbBanner& banner) {
  return fmt::format("# ( {} groups of {} processes each running simultaneous ) \n", banner.groups,
                     banner.processes) +
         group_rows(banner);
}

std::string idle(const ImbBanner& banner) {
  if (banner.threads) return "";
  const int waiting = banner.world - banner.groups * banner.processes;
  if (waiting <= 0) return "";
  return fmt::format("# ( {} additional process{} waiting in MPI_Barrier)\n", waiting,
                     waiting == 1 ? "" : "es");
}

std::string mode(const ImbBanner& banner) {
  if (banner.mode == imb::Mode::none) return "";
  return fmt::format("#\n#    MODE: {} \n#\n",
                     banner.mode == imb::Mode::aggregate ? "AGGREGATE" : "NON-AGGREGATE");
}

/// Grid with blanks: "3 x 2" of "3x2".
std::string spaced(const std::string& grid) {
  std::string text;
  for (const char c : grid) text += c == 'x' ? std::string(" x ") : std::string(1, c);
  return text;
}

std::string topology(const ImbBanner& banner) {
  if (!banner.neighbours) return "";
  const std::string sides = banner.topology.empty() ? "chosen by MPI" : spaced(banner.topology);
  return fmt::format("# topology = {}, neighbours = {}\n", sides, *banner.neighbours);
}

using ImbScale = ImbColumn::Scale;

constexpr int cell_width = 13;

constexpr ImbColumn repetitions{"#repetitions", "repetitions", 0, ImbScale::one};
constexpr ImbColumn time_max_alone{"t[usec]", "t_max_s"};
constexpr ImbColumn time_min{"t_min[usec]", "t_min_s"};
constexpr ImbColumn time_max{"t_max[usec]", "t_max_s"};
constexpr ImbColumn time_avg{"t_avg[usec]", "t_avg_s"};
constexpr ImbColumn throughput{"Mbytes/sec", "bandwidth_byte_s", 2, ImbScale::megabytes, true};
constexpr ImbColumn messages{"Msg/sec", "message_rate_op_s", 0, ImbScale::one};
constexpr ImbColumn defects{"defects", "defects", 2, ImbScale::one, false, 0.01};

constexpr std::array columns_a{repetitions, time_max_alone, throughput};
constexpr std::array columns_b{repetitions, time_min, time_max, time_avg, throughput};
constexpr std::array columns_c{repetitions, time_min, time_max, time_avg};
constexpr ImbColumn time_overlapped{"t_ovrl[usec]", "t_ovrl_s"};
constexpr ImbColumn time_pure{"t_pure[usec]", "t_pure_s"};
constexpr ImbColumn time_computing{"t_CPU[usec]", "t_cpu_s"};
constexpr ImbColumn overlap{" overlap[%]", "overlap_percent", 2, ImbScale::one};
constexpr std::array columns_e{repetitions, time_overlapped, time_pure, time_computing, overlap};
constexpr std::array columns_g{repetitions, throughput, messages};
constexpr std::array columns_h{repetitions, time_pure, time_overlapped};

constexpr ImbColumn time_mean_alone{"t[usec]", "t_avg_s"};
constexpr std::array columns_patterns{repetitions, time_mean_alone, throughput, messages};

constexpr std::array columns_bands{repetitions, time_avg, throughput, messages};
constexpr ImbColumn parts{"#parts", "", 0, ImbScale::one, false, 0, "partitions"};
constexpr std::array columns_j{repetitions, ImbColumn{"t_init[usec]", "t_init_max_s"},
                               ImbColumn{"t_exec[usec]", "t_exec_s"}, ImbColumn{"t_call[usec]", "t_call_s"},
                               ImbColumn{"break_even", "break_even", 0, ImbScale::one}};
constexpr std::array columns_k{parts, repetitions, time_max_alone, throughput};
constexpr std::array columns_l{
    parts,
    repetitions,
    ImbColumn{"t_comp[usec]", "t_comp_s"},
    ImbColumn{"t_part[usec]", "t_part_s"},
    ImbColumn{"t_p2p[usec]", "t_p2p_s"},
    ImbColumn{"overhead", "overhead", 2, ImbScale::one},
    ImbColumn{"perceiv_MB/s", "perceived_bandwidth_byte_s", 2, ImbScale::megabytes},
    ImbColumn{"early[%]", "early_percent", 2, ImbScale::one}};
constexpr ImbLayout kind_j{true, true, columns_j};
constexpr ImbLayout kind_j_unsized{false, false, columns_j};
constexpr ImbLayout kind_k{true, true, columns_k};
constexpr ImbLayout kind_l{true, true, columns_l};

constexpr ImbLayout kind_bands{true, true, columns_bands};
constexpr ImbLayout kind_patterns{true, true, columns_patterns};
constexpr ImbLayout kind_a{true, true, columns_a};
constexpr ImbLayout kind_b{true, true, columns_b};
constexpr ImbLayout kind_c{true, true, columns_c};
constexpr ImbLayout kind_d{false, false, columns_c};
constexpr ImbLayout kind_e{true, true, columns_e};
constexpr ImbLayout kind_f{false, false, columns_e};
constexpr ImbLayout kind_g{true, true, columns_g};
constexpr ImbLayout kind_h{true, true, columns_h};

/// Cell, right-aligned; a text that fills it keeps a blank in front, so that readers can split at blanks.
std::string cell(const std::string& text) {
  if (text.size() >= cell_width) return " " + text;
  return fmt::format("{:>{}}", text, cell_width);
}

double unit(ImbScale scale, imb::Version version) {
  switch (scale) {
    case ImbScale::one: return 1;
    case ImbScale::microseconds: return 1e-6;
    case ImbScale::megabytes: return imb::mbyte(version);
  }
  return 1;
}

std::string parameter(const record::PointRecord& point, std::string_view name, std::int64_t times = 1) {
  const auto whole = record::whole_of(record::find(point.params, name));
  return whole ? fmt::format("{}", times * *whole) : "-";
}

std::string number(const ImbColumn& column, const record::PointRecord& point, imb::Version version) {
  if (!column.parameter.empty()) return parameter(point, column.parameter);
  const record::Value* value = record::find(point.classic, column.member);
  const bool absent = value == nullptr || std::holds_alternative<std::nullptr_t>(*value);
  if (absent) return column.zero_if_absent ? units::format_fixed(0, column.decimals) : "-";
  if (const auto* whole = std::get_if<std::int64_t>(value); whole != nullptr && column.decimals == 0)
    return fmt::format("{}", *whole);
  const double raw = record::number(*value);
  const double shown = raw > 0 ? std::max(raw, column.least) : raw;
  return units::format_fixed(shown / unit(column.scale, version), column.decimals);
}

const ImbLayout& imb_layout(imb::Table kind) {
  switch (kind) {
    case imb::Table::a: return kind_a;
    case imb::Table::b: return kind_b;
    case imb::Table::c: return kind_c;
    case imb::Table::d: return kind_d;
    case imb::Table::e: return kind_e;
    case imb::Table::f: return kind_f;
    case imb::Table::g: return kind_g;
    case imb::Table::h: return kind_h;
    case imb::Table::patterns: return kind_patterns;
    case imb::Table::bands: return kind_bands;
    case imb::Table::j: return kind_j;
    case imb::Table::j_unsized: return kind_j_unsized;
    case imb::Table::k: return kind_k;
    case imb::Table::l: return kind_l;
  }
  return kind_c;
}

}  // namespace

std::string printed_name(const ImbBanner& banner) {
  std::string text = (banner.groups > 1 ? "Multi-" : "") + banner.benchmark;
  if (banner.grid.empty()) return text;
  return text + " (" + spaced(banner.grid) + ")";
}

std::string imb_no_executions(const std::string& benchmark, int width) {
  const std::string rule = fmt::format("#{:->{}}\n", "", width - 1);
  return fmt::format("\n{0}# Benchmarking {1}\n# NO SUCCESSFUL EXECUTIONS\n{0}\n", rule, benchmark);
}

std::string imb_banner(const ImbBanner& banner, int width) {
  const std::string rule = fmt::format("#{:->{}}\n", "", width - 1);
  return fmt::format("\n{}# Benchmarking {} \n{}{}{}{}{}", rule, printed_name(banner),
                     banner.groups > 1 ? several_groups(banner) : one_group(banner), topology(banner),
                     idle(banner), rule, mode(banner));
}

ImbTable imb_table(std::string_view benchmark, const ImbSetup& setup, imb::Version version) {
  const imb::Definition* definition = imb::find(*setup.part, benchmark);
  const auto kind = definition == nullptr ? imb::Table::c : imb::table_of(*definition, setup.multi);
  const ImbLayout& layout = imb_layout(kind);
  const bool of_threads = definition != nullptr && definition->kind == imb::Class::threads;
  const bool checked = layout.checkable && (definition == nullptr || definition->shows_defects);
  return {.layout = &layout,
          .size_name = setup.part->size_name,
          .by_thread = of_threads,
          .group = setup.multi == 1,
          .defects = setup.check && checked,
          .version = version};
}

int width(const ImbTable& table) {
  const auto cells = (table.group ? 1u : 0u) + (table.layout->sized ? 1u : 0u) +
                     table.layout->columns.size() + (table.defects ? 1u : 0u);
  return cell_width * static_cast<int>(cells);
}

std::string heading(const ImbTable& table) {
  std::string text;
  const auto add = [&](std::string_view word) { text += fmt::format("{:>{}}", word, cell_width); };
  if (table.group) add("Group");
  if (table.layout->sized) add("#bytes");
  for (const ImbColumn& column : table.layout->columns) add(column.heading);
  if (table.defects) add(defects.heading);
  return text;
}

std::string row_begin(const ImbTable& table, const record::PointRecord& point) {
  std::string text;
  if (table.group) text += cell(parameter(point, "group"));
  if (table.layout->sized)
    text += cell(parameter(point, table.size_name, table.by_thread ? point.threads : 1));
  return text.empty() ? cell("") : text;
}

std::string row(const ImbTable& table, const record::PointRecord& point) {
  std::string text = table.group || table.layout->sized ? row_begin(table, point) : "";
  for (const ImbColumn& column : table.layout->columns) text += cell(number(column, point, table.version));
  if (table.defects) text += cell(number(defects, point, table.version));
  return text;
}

}  // namespace steelyard::formats
