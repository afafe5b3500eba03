// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "units/text.hpp"

namespace steelyard::formats {
namespace {

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

/// Right-aligned; a text that fills the cell keeps a blank in front, so that readers can split at blanks.
std::string cell(const std::string& text) {
  if (text.size() >= cell_width) return " " + text;
  return fmt::format("{:>{}}", text, cell_width);
}

double unit(ImbScale scale, imb::Version version) {
  switch (scale) {
    case ImbScale::one:
      return 1;
    case ImbScale::microseconds:
      return 1e-6;
    case ImbScale::megabytes:
      return imb::mbyte(version);
  }
  return 1;
}

std::string parameter(const record::PointRecord& point, std::string_view name, std::int64_t times = 1) {
  const record::Value* value = record::find(point.params, name);
  const auto* whole = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return whole == nullptr ? "-" : fmt::format("{}", times * *whole);
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

}  // namespace

const ImbLayout& imb_layout(imb::Table kind) {
  switch (kind) {
    case imb::Table::a:
      return kind_a;
    case imb::Table::b:
      return kind_b;
    case imb::Table::c:
      return kind_c;
    case imb::Table::d:
      return kind_d;
    case imb::Table::e:
      return kind_e;
    case imb::Table::f:
      return kind_f;
    case imb::Table::g:
      return kind_g;
    case imb::Table::h:
      return kind_h;
    case imb::Table::patterns:
      return kind_patterns;
    case imb::Table::bands:
      return kind_bands;
    case imb::Table::j:
      return kind_j;
    case imb::Table::j_unsized:
      return kind_j_unsized;
    case imb::Table::k:
      return kind_k;
    case imb::Table::l:
      return kind_l;
  }
  return kind_c;
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
