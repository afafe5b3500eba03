// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/acceptance/judge.hpp"
#include "analysis/acceptance/limits.hpp"
#include "analysis/balance/merits.hpp"
#include "units/text.hpp"

namespace steelyard::acceptance {
namespace {

using analysis::Column;
using analysis::ColumnKind;
using analysis::for_programs;
using analysis::Section;
using record::Json;

std::string amount_text(const std::optional<double>& value, const std::string& unit) {
  if (!value) return "-";
  return units::format_amount(*value, unit, 4);
}

/// A value or limit as its reader thinks of it: spreads in percent, as criteria say them.
std::string amount_of(const Judgement& one, const std::optional<double>& value) {
  if (!one.spread || !value) return amount_text(value, one.unit);
  return units::format_significant(100 * *value, 3) + " %";
}

std::string percent_text(double share) {
  const std::string sign = share < 0 ? "-" : "+";
  return sign + units::format_fixed(100 * std::abs(share), 1) + " %";
}

/// Both ends in the unit of the value: "2.520 .. 2.580".
std::string interval_of(const Judgement& one) {
  if (!one.low || !one.high) return "-";
  const std::string low = amount_text(one.low, one.unit), high = amount_text(one.high, one.unit);
  const std::size_t blank = low.find(' ');
  const bool same = blank != std::string::npos && high.ends_with(low.substr(blank));
  return (same ? low.substr(0, blank) : low) + " .. " + (same ? high.substr(0, high.find(' ')) : high);
}

std::string limit_of(const Judgement& one) {
  if (!one.limit) return one.limit_written.empty() ? "-" : one.limit_written;
  return (one.at_most ? "<= " : ">= ") + amount_of(one, one.limit);
}

/// On which side of its limit a value is to lie.
std::string side_of(const Judgement& one) {
  return one.at_most ? "at most" : "at least";
}

std::string launches_of(const Judgement& one) {
  std::string words = std::to_string(one.launches);
  if (one.launches_needed) words += ", about " + std::to_string(*one.launches_needed) + " needed";
  return words;
}

std::string title_and_inputs(const Sheet& sheet) {
  if (sheet.inputs.empty()) return "no input";
  std::set<std::string> machines;
  for (const Input& one : sheet.inputs)
    if (!one.machine.empty()) machines.insert(one.machine);
  std::set<int> nodes;
  std::set<std::string> libraries;
  for (const Input& one : sheet.inputs) {
    if (one.nodes > 0) nodes.insert(one.nodes);
    if (!one.mpi.empty()) libraries.insert(one.mpi.substr(0, one.mpi.find(',')));
  }
  std::string text = units::counted(sheet.inputs.size(), "launch");
  for (const std::string& machine : machines) text += ", " + machine;
  for (const int count : nodes) text += ", " + units::counted(static_cast<std::size_t>(count), "node");
  for (const std::string& library : libraries) text += ", " + library;
  return text + "; intervals at " + units::percent(sheet.confidence) + " confidence";
}

/// Column of sections, which readers see where a criterion has one.
Column section_column(const Sheet& sheet) {
  const bool any = std::ranges::any_of(sheet.list, [](const Judgement& one) { return !one.section.empty(); });
  if (!any) return for_programs("section", ColumnKind::text);
  return {"section", "section", "", ColumnKind::text};
}

std::vector<Column> sheet_columns(const Sheet& sheet) {
  const auto eye = [](const char* key, const char* title) {
    return Column{key, title, "", ColumnKind::number, analysis::Audience::readers};
  };
  return {{"id", "criterion", "", ColumnKind::text},
          for_programs("text", ColumnKind::text),
          section_column(sheet),
          {"verdict", "verdict", "", ColumnKind::text},
          eye("value_text", "value"),
          eye("interval", "interval"),
          eye("limit_text", "limit"),
          eye("margin_text", "margin"),
          eye("launches_text", "launches"),
          for_programs("value"),
          for_programs("low"),
          for_programs("high"),
          for_programs("limit"),
          for_programs("limit_is", ColumnKind::text),
          for_programs("unit", ColumnKind::text),
          for_programs("margin"),
          for_programs("launches"),
          for_programs("launches_needed"),
          {"reason", "", "", ColumnKind::text}};
}

std::vector<analysis::Cell> sheet_row(const Judgement& one) {
  return {one.id,
          one.text,
          one.section,
          std::string(text(one.verdict)),
          amount_of(one, one.value),
          interval_of(one),
          limit_of(one),
          one.margin ? percent_text(*one.margin) : "-",
          launches_of(one),
          one.value,
          one.low,
          one.high,
          one.limit,
          one.limit ? side_of(one) : std::string(),
          one.unit,
          one.margin,
          static_cast<std::int64_t>(one.launches),
          one.launches_needed,
          one.reason};
}

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

/// Digest without "sha256:".
std::string digest(const std::string& text) {
  const std::size_t colon = text.find(':');
  return colon == std::string::npos ? text : text.substr(colon + 1);
}

constexpr double level = 0.95, spreads_away = 3, least_distance = 0.05;
constexpr double large_spread = 0.1;  // a limit behind three of them says little

/// Launches that the file asks for: as many as the reference has, three at most.
std::size_t asked_for(std::size_t launches) {
  return std::min<std::size_t>(3, launches);
}

/// A string of TOML.
std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

/// Words on one line, for a comment: words of a record may hold anything.
std::string one_line(std::string words) {
  std::ranges::replace_if(
      words, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return words;
}

/// Three digits, rounded to the side on which the reference itself passes.
double rounded_away(double value, bool up) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return unit * (up ? std::ceil(value / unit) : std::floor(value / unit));
}

std::string id_of(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

/// How far in ln the limit lies from the reference: its launches and those that will be judged scatter, and the interval
/// of these has to stay on the good side; so has the reference's own.
double distance_of(const Item& item, const Estimate& found, std::size_t min_launches) {
  const double later = half_of_launches(item, found, level, min_launches);
  const Reach reach = reach_of(found);
  return std::max({least_distance, spreads_away * seen_spread(item) + later,
                   item.lower_is_better ? reach.above : reach.below});
}

std::string entry(const std::string& id, const std::string& what, const Item& item, const Estimate& found,
                  std::size_t min_launches) {
  const double seen = seen_spread(item);
  const double distance = distance_of(item, found, min_launches);
  const double limit = rounded_away(
      item.lower_is_better ? found.value * std::exp(distance) : found.value * std::exp(-distance),
      item.lower_is_better);
  const std::string spread = found.launches > 1
                                 ? "spread of launches " + units::format_significant(100 * seen, 2) + " %"
                                 : "single launch, spread of 2 % assumed";
  return "\n[[criterion]]\nid = " + toml_text(id) + "\n# reference " +
         units::format_amount(found.value, item.unit, 4) + ", " + units::counted(found.launches, "launch") +
         ", " + spread + '\n' + (item.doubt.empty() ? "" : "# in doubt: " + one_line(item.doubt) + '\n') +
         (seen > large_spread
              ? "# the launches differ so much that this limit says little: measure on a quiet machine\n"
              : "") +
         what + (item.lower_is_better ? "at_most = " : "at_least = ") +
         toml_text(units::format_amount(limit, item.unit, 3)) + '\n';
}

std::string head(std::span<const Launch> launches) {
  const auto& run = launches.front().run.head;
  const std::string machine = run.name.empty() ? launches.front().system.name : run.name;
  return "# Proposed from " + launches.front().source +
         (launches.size() > 1 ? " and " + units::counted(launches.size() - 1, "more launch") : "") +
         ": limits lie three spreads of its launches and the interval\n# of as many as min_launches away, 5 % at least. Read each before it goes into a contract.\n"
         "format = 1\ntitle = " +
         toml_text("As " + machine + " was measured " + run.started_utc.substr(0, 10)) +
         "\nconfidence = \"95%\"\nmin_launches = " + std::to_string(asked_for(launches.size())) +
         "\n\n[require]\n" +
         (run.name.empty() || launches.front().foreign ? "" : "machine = " + toml_text(run.name) + "\n") +
         (run.nodes > 0 ? "nodes = " + std::to_string(run.nodes) + '\n' : std::string()) +
         "processes = " + std::to_string(run.processes) + '\n';
}

}  // namespace

std::string closing(const Sheet& sheet) {
  std::string counts;
  for (const Verdict verdict : {Verdict::wrong_input, Verdict::fail, Verdict::missing, Verdict::undecided,
                                Verdict::pass, Verdict::waived}) {
    const std::size_t count = sheet.count(verdict);
    if (count == 0) continue;
    const std::string word = verdict == Verdict::fail   ? "failed"
                             : verdict == Verdict::pass ? "passed"
                                                        : std::string(text(verdict));
    counts += (counts.empty() ? "" : ", ") + std::to_string(count) + ' ' + word;
  }
  return (sheet.accepted() ? "Accepted: " : "Not accepted: ") + counts;
}

std::string finding(const Judgement& one) {
  std::string words = one.id + ' ' + std::string(text(one.verdict));
  if (one.value) words += ": " + amount_of(one, one.value);
  if (one.low) words += " (" + interval_of(one) + ')';
  if (one.limit) words += ", limit " + limit_of(one);
  if (one.margin) words += ", margin " + percent_text(*one.margin);
  words += ", launches " + launches_of(one);
  return one.reason.empty() ? words : words + "; " + one.reason;
}

analysis::Tables tables(const Sheet& sheet) {
  Section section{"acceptance", sheet.title, {title_and_inputs(sheet)}, {"criteria", sheet_columns(sheet)}};
  for (const std::string& note : sheet.notes) section.text.push_back(note);
  for (const Judgement& one : sheet.list) section.table.rows.push_back(sheet_row(one));
  for (const Judgement& one : sheet.list)
    if (!one.text.empty()) section.notes.push_back(one.id + ": " + one.text);
  analysis::Tables all{std::move(section)};
  Section failures = analysis::table_section(
      "failures", "What does not hold",
      {{"id", "criterion", "", ColumnKind::text}, {"item", "item", "", ColumnKind::text}});
  for (const Judgement& one : sheet.list)
    for (const std::string& item : one.failures) failures.table.rows.push_back({one.id, item});
  if (!failures.table.rows.empty()) all.push_back(std::move(failures));
  all.push_back({"closing", "", {closing(sheet)}});
  return all;
}

Json bars(const Sheet& sheet) {
  Json list = Json::array();
  for (const Judgement& one : sheet.list) {
    const auto beyond = [&](const std::optional<double>& value) -> Json {
      const bool known = value && one.limit && *value > 0 && *one.limit > 0;
      if (!known) return {};
      return one.at_most ? *one.limit / *value - 1 : *value / *one.limit - 1;
    };
    list.push_back(Json{{"id", record::valid_utf8(one.id)},
                        {"verdict", std::string(text(one.verdict))},
                        {"margin", beyond(one.value)},
                        {"low", beyond(one.at_most ? one.high : one.low)},
                        {"high", beyond(one.at_most ? one.low : one.high)},
                        {"told", record::valid_utf8(finding(one))}});
  }
  return list;
}

Json document(const Sheet& sheet) {
  Json out{{"format", "steelyard.accept"},
           {"format_version", 1},
           {"title", sheet.title},
           {"confidence", sheet.confidence},
           {"criteria_sha256", digest(sheet.criteria_sha256)},
           {"verdict", sheet.accepted() ? "accepted" : "not accepted"}};
  Json inputs = Json::array(), criteria = Json::array();
  for (const Input& one : sheet.inputs)
    inputs.push_back(Json{
        {"source", one.source}, {"run", one.run}, {"machine", one.machine}, {"sha256", digest(one.sha256)}});
  for (const Judgement& one : sheet.list)
    criteria.push_back(Json{{"id", one.id},
                            {"text", one.text},
                            {"section", one.section},
                            {"verdict", std::string(text(one.verdict))},
                            {"value", number_or_null(one.value)},
                            {"unit", one.unit},
                            {"low", number_or_null(one.low)},
                            {"high", number_or_null(one.high)},
                            {"limit", number_or_null(one.limit)},
                            {"limit_is", side_of(one)},
                            {"margin", number_or_null(one.margin)},
                            {"launches", one.launches},
                            {"launches_needed", one.launches_needed ? Json(*one.launches_needed) : Json()},
                            {"reason", one.reason},
                            {"failures", Json(one.failures)}});
  out["inputs"] = std::move(inputs);
  out["notes"] = Json(sheet.notes);
  out["criteria"] = std::move(criteria);
  return out;
}

std::string proposal(std::span<const Launch> launches, const std::vector<std::string>& select_words) {
  std::vector<const Launch*> all;
  for (const Launch& launch : launches) all.push_back(&launch);
  std::string out = head(launches);
  const auto add = [&](const Criterion& criterion, const std::string& what) {
    const Selection selection = select(criterion, all);
    const std::size_t before = out.size();
    for (const Item& item : selection.items) {
      if (item.readings.empty() || item.wrong) continue;
      const Estimate found = estimate(item, Combine::median, level, pool_of(criterion, item, selection, all));
      const bool is_figure = !criterion.figure.empty();
      out += entry(is_figure ? id_of(item.name) : item.name,
                   is_figure ? what : "select = " + toml_text(item.name) + '\n', item, found,
                   asked_for(all.size()));
    }
    return out.size() > before;
  };
  for (const auto& figure : balance::merit_figures()) {
    Criterion criterion;
    criterion.figure = figure.key;
    add(criterion, "text = " + toml_text(std::string(figure.title)) +
                       "\nfigure = " + toml_text(criterion.figure) + '\n');
  }
  for (const std::string& words : select_words) {
    Criterion criterion;
    criterion.select = words;
    criterion.place = "--select " + words;
    if (!add(criterion, {}))
      throw BadCriteria(criterion.place + ": the reference has no value of such a point");
  }
  return out;
}

}  // namespace steelyard::acceptance
