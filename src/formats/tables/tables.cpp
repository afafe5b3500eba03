// SPDX-License-Identifier: Apache-2.0
#include "formats/tables/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "formats/csv.hpp"
#include "record/value.hpp"
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

using analysis::Section;
using record::Json;

Json json_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell.value)) return record::valid_utf8(*text);
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) return *count;
  const auto* real = std::get_if<double>(&cell.value);
  return real != nullptr && std::isfinite(*real) ? Json(*real) : Json();
}

/// Appends a cell: numbers as JSON spells them, nothing for what is not available.
void append_csv(std::string& line, const Cell& cell) {
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) line += std::to_string(*count);
  if (const auto* real = std::get_if<double>(&cell.value); real != nullptr && std::isfinite(*real))
    record::append_number(line, *real);
  if (const auto* text = std::get_if<std::string>(&cell.value)) append_csv_field(line, *text);
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

using analysis::Table;

constexpr char first_of_directions = '\xe2';

/// Length of a character at `at` that turns the direction of what follows (U+202A to U+202E, U+2066 to U+2069), 0 of any
/// other. A name with one would show the numbers behind it from right to left.
std::size_t direction_at(std::string_view text, std::size_t at) {
  const std::string_view c = text.substr(at, 3);
  if (c.size() < 3 || c[0] != first_of_directions) return 0;
  const auto last = static_cast<unsigned char>(c[2]);
  const bool turns =
      (c[1] == '\x80' && last >= 0xaa && last <= 0xae) || (c[1] == '\x81' && last >= 0xa6 && last <= 0xa9);
  return turns ? c.size() : 0;
}

/// Text in which such characters are shown as what they are, "[U+202E]".
std::string directions_shown(std::string text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (std::size_t i = text.find(first_of_directions); i < text.size();
       i = text.find(first_of_directions, i)) {
    const std::size_t length = direction_at(text, i);
    if (length == 0) {
      ++i;
      continue;
    }
    const unsigned code =
        (text[i + 1] == '\x80' ? 0x00U : 0x40U) + (static_cast<unsigned char>(text[i + 2]) & 0x3fU);
    const std::string shown = std::string("[U+20") + digits[code / 16] + digits[code % 16] + ']';
    text.replace(i, length, shown);
    i += shown.size();
  }
  return text;
}

/// Whether all characters are printable ones of ASCII, as nearly all texts have.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// Text as it may be shown: neither its directions nor its control characters, but those kept, have an effect.
std::string harmless(std::string text, std::string_view kept = {}) {
  if (is_plain(text)) return text;
  return units::controls_escaped(directions_shown(std::move(text)), kept);
}

