// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "formats/tables/tables.hpp"
#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using analysis::Audience;
using analysis::Cell;
using analysis::Section;
using record::Json;

Json json_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell.value)) return record::valid_utf8(*text);
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) return *count;
  const auto* real = std::get_if<double>(&cell.value);
  return real != nullptr && std::isfinite(*real) ? Json(*real) : Json();
}

std::string csv_word(const Cell& cell) {
  const Json value = json_of(cell);
  if (value.is_null()) return {};
  if (!value.is_string()) return value.dump();
  const std::string text = value.get<std::string>();
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::vector<std::size_t> columns_for_programs(const analysis::Table& table) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].shown != Audience::readers) list.push_back(i);
  return list;
}

Json section_json(const Section& section) {
  Json out{{"id", section.id},         {"title", section.title}, {"text", section.text},
           {"columns", Json::array()}, {"rows", Json::array()},  {"notes", section.notes}};
  const auto columns = columns_for_programs(section.table);
  for (const std::size_t c : columns) {
    const auto& column = section.table.columns[c];
    out["columns"].push_back({{"key", column.key}, {"title", column.title}, {"unit", column.unit}});
  }
  for (const auto& row : section.table.rows) {
    Json cells = Json::array();
    for (const std::size_t c : columns) cells.push_back(json_of(row[c]));
    out["rows"].push_back(std::move(cells));
  }
  return out;
}

}  // namespace

std::string tables_csv(const analysis::Tables& tables, std::string_view id) {
  std::string text;
  for (const Section& section : tables) {
    if (section.table.id != id) continue;
    const auto columns = columns_for_programs(section.table);
    const auto append = [&](auto word_of) {
      for (std::size_t i = 0; i < columns.size(); ++i) text += (i == 0 ? "" : ",") + word_of(columns[i]);
      text += '\n';
    };
    if (text.empty()) append([&](std::size_t c) { return csv_word(Cell(section.table.columns[c].key)); });
    for (const auto& row : section.table.rows) append([&](std::size_t c) { return csv_word(row[c]); });
  }
  return text;
}

record::Json tables_json(const analysis::Tables& tables) {
  Json list = Json::array();
  for (const Section& section : tables) list.push_back(section_json(section));
  return list;
}

}  // namespace steelyard::formats
