// SPDX-License-Identifier: Apache-2.0
#include "report/page_pieces.hpp"

#include <algorithm>
#include <map>

#include "formats/tables/tables.hpp"
#include "report/recorded.hpp"
#include "report/rows.hpp"

namespace steelyard::report {
namespace {

using formats::html_text;

constexpr std::size_t most_results = 6, longest_library = 40;

/// "Open MPI v4.1.4" of a library's own sentence about itself.
std::string library(const record::RunRecord& head) {
  std::string text = at(head.mpi, "/library");
  text = text.substr(0, text.find_first_of(",\n"));
  return text.size() > longest_library ? record::valid_utf8(text.substr(0, longest_library)) + " ..." : text;
}

std::string layout(const record::RunRecord& head) {
  std::string text = counted(head.processes, "process", "processes");
  if (head.threads_per_process > 1) text += " x " + counted(head.threads_per_process, "thread", "threads");
  return text + " on " + counted(head.nodes, "node", "nodes");
}

std::string fact(const char* title, const std::string& value) {
  if (value.empty()) return {};
  return "<div><dt>" + std::string(title) + "</dt><dd>" + html_text(value) + "</dd></div>";
}

std::string run_facts(const record::Run& run) {
  const auto& head = run.head;
  return "<dl class=\"facts\">" + fact("machine", head.name) + fact("run as", layout(head)) +
         fact("MPI", library(head)) + fact("preset", at(head.config, "/preset")) +
         fact("started", head.started_utc) + fact("run", run.id) + "</dl>\n";
}

std::string value_html(const Card::Value& value) {
  std::string text = "<span class=\"card-value\">" + html_text(value.text);
  if (!value.of.empty()) text += " <span class=\"of\">" + html_text(value.of) + "</span>";
  text += "</span>";
  if (!value.note.empty()) text += "<span class=\"card-note\">" + html_text(value.note) + "</span>";
  return text;
}

std::string cell_text(const analysis::Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell.value)) return std::to_string(*whole);
  const auto* text = std::get_if<std::string>(&cell.value);
  return text == nullptr ? std::string() : *text;
}

std::string links(const std::string& where, const std::string& part, const std::string& filter) {
  std::string text;
  if (!part.empty()) text = "<a href=\"#" + html_text(part) + "\">" + html_text(where) + "</a>";
  if (!filter.empty())
    text += (text.empty() ? "" : ", ") + std::string("<a class=\"filtered\" href=\"#points\" data-filter=\"") +
            html_text(filter) + "\">its points</a>";
  return text;
}

constexpr std::size_t most_warnings = 4;

}  // namespace

std::string validity_html(const analysis::Section& section) {
  std::string text = "<section class=\"validity\">\n";
  if (!section.title.empty()) text += "<h3>" + html_text(section.title) + "</h3>\n";
  text += "<div class=\"table\"><table><thead><tr><td></td><th scope=\"col\" class=\"number\">count</th>"
          "<th scope=\"col\">what</th><th scope=\"col\">where</th></tr></thead><tbody>\n";
  for (const auto& row : section.table.rows) {
    std::map<std::string_view, std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) cells[section.table.columns[i].key] = cell_text(row[i]);
    const std::string severity = html_text(cells["severity"]);
    text += "<tr><td class=\"severity " + severity + "\">" + severity + "</td><td class=\"number\">" + cells["count"] +
            "</td><td>" + html_text(cells["what"]) + "</td><td>" + links(cells["where"], cells["part"], cells["filter"]) +
            "</td></tr>\n";
  }
  return text + "</tbody></table></div></section>\n";
}

std::string warnings_html(const std::vector<Warning>& warnings) {
  if (warnings.empty()) return {};
  std::string text = "<ul class=\"warnings\">\n";
  const std::size_t shown = std::min(most_warnings, warnings.size());
  for (std::size_t i = 0; i < shown; ++i)
    text += "<li><span class=\"severity " + html_text(warnings[i].severity) + "\">" + html_text(warnings[i].severity) +
            "</span> " + html_text(warnings[i].text) + "</li>\n";
  const std::string rest =
      warnings.size() > shown ? "and " + std::to_string(warnings.size() - shown) + " more: " : std::string();
  return text + "<li>" + rest + "<a href=\"#validity\">all that bears on validity</a></li>\n</ul>\n";
}

Head head_html(const ReportInput& input, const std::string& title, const PageOptions& options) {
  Head head{"<header><h1>" + html_text(title) + "</h1><p class=\"made\">steelyard" +
                (options.generated_utc.empty() ? "" : ", " + html_text(options.generated_utc)) +
                "</p></header>\n",
            {}};
  if (input.runs.empty()) return head;
  head.facts = "<div role=\"region\" aria-label=\"What was run\">\n";
  for (std::size_t i = 0; i < std::min(most_results, input.runs.size()); ++i)
    head.facts += run_facts(input.runs[i]);
  if (input.runs.size() > most_results)
    head.facts += "<p class=\"note\">and " + std::to_string(input.runs.size() - most_results) +
                  " more, see Environment and method</p>\n";
  head.facts += "</div>\n";
  return head;
}

std::string validity_line(const Part& verdict) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& section : verdict.shown) {
    if (section.id != "validity") continue;
    const auto at = std::ranges::find(section.table.columns, "severity", &analysis::Column::key);
    for (const auto& row : section.table.rows)
      ++counts[cell_text(row[static_cast<std::size_t>(at - section.table.columns.begin())])];
  }
  if (counts.empty()) return {};
  std::string text;
  const bool one = counts["error"] + counts["warning"] == 1;
  for (const auto& [word, plural] : {std::pair("error", "errors"), std::pair("warning", "warnings")})
    if (counts[word] > 0) text += (text.empty() ? "" : " and ") + counted(counts[word], word, plural);
  return "<p class=\"note\"><a href=\"#validity\">" + text + (one ? " bears" : " bear") + " on validity</a></p>\n";
}

std::string cards_html(const std::vector<Card>& cards) {
  std::string text = "<div class=\"cards\">\n";
  for (const Card& card : cards) {
    const bool link = !card.part.empty();
    text += link ? "<a class=\"card\" href=\"#" + html_text(card.part) + "\">" : "<div class=\"card\">";
    text += "<span class=\"card-title\">" + html_text(card.title) + "</span>";
    for (const Card::Value& value : card.values) text += value_html(value);
    text += link ? "</a>\n" : "</div>\n";
  }
  return text + "</div>\n";
}

}  // namespace steelyard::report
