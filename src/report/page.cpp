// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string_view>

#include "analysis/parallel.hpp"
#include "formats/tables/tables.hpp"
#include "machine/compression.hpp"
#include "machine/text.hpp"
#include "record/json.hpp"
#include "report/embedded.hpp"
#include "report/report.hpp"
#include "report/rows.hpp"
#include "report/sections.hpp"
#include "units/text.hpp"

namespace steelyard::report {
namespace {

using formats::html_attribute;
using formats::html_sentence;
using formats::html_text;
using record::Json;

constexpr std::size_t most_results = 6, longest_library = 40;

/// "Open MPI v4.1.4" of a library's own sentence about itself.
std::string library(const record::RunRecord& head) {
  std::string text = at(head.mpi, "/library");
  text = text.substr(0, text.find_first_of(",\n"));
  return text.size() > longest_library ? record::valid_utf8(text.substr(0, longest_library)) + " ..." : text;
}

std::string layout(const record::RunRecord& head) {
  std::string text = units::counted(head.processes, "process");
  if (head.threads_per_process > 1) text += " x " + units::counted(head.threads_per_process, "thread");
  return head.nodes < 1 ? text : text + " on " + units::counted(head.nodes, "node");
}

std::string fact(const char* title, const std::string& value) {
  if (value.empty()) return {};
  return "<div><dt>" + std::string(title) + "</dt><dd>" + html_sentence(value) + "</dd></div>";
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
    text += (text.empty() ? "" : "<span class=\"filtered\">, </span>") +
            std::string("<a class=\"filtered\" href=\"#points\" data-filter=\"") + html_attribute(filter) +
            "\">its points</a>";
  return text;
}

constexpr std::size_t most_warnings = 4;

/// Title, and what was run where: machine, processes, MPI, preset, date, id; at most six results.
struct Head {
  std::string title, facts;
};

/// A table of what bears on validity: each row a link to its part and, for scripts, to its points.
std::string validity_html(const analysis::Section& section) {
  std::string text = "<section class=\"validity\">\n";
  if (!section.title.empty()) text += "<h3>" + html_text(section.title) + "</h3>\n";
  text +=
      "<div class=\"table\"><table><thead><tr><td></td><th scope=\"col\" class=\"number\">count</th>"
      "<th scope=\"col\">what</th><th scope=\"col\">where</th></tr></thead><tbody>\n";
  for (const auto& row : section.table.rows) {
    std::map<std::string_view, std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) cells[section.table.columns[i].key] = cell_text(row[i]);
    const std::string severity = html_text(cells["severity"]);
    text += "<tr><td class=\"severity " + severity + "\">" + severity + "</td><td class=\"number\">" +
            cells["count"] + "</td><td>" + html_sentence(cells["what"]) + "</td><td>" +
            links(cells["where"], cells["part"], cells["filter"]) + "</td></tr>\n";
  }
  return text + "</tbody></table></div></section>\n";
}

/// Warnings on the validity of a part, with the way back to all of them.
std::string warnings_html(const std::vector<Warning>& warnings) {
  if (warnings.empty()) return {};
  std::string text = "<ul class=\"warnings\">\n";
  const std::size_t shown = std::min(most_warnings, warnings.size());
  for (std::size_t i = 0; i < shown; ++i)
    text += "<li><span class=\"severity " + html_text(warnings[i].severity) + "\">" +
            html_text(warnings[i].severity) + "</span> " + html_sentence(warnings[i].text) + "</li>\n";
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

/// How many errors and warnings bear on validity, as a link to them; empty without any.
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
    if (counts[word] > 0) text += (text.empty() ? "" : " and ") + units::counted(counts[word], word, plural);
  return "<p class=\"note\"><a href=\"#validity\">" + text + (one ? " bears" : " bear") +
         " on validity</a></p>\n";
}

/// Figures of merit as cards, each a link to its part.
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

/// HTML of a section: tables of what bears on validity have links; all others are as everywhere.
std::string section_html(const analysis::Section& section) {
  return section.id == "validity" ? validity_html(section) : formats::tables_html({section}, 3);
}

std::string folded(const analysis::Section& section) {
  analysis::Section inner = section;
  inner.title.clear();
  const std::size_t rows = section.table.rows.size();
  return "<details><summary>" + html_sentence(section.title.empty() ? "Numbers" : section.title) + ", " +
         (rows == 1 ? "1 row" : std::to_string(rows) + " rows") + "</summary>\n" + section_html(inner) +
         "</details>\n";
}

/// The first screen: the verdict, the figures that carry it, what to do next. All else is below.
std::string first_screen(const Part& part) {
  std::string said, next;
  for (const auto& section : part.shown) {
    if (section.id == "verdict")
      said += "<div class=\"said-verdict\">" + formats::tables_html({section}, 3) + "</div>\n";
    if (section.id != "next") continue;
    next = "<div class=\"next\"><h3>" + formats::html_text(section.title) + "</h3><ul>";
    for (const std::string& step : section.text) next += "<li>" + html_sentence(step) + "</li>";
    next += "</ul></div>\n";
  }
  const bool several =
      std::ranges::any_of(part.cards, [](const Card& card) { return card.values.size() > 1; });
  return "<div class=\"first" + std::string(several ? " several" : "") + "\">\n" + said +
         (part.cards.empty() ? "" : cards_html(part.cards)) + next + validity_line(part) + "</div>\n";
}

bool is_on_first_screen(const analysis::Section& section) {
  return section.id == "verdict" || section.id == "leading" || section.id == "next";
}

/// HTML below the first screen: what the verdict follows from, what was measured, what bears on validity,
/// what else was remarked.
std::string below_the_first_screen(const Part& part, const std::string& facts) {
  std::string text = facts, validity;
  for (const auto& section : part.shown) {
    if (is_on_first_screen(section)) continue;
    if (section.table.rows.empty())
      text += "<div class=\"said-" + formats::html_text(section.id) + "\">" +
              formats::tables_html({section}, 3) + "</div>\n";
    else
      validity += section_html(section);
  }
  text += "<div id=\"validity\" tabindex=\"-1\">\n" + validity + "</div>\n";
  if (part.folded.empty()) return text;
  text += "<div class=\"numbers\">\n";
  for (const auto& section : part.folded) text += folded(section);
  return text + "</div>\n";
}

std::string verdict_html(const Part& part, const std::string& facts) {
  return "<section id=\"verdict\" class=\"part\" aria-labelledby=\"verdict-title\"><h2 id=\"verdict-title\">" +
         formats::html_text(part.title) + "</h2>\n" + first_screen(part) +
         below_the_first_screen(part, facts) + "</section>\n";
}

std::string part_html(const Part& part) {
  const std::string id = formats::html_text(part.id);
  std::string text = "<section id=\"" + id + "\" class=\"part\" aria-labelledby=\"" + id +
                     "-title\"><h2 id=\"" + id + "-title\">" + formats::html_text(part.title) + "</h2>\n";
  // Sentences, charts, tables.
  analysis::Tables sentences, tables;
  for (const auto& section : part.shown) (section.table.rows.empty() ? sentences : tables).push_back(section);
  for (const auto& section : sentences)
    text += "<div class=\"said-" + formats::html_text(section.id) + "\">" +
            formats::tables_html({section}, 3) + "</div>\n";
  text += warnings_html(part.warnings);
  if (!part.charts.empty())
    text += "<div class=\"charts\" data-charts=\"" + formats::html_text(part.charts) + "\"></div>\n";
  if (part.cards.empty()) {
    for (const auto& section : tables) text += section_html(section);
  } else {
    text += cards_html(part.cards);
    for (const auto& section : tables) text += folded(section);
  }
  if (!part.folded.empty()) text += "<div class=\"numbers\">\n";
  for (const auto& section : part.folded) text += folded(section);
  if (!part.folded.empty()) text += "</div>\n";
  return text + "</section>\n";
}

std::string navigation(const std::vector<Part>& parts) {
  std::string text = "<nav aria-label=\"Parts of this report\"><ul>";
  for (const Part& part : parts)
    text += "<li><a href=\"#" + formats::html_text(part.id) + "\">" + formats::html_text(part.title) +
            "</a></li>";
  return text + "</ul></nav>\n";
}

constexpr std::string_view no_charts =
    "<p class=\"note\">This report has no charts: the program was built without Node.js and npm. Every "
    "number is in "
    "the tables.</p>\n";

std::string body(const std::vector<Part>& parts, const Head& head, bool charts) {
  std::string text = "<a class=\"skip\" href=\"#main\">To the verdict</a>\n" + head.title +
                     navigation(parts) + "<main id=\"main\">\n";
  if (!charts) text += no_charts;
  for (const Part& part : parts)
    text += part.id == "verdict" ? verdict_html(part, head.facts) : part_html(part);
  return text + "</main>\n";
}

/// Nothing in it ends a script element or starts a comment.
std::string json_in_script(const Json& json) {
  std::string text;
  for (const char c : json.dump()) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

struct Data {
  std::string encoding, text;
};
Data encoded(const Json& json) {
  if (auto packed = machine::packed(json.dump())) return {"gzip+base64", machine::base64(*packed)};
  return {"json", json_in_script(json)};
}

/// Replaces every token once, in one pass: a text that comes from a record is not looked at again.
std::string filled(std::string_view page,
                   const std::array<std::pair<std::string_view, std::string>, 4>& tokens) {
  std::string text;
  std::array<bool, 4> found{};
  while (!page.empty()) {
    std::size_t first = page.size(), which = tokens.size();
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (const std::size_t at = page.find(tokens[i].first); at < first)
        std::tie(first, which) = std::pair(at, i);
    text += page.substr(0, first);
    if (which == tokens.size()) break;
    text += tokens[which].second;
    found[which] = true;
    page.remove_prefix(first + tokens[which].first.size());
  }
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (!found[i]) throw std::invalid_argument("the template lacks " + std::string(tokens[i].first));
  return text;
}

std::string plain_page(const std::vector<Part>& parts, const std::string& title, const Head& head) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'\">"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" +
         formats::html_text(title) + "</title><style>" + std::string(embedded_style()) +
         "</style></head><body>\n" + body(parts, head, false) + "</body></html>\n";
}

}  // namespace

