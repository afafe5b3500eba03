// SPDX-License-Identifier: Apache-2.0
#include "formats/tables/cells.hpp"
#include "formats/tables/tables.hpp"

namespace steelyard::formats {
namespace {

using analysis::ColumnKind;
using analysis::Section;
using analysis::Table;

/// No text of a record becomes markup: not a tag, not an entity, not a cell's border.
std::string escaped(std::string_view text, bool markdown = false) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (markdown && (c == '\n' || c == '\r'))
      out += ' ';
    else if (markdown && std::string_view("|\\`*_[]").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else
      out += c;
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
    const std::string title = escaped(heading(table.columns[c]));
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
              escaped(eye_text(table.rows[r][c], table.columns[c].kind)) + "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

bool has_rows(const Table& table) {
  return !table.columns.empty() && !table.rows.empty();
}

constexpr std::string_view style =
    ":root{color-scheme:light dark}body{font:16px/1.5 "
    "system-ui,sans-serif;max-width:1180px;margin:auto;padding:1rem;"
    "font-variant-numeric:tabular-nums}.table{overflow-x:auto}table{border-collapse:collapse}"
    "th,td{padding:.2rem .6rem;text-align:left;border-bottom:1px solid}th.number,td.number{text-align:right}";

}  // namespace

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
  return escaped(text);
}

std::string tables_html(const analysis::Tables& tables, int level) {
  const std::string tag = "h" + std::to_string(level);
  std::string text;
  for (const Section& section : tables) {
    text += "<section>\n";
    if (!section.title.empty()) text += '<' + tag + '>' + escaped(section.title) + "</" + tag + ">\n";
    for (const std::string& sentence : section.text) text += "<p>" + escaped(sentence) + "</p>\n";
    if (has_rows(section.table)) text += html_table(section.table);
    for (const std::string& note : section.notes) text += "<p class=\"note\">" + escaped(note) + "</p>\n";
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

}  // namespace steelyard::formats
