// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <stdexcept>

#include "formats/tables/tables.hpp"
#include "machine/compression.hpp"
#include "record/json.hpp"
#include "report/embedded.hpp"
#include "report/page_pieces.hpp"
#include "report/report.hpp"

namespace steelyard::report {
namespace {

using record::Json;

/// Tables of what bears on validity have links; all others are as everywhere.
std::string section_html(const analysis::Section& section) {
  return section.id == "validity" ? validity_html(section) : formats::tables_html({section}, 3);
}

std::string folded(const analysis::Section& section) {
  analysis::Section inner = section;
  inner.title.clear();
  const std::size_t rows = section.table.rows.size();
  return "<details><summary>" + formats::html_text(section.title.empty() ? "Numbers" : section.title) + ", " +
         (rows == 1 ? "1 row" : std::to_string(rows) + " rows") + "</summary>\n" +
         section_html(inner) + "</details>\n";
}

/// The first screen: the verdict, the figures that carry it, what to do next. All else is below.
std::string first_screen(const Part& part) {
  std::string said, next;
  for (const auto& section : part.shown) {
    if (section.id == "verdict")
      said += "<div class=\"said-verdict\">" + formats::tables_html({section}, 3) + "</div>\n";
    if (section.id != "next") continue;
    next = "<div class=\"next\"><h3>" + formats::html_text(section.title) + "</h3><ul>";
    for (const std::string& step : section.text) next += "<li>" + formats::html_text(step) + "</li>";
    next += "</ul></div>\n";
  }
  const bool several = std::ranges::any_of(part.cards, [](const Card& card) { return card.values.size() > 1; });
  return "<div class=\"first" + std::string(several ? " several" : "") + "\">\n" + said + (part.cards.empty() ? "" : cards_html(part.cards)) + next +
         validity_line(part) + "</div>\n";
}

bool is_on_first_screen(const analysis::Section& section) {
  return section.id == "verdict" || section.id == "leading" || section.id == "next";
}

/// What the verdict follows from, what was measured, what bears on validity, what else was remarked.
std::string below_the_first_screen(const Part& part, const std::string& facts) {
  std::string text = facts, validity;
  for (const auto& section : part.shown) {
    if (is_on_first_screen(section)) continue;
    if (section.table.rows.empty())
      text += "<div class=\"said-" + formats::html_text(section.id) + "\">" + formats::tables_html({section}, 3) +
              "</div>\n";
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
         formats::html_text(part.title) + "</h2>\n" + first_screen(part) + below_the_first_screen(part, facts) +
         "</section>\n";
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
  std::string text = "<a class=\"skip\" href=\"#main\">To the verdict</a>\n" + head.title + navigation(parts) + "<main id=\"main\">\n";
  if (!charts) text += no_charts;
  for (const Part& part : parts) text += part.id == "verdict" ? verdict_html(part, head.facts) : part_html(part);
  return text + "</main>\n";
}

/// Nothing in it ends a script element or starts a comment.
std::string json_in_script(const Json& json) {
  std::string text;
  for (const char c : json.dump())
    text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

struct Data {
  std::string encoding, text;
};
Data encoded(const Json& json) {
  if (auto packed = machine::packed(json.dump()))
    return {"gzip+base64", machine::base64(*packed)};
  return {"json", json_in_script(json)};
}

/// Every token once, in one pass: a text that comes from a record is not looked at again.
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
  const auto all = parts(input);
  const std::string title = options.title.empty() ? title_of(input) : options.title;
  const Head head = head_html(input, title, options);
  if (page.empty()) return record::valid_utf8(plain_page(all, title, head));
  Data data = encoded(page_data(input, options).json());
  return record::valid_utf8(filled(page, {std::pair("@STEELYARD_TITLE@", formats::html_text(title)),
                                          std::pair("@STEELYARD_STATIC@", body(all, head, true)),
                                          std::pair("@STEELYARD_DATA@", std::move(data.text)),
                                          std::pair("@STEELYARD_ENCODING@", std::move(data.encoding))}));
}

}  // namespace steelyard::report