std::string title_of(const ReportInput& input) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const auto& run : input.runs) add(run.head.name);
  for (const auto& system : input.foreign) add(system.name);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  const std::size_t results = input.runs.size() + input.foreign.size();
  if (results > names.size() && results > 1) text += ", " + std::to_string(results) + " results";
  return text.empty() ? "steelyard" : text;
}

std::string_view built_in_page() {
  return embedded_page();
}

std::string html(const ReportInput& input, const PageOptions& options) {
  const std::string page = options.page.empty() ? std::string(built_in_page()) : options.page;
  const Source source = source_of(input);
  const std::string title = options.title.empty() ? title_of(input) : options.title;
  const Head head = head_html(input, title, options);
  if (page.empty()) return record::valid_utf8(plain_page(parts(source), title, head));
  std::vector<Part> all;
  Data data;
  analysis::share_work(2, [&](std::size_t i, std::size_t /*thread*/) {
    if (i == 0)
      all = parts(source);
    else
      data = encoded(page_data(source, options).json());
  });
  return record::valid_utf8(filled(page, {std::pair("@STEELYARD_TITLE@", formats::html_text(title)),
                                          std::pair("@STEELYARD_STATIC@", body(all, head, true)),
                                          std::pair("@STEELYARD_DATA@", std::move(data.text)),
                                          std::pair("@STEELYARD_ENCODING@", std::move(data.encoding))}));
}

}  // namespace steelyard::report
