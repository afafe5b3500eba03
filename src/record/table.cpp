// SPDX-License-Identifier: Apache-2.0
#include "record/table.hpp"

#include <algorithm>
#include <stdexcept>

#include "record/file.hpp"
#include "record/json.hpp"

namespace steelyard::record {
namespace {

// Room for the text around the cells: envelope, names of columns, brackets. Names and keys are far shorter than this.
constexpr std::size_t room_for_head = std::size_t{1} << 16;
constexpr std::size_t room_for_cells = max_line_byte - room_for_head;

std::size_t rows_of(const Json& columns) {
  if (!columns.is_object() || columns.empty()) throw std::domain_error("a table needs named columns");
  const std::size_t rows = columns.begin()->size();
  for (const auto& [name, column] : columns.items()) {
    if (!column.is_array() || column.size() != rows) {
      throw std::domain_error("column '" + name + "' of a table is not a list as long as the first one");
    }
  }
  return rows;
}

std::size_t length_of_row(const Json& columns, std::size_t row) {
  std::size_t length = 0;
  for (const Json& column : columns) {
    length += column[row].dump().size() + 1;
  }
  return length;
}

/// First rows of the parts, and the number of rows at the end.
std::vector<std::size_t> borders(const Json& columns) {
  std::vector<std::size_t> list{0};
  const std::size_t rows = rows_of(columns);
  std::size_t used = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t length = length_of_row(columns, row);
    if (length > room_for_cells) throw WriteError("a row of a table does not fit into a line");
    if (used + length > room_for_cells) list.push_back(row), used = 0;
    used += length;
  }
  list.push_back(rows);
  return list;
}

Json rows_between(const Json& columns, std::size_t first, std::size_t last) {
  Json part = Json::object();
  for (const auto& [name, column] : columns.items()) {
    Json& kept = part[name] = Json::array();
    for (std::size_t row = first; row < last; ++row) kept.push_back(column[row]);
  }
  return part;
}

bool is_table(const Json& columns) {
  if (!columns.is_object() || columns.empty()) return false;
  const std::size_t rows = columns.begin()->size();
  return std::ranges::all_of(columns.items(), [&](const auto& column) {
    return column.value.is_array() && column.value.size() == rows;
  });
}

}  // namespace

std::vector<TableRecord> split_table(const TableRecord& table) {
  const Json& columns = table.columns.json();
  const std::vector<std::size_t> border = borders(columns);
  if (border.size() == 2) return {table};
  std::vector<TableRecord> list;
  for (std::size_t i = 0; i + 1 < border.size(); ++i) {
    TableRecord part{table.name,
                     table.suite,
                     table.key,
                     static_cast<int>(i + 1),
                     static_cast<int>(border.size() - 1),
                     Document(rows_between(columns, border[i], border[i + 1]))};
    list.push_back(std::move(part));
  }
  return list;
}

bool append_rows(TableRecord& into, const TableRecord& more) {
  Json& columns = into.columns.json();
  const Json& added = more.columns.json();
  if (!is_table(columns) || !is_table(added) || added.size() != columns.size()) return false;
  for (const auto& [name, column] : added.items())
    if (!columns.contains(name)) return false;
  for (const auto& [name, column] : added.items())
    for (const Json& cell : column) columns[name].push_back(cell);
  into.part = into.parts = 1;
  return true;
}

}  // namespace steelyard::record
