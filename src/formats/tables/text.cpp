// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "formats/tables/cells.hpp"
#include "formats/tables/tables.hpp"

namespace steelyard::formats {
namespace {

using analysis::ColumnKind;
using analysis::Section;
using analysis::Table;

constexpr std::string_view gap = "  ";

/// Columns of a terminal: bytes that do not continue a UTF-8 sequence.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string wrapped(std::string_view sentence, std::size_t width) {
  std::string text, line;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find(' '), sentence.size());
    const std::string_view word = sentence.substr(0, end);
    if (!line.empty() && columns_of(line) + 1 + columns_of(word) > width) {
      text += line + '\n';
      line.clear();
    }
    line.append(line.empty() ? "" : " ").append(word);
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
  }
  return text + line + '\n';
}

/// Control characters of somebody's name must not reach the terminal.
std::string harmless(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, columns_of(text)), ' ');
  return right ? blanks + text : text + blanks;
}

/// Texts of a table, line by line: titles, units where there are any, rows.
std::vector<std::vector<std::string>> lines_of(const Table& table) {
  const auto columns = eye_columns(table);
  std::vector<std::vector<std::string>> lines(2);
  for (const std::size_t c : columns) {
    lines[0].push_back(harmless(table.columns[c].title));
    lines[1].push_back(harmless(table.columns[c].unit));
  }
  if (std::ranges::all_of(lines[1], &std::string::empty)) lines.pop_back();
  for (const std::size_t r : eye_rows(table)) {
    lines.emplace_back();
    for (const std::size_t c : columns)
      lines.back().push_back(harmless(eye_text(table.rows[r][c], table.columns[c].kind)));
  }
  return lines;
}

std::string trimmed_line(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string table_text(const Table& table) {
  const auto columns = eye_columns(table);
  const auto lines = lines_of(table);
  std::vector<std::size_t> widths(columns.size());
  for (const auto& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], columns_of(line[c]));
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t c = 0; c < line.size(); ++c)
      row += std::string(c == 0 ? "" : gap) +
             padded(line[c], widths[c], table.columns[columns[c]].kind == ColumnKind::number);
    text += trimmed_line(std::move(row));
  }
  return text;
}

std::string section_text(const Section& section, std::size_t width) {
  std::string text;
  if (!section.title.empty())
    text += harmless(section.title) + '\n' + std::string(columns_of(section.title), '-') + '\n';
  for (const std::string& sentence : section.text) text += wrapped(harmless(sentence), width);
  if (!section.table.columns.empty() && !section.table.rows.empty()) text += table_text(section.table);
  for (const std::string& note : section.notes) text += wrapped(harmless(note), width);
  return text;
}

}  // namespace

std::string tables_text(const analysis::Tables& tables, std::size_t width) {
  std::string text;
  for (const Section& section : tables) text += (text.empty() ? "" : "\n") + section_text(section, width);
  return text;
}

}  // namespace steelyard::formats