/// Escaped text: no text of a record becomes markup, not a tag, not an entity, not a cell's border.
std::string escaped(std::string_view text, bool markdown = false) {
  std::string out;
  for (const char c : harmless(std::string(text), markdown ? "" : "\n\r\t")) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (markdown && std::string_view("|\\`*_[]").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

/// Whether a text begins with a unit: "%", "GiB", "Gflop/s".
bool begins_with_unit(std::string_view text) {
  constexpr auto units = std::to_array<std::string_view>({"%", "s", "min", "h", "B", "Hz", "flop"});
  std::string_view word = text.substr(0, text.find_first_of(" ,.;:/)'&"));
  if (std::ranges::find(units, word) != units.end()) return true;
  for (const std::string_view prefixes : {"pnumkMGTP", "i"})
    if (!word.empty() && prefixes.find(word[0]) != std::string_view::npos) word.remove_prefix(1);
  return std::ranges::find(units, word) != units.end();
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Microseconds as pages write them: "us" stands for them in ASCII, behind a number, after a title or alone.
std::string with_micro(std::string_view word, bool is_unit) {
  const std::size_t at = word.starts_with("1/") ? 2 : 0;
  const std::string_view unit = word.substr(at, word.find_first_of(",.;:)'&", at) - at);
  if (!is_unit || unit != "us") return std::string(word);
  return std::string(word.substr(0, at)) + "µ" + std::string(word.substr(at + 1));
}

/// Escaped text for a page: no line ends between a number and its unit.
std::string prose(std::string_view text) {
  const std::string whole = escaped(text);
  std::string out;
  for (std::size_t at = 0; at <= whole.size();) {
    const std::size_t end = std::min(whole.find(' ', at), whole.size());
    const std::string_view word = std::string_view(whole).substr(at, end - at);
    const bool counted = !out.empty() && out.back() == ' ' && out.size() > 1 && is_digit(out[out.size() - 2]);
    if (counted && begins_with_unit(word)) out.replace(out.size() - 1, 1, "&nbsp;");
    out += with_micro(word, counted || end == whole.size());
    if (end < whole.size()) out += ' ';
    at = end + 1;
  }
  return out;
}

/// The same for sentences: nor does a line end behind a hyphen of a name or command that is copied, "b-eff-io".
std::string unbroken(std::string_view text) {
  constexpr std::size_t longest = 24;
  const std::string whole = prose(text);
  std::string out;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = std::min(whole.find_first_of(" /", at), whole.size() - 1) + 1;
    const std::string_view word = std::string_view(whole).substr(at, end - at);
    const std::string_view bare = word.substr(0, word.find_last_not_of(" /") + 1);
    const bool kept = bare.size() > 1 && bare.size() <= longest && bare.find('-') != std::string_view::npos;
    out += kept ? "<span class=\"whole\">" + std::string(bare) + "</span>" : std::string(bare);
    out += word.substr(bare.size());
    if (kept && word.ends_with('/')) out += "<wbr>";
    at = end;
  }
  return out;
}

std::string markdown_table(const Table& table) {
  const auto columns = eye_columns(table);
  std::string head = "|", ruler = "|", body;
  for (const std::size_t c : columns) {
    head += ' ' + escaped(heading(table.columns[c]), true) + " |";
    ruler += table.columns[c].kind == ColumnKind::number ? "---:|" : "---|";
  }
  for (const std::size_t r : eye_rows(table)) {
    body += '|';
    for (const std::size_t c : columns)
      body += ' ' + escaped(eye_text(table.rows[r][c], table.columns[c].kind), true) + " |";
    body += '\n';
  }
  return head + '\n' + ruler + '\n' + body + '\n';
}

std::string html_table(const Table& table) {
  const auto columns = eye_columns(table);
  std::string text = "<div class=\"table\"><table><thead><tr>";
  for (const std::size_t c : columns) {
    const std::string title = prose(heading(table.columns[c]));
    const bool number = table.columns[c].kind == ColumnKind::number;
    text += title.empty()
                ? "<td></td>"
                : (number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">") + title + "</th>";
  }
  text += "</tr></thead><tbody>\n";
  for (const std::size_t r : eye_rows(table)) {
    text += "<tr>";
    for (const std::size_t c : columns) {
      const bool number = table.columns[c].kind == ColumnKind::number;
      text += (number ? "<td class=\"number\">" : "<td>") +
              prose(eye_text(table.rows[r][c], table.columns[c].kind)) + "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

bool has_rows(const Table& table) {
  return !table.columns.empty() && !eye_rows(table).empty();
}

constexpr std::string_view style =
    ":root{color-scheme:light dark}body{font:16px/1.5 "
    "system-ui,sans-serif;max-width:1180px;margin:auto;padding:1rem;"
    "font-variant-numeric:tabular-nums}.table{overflow-x:auto}table{border-collapse:collapse}"
    "th,td{padding:.2rem .6rem;text-align:left;border-bottom:1px solid}th.number,td.number{text-align:right}";

constexpr std::string_view gap = "  ";

/// Number of columns on a terminal: bytes that do not continue a UTF-8 sequence.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Lines of whole words, as long as they may be. A word that is longer has a line of its own.
std::vector<std::string_view> broken(std::string_view sentence, std::size_t width) {
  std::vector<std::string_view> lines(1);
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find(' '), sentence.size());
    const std::string_view word = sentence.substr(0, end);
    if (!lines.back().empty() && columns_of(lines.back()) + 1 + columns_of(word) > width)
      lines.emplace_back();
    std::string_view& line = lines.back();
    line = line.empty() ? word : std::string_view(line.begin(), word.end());
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
  }
  return lines;
}

std::string wrapped(std::string_view sentence, std::size_t width) {
  std::string text;
  for (const std::string_view line : broken(sentence, width)) text.append(line) += '\n';
  return text;
}

/// Text with the number of its columns on a terminal.
template <class Text>
struct Measured {
  Text text;
  std::size_t columns = columns_of(text);
};
using Lines = std::vector<std::vector<Measured<std::string>>>;

/// Texts of a table, line by line: titles, units if there are any, rows.
Lines lines_of(const Table& table) {
  const auto columns = eye_columns(table);
  Lines lines(2);
  for (const std::size_t c : columns) {
    lines[0].push_back({harmless(table.columns[c].title)});
    lines[1].push_back({harmless(table.columns[c].unit)});
  }
  const auto is_empty = [](const auto& cell) { return cell.text.empty(); };
  while (!lines.empty() && std::ranges::all_of(lines.back(), is_empty)) lines.pop_back();
  const auto rows = eye_rows(table);
  lines.reserve(lines.size() + rows.size());
  for (const std::size_t r : rows) {
    auto& line = lines.emplace_back();
    line.reserve(columns.size());
    for (const std::size_t c : columns)
      line.push_back({harmless(eye_text(table.rows[r][c], table.columns[c].kind))});
  }
  return lines;
}

/// Whether a text may be broken into lines: commands are copied.
bool may_be_broken(const analysis::Column& column) {
  return column.kind == ColumnKind::text && column.key != "command";
}

/// Column of a table as it is printed.
struct Printed {
  std::size_t width = 0;  // of its widest text, or less
  std::size_t least = 0;  // to which it may be narrowed by breaking texts
  bool right = false;
};

/// Width to which the texts of a column may be broken.
std::size_t least_width(const Lines& lines, std::size_t column, std::size_t width) {
  constexpr std::size_t usual = 20;
  const std::size_t longest_kept = width / 2;  // a longer word sticks out of its own line alone
  std::size_t least = usual;
  for (const auto& line : lines)
    for (const std::string_view word : broken(line[column].text, 1))
      least = std::max(least, std::min(longest_kept, columns_of(word)));
  return least;
}

/// Columns that fit into the width together as far as broken texts help, the widest first.
std::vector<Printed> fitted(const Table& table, const Lines& lines, std::size_t width) {
  const auto columns = eye_columns(table);
  std::vector<Printed> list(columns.size());
  std::size_t sum = columns.empty() ? 0 : gap.size() * (columns.size() - 1);
  for (std::size_t c = 0; c < list.size(); ++c) {
    list[c].right = table.columns[columns[c]].kind == ColumnKind::number;
    for (const auto& line : lines) list[c].width = std::max(list[c].width, line[c].columns);
    list[c].least = list[c].width;
    sum += list[c].width;
  }
  for (std::size_t c = 0; sum > width && c < list.size(); ++c)
    if (may_be_broken(table.columns[columns[c]]))
      list[c].least = std::min(list[c].width, least_width(lines, c, width));
  for (; sum > width; --sum) {
    const auto slack = [](const Printed& one) { return one.width > one.least ? one.width : 0; };
    const auto widest = std::ranges::max_element(list, {}, slack);
    if (widest == list.end() || slack(*widest) == 0) break;
    --widest->width;
  }
  return list;
}

/// Cell of a row that was broken into lines.
using Broken = std::vector<Measured<std::string_view>>;

void break_cell(const Measured<std::string>& cell, std::size_t width, Broken& lines) {
  lines.clear();
  if (cell.columns <= width) return lines.push_back({cell.text, cell.columns});
  for (const std::string_view line : broken(cell.text, width)) lines.push_back({line});
}

/// Appends the line of this number of all cells of a row, without blanks at its end.
void append_row(std::string& text, const std::vector<Broken>& cells, std::size_t number,
                const std::vector<Printed>& columns) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto cell = number < cells[c].size() ? cells[c][number] : Measured<std::string_view>{};
    const std::size_t blanks = columns[c].width - std::min(columns[c].width, cell.columns);
    if (c > 0) text += gap;
    if (columns[c].right) text.append(blanks, ' ');
    text += cell.text;
    if (!columns[c].right) text.append(blanks, ' ');
  }
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

std::string table_text(const Table& table, std::size_t width) {
  const auto lines = lines_of(table);
  const auto columns = fitted(table, lines, width);
  std::vector<Broken> cells(columns.size());
  std::string text;
  for (const auto& line : lines) {
    std::size_t height = 1;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      break_cell(line[c], columns[c].width, cells[c]);
      height = std::max(height, cells[c].size());
    }
    for (std::size_t k = 0; k < height; ++k) append_row(text, cells, k, columns);
  }
  return text;
}

}  // namespace

