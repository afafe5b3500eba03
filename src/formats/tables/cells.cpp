// SPDX-License-Identifier: Apache-2.0
#include "formats/tables/cells.hpp"

#include "units/text.hpp"

namespace steelyard::formats {
namespace {

using analysis::Audience;
using analysis::Cell;
using analysis::ColumnKind;

constexpr int eye_digits = 3;

std::string number(const Cell& cell, double value) {
  return cell.decimals >= 0 ? units::format_fixed(value, cell.decimals)
                            : units::format_significant(value, eye_digits);
}

std::string plain(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell.value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) return std::to_string(*count);
  if (const auto* real = std::get_if<double>(&cell.value)) return number(cell, *real);
  return {};
}

}  // namespace

std::string eye_text(const Cell& cell, ColumnKind kind) {
  const std::string text = plain(cell);
  if (text.empty()) return kind == ColumnKind::number ? "-" : "";
  if (kind == ColumnKind::flags) return '[' + text + ']';
  return cell.doubtful ? '(' + text + ')' : text;
}

std::vector<std::size_t> eye_columns(const analysis::Table& table) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].shown != Audience::programs) list.push_back(i);
  return list;
}

std::vector<std::size_t> eye_rows(const analysis::Table& table) {
  std::size_t needed = table.columns.size();
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].key == table.needed) needed = i;
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (needed == table.columns.size() ||
        !std::holds_alternative<std::monostate>(table.rows[i][needed].value))
      list.push_back(i);
  return list;
}

std::string heading(const analysis::Column& column) {
  if (column.unit.empty()) return column.title;
  return column.title.empty() ? column.unit : column.title + ", " + column.unit;
}

}  // namespace steelyard::formats