std::string eye_text(const Cell& cell, ColumnKind kind) {
  std::string text = plain(cell);
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

std::string section_text(const Section& section, std::size_t width) {
  std::string text;
  if (!section.title.empty())
    text += harmless(section.title) + '\n' + std::string(columns_of(harmless(section.title)), '-') + '\n';
  for (const std::string& sentence : section.text) text += wrapped(harmless(sentence), width);
  if (has_rows(section.table)) text += table_text(section.table, width);
  for (const std::string& note : section.notes) text += wrapped(harmless(note), width);
  return text;
}

std::string table_csv(const Table& table, bool headed) {
  std::string text;
  const auto columns = columns_for_programs(table);
  const auto append = [&](const auto& cell_of) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text += ',';
      append_csv(text, cell_of(columns[i]));
    }
    text += '\n';
  };
  if (headed) append([&](std::size_t c) { return Cell(table.columns[c].key); });
  for (const auto& row : table.rows) append([&](std::size_t c) -> const Cell& { return row[c]; });
  return text;
}

std::string tables_csv(const analysis::Tables& tables, std::string_view id) {
  std::string text;
  for (const Section& section : tables)
    if (section.table.id == id) text += table_csv(section.table, text.empty());
  return text;
}

record::Json tables_json(const analysis::Tables& tables) {
  Json list = Json::array();
  for (const Section& section : tables) list.push_back(section_json(section));
  return list;
}

std::string tables_markdown(const analysis::Tables& tables) {
  std::string text;
  for (const Section& section : tables) {
    if (!section.title.empty()) text += "## " + escaped(section.title, true) + "\n\n";
    for (const std::string& sentence : section.text) text += escaped(sentence, true) + "\n\n";
    if (has_rows(section.table)) text += markdown_table(section.table);
    for (const std::string& note : section.notes) text += "- " + escaped(note, true) + '\n';
    if (!section.notes.empty()) text += '\n';
  }
  return text;
}

std::string html_text(std::string_view text) {
  return prose(text);
}

std::string html_sentence(std::string_view text) {
  return unbroken(text);
}

std::string html_attribute(std::string_view text) {
  return escaped(text);
}

std::string tables_html(const analysis::Tables& tables, int level) {
  const std::string tag = "h" + std::to_string(level);
  std::string text;
  for (const Section& section : tables) {
    text += "<section>\n";
    if (!section.title.empty()) text += '<' + tag + '>' + unbroken(section.title) + "</" + tag + ">\n";
    for (const std::string& sentence : section.text) text += "<p>" + unbroken(sentence) + "</p>\n";
    if (has_rows(section.table)) text += html_table(section.table);
    for (const std::string& note : section.notes) text += "<p class=\"note\">" + unbroken(note) + "</p>\n";
    text += "</section>\n";
  }
  return text;
}

std::string tables_page(const analysis::Tables& tables, std::string_view title) {
  const std::string name = escaped(title);
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
         "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'\"><meta name=\"viewport\" content=\"width=device-width\"><title>" +
         name + "</title><style>" + std::string(style) + "</style></head><body><main>\n<h1>" + name +
         "</h1>\n" + tables_html(tables) + "</main></body></html>\n";
}

std::string tables_text(const analysis::Tables& tables, std::size_t width) {
  std::string text;
  for (const Section& section : tables) text += (text.empty() ? "" : "\n") + section_text(section, width);
  return text;
}

}  // namespace steelyard::formats
