// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "analysis/comparison/run_filter.hpp"
#include "analysis/history/entries.hpp"
#include "analysis/history/history.hpp"
#include "stats/order.hpp"
#include "units/amount.hpp"
#include "units/text.hpp"

namespace steelyard::history {
namespace {

using analysis::Audience;
using analysis::ColumnKind;
using analysis::for_programs;
using analysis::Section;
using record::Json;

std::string day(const Entry& entry) {
  return entry.started.substr(0, 10);
}

std::string span_of(const SeriesFinding& one, const History& history) {
  if (!one.between) return {};
  const Entry &from = history.entries[one.between->first], &to = history.entries[one.between->second];
  return "between " + from.runs.back() + " and " + to.runs.front();
}

std::string causes_of(const SeriesFinding& one) {
  if (!one.between) return {};
  std::string text =
      one.causes.empty() ? "nothing recorded changed" : "with it changed: " + units::joined(one.causes, "; ");
  if (!one.also.empty()) text += " (also " + units::joined(one.also, "; ") + ')';
  return text;
}

std::string explanation_of(const SeriesFinding& one) {
  const std::string causes = causes_of(one);
  return causes + (causes.empty() || one.remark.empty() ? "" : "; ") + one.remark;
}

/// Series that got better in their newest entries, for which no test speaks yet.
std::string better_lately(const History& history) {
  constexpr std::size_t most_named = 3;
  std::size_t count = 0;
  std::string names;
  for (const SeriesFinding& one : history.series)
    if (one.verdict == Verdict::stable && one.findings.suspicion && ++count <= most_named)
      names += (names.empty() ? "" : "; ") + one.name + ": " + one.remark;
  if (count == 0) return {};
  return units::counted(count, "series is", "series are") + " better lately: " + names +
         (count > most_named ? "; ..." : "");
}

bool is_told(const SeriesFinding& one) {
  return one.verdict != Verdict::stable && one.verdict != Verdict::too_few;
}

/// Parts of the contexts of all series: machine, processes, nodes, ...
std::vector<std::vector<std::string>> parts_of_contexts(const History& history) {
  std::vector<std::vector<std::string>> all;
  for (const SeriesFinding& one : history.series) {
    auto& parts = all.emplace_back();
    for (std::size_t at = 0; at <= one.context.size();) {
      const std::size_t end = std::min(one.context.find(", ", at), one.context.size());
      parts.push_back(one.context.substr(at, end - at));
      at = end + 2;
    }
  }
  return all;
}

/// What of the contexts of series tells them apart, for each series; empty where all are of one.
std::vector<std::string> telling_contexts(const History& history) {
  const auto all = parts_of_contexts(history);
  std::map<std::string, std::size_t> counts;
  for (const auto& parts : all)
    for (const std::string& part : std::set<std::string>(parts.begin(), parts.end())) ++counts[part];
  std::vector<std::string> words;
  for (const auto& parts : all) {
    std::string& text = words.emplace_back();
    for (const std::string& part : parts)
      if (counts[part] < all.size()) text += (text.empty() ? "" : ", ") + part;
  }
  return words;
}

std::vector<analysis::Column> series_columns() {
  return {{"level", "level", "", ColumnKind::text},
          {"series", "series", "", ColumnKind::text},
          {"of", "of", "", ColumnKind::text, Audience::readers},
          for_programs("context", ColumnKind::text),
          {"verdict", "verdict", "", ColumnKind::text},
          {"change", "change", "", ColumnKind::number, Audience::readers},
          for_programs("ratio"),
          for_programs("ratio_low"),
          for_programs("ratio_high"),
          for_programs("p"),
          for_programs("from_run", ColumnKind::text),
          for_programs("to_run", ColumnKind::text),
          {"date", "date", "", ColumnKind::text},
          {"before", "before", "", ColumnKind::number},
          {"after", "after", "", ColumnKind::number},
          for_programs("left_out"),
          {"causes", "", "", ColumnKind::text},
          for_programs("remark", ColumnKind::text)};
}

std::vector<analysis::Cell> series_row(const SeriesFinding& one, const std::string& context,
                                       const History& history) {
  const auto entry = [&](bool to) -> analysis::Cell {
    if (!one.between) return {};
    return to ? history.entries[one.between->second].runs.front()
              : history.entries[one.between->first].runs.back();
  };
  const bool tested = one.values.size() >= fewest_entries;
  return {std::string(text(one.level)),
          one.name,
          context,
          one.context,
          std::string(text(one.verdict)) + (one.findings.dependent && one.between ? ", dependent" : ""),
          one.ratio ? percent_of(*one.ratio) : "-",
          one.ratio,
          one.interval ? analysis::Cell(one.interval->low) : analysis::Cell(),
          one.interval ? analysis::Cell(one.interval->high) : analysis::Cell(),
          tested ? analysis::Cell(one.p) : analysis::Cell(),
          entry(false),
          entry(true),
          one.between ? analysis::Cell(day(history.entries[one.between->second])) : analysis::Cell(),
          one.between ? analysis::Cell(static_cast<std::int64_t>(one.before)) : analysis::Cell(),
          one.between ? analysis::Cell(static_cast<std::int64_t>(one.after)) : analysis::Cell(),
          static_cast<std::int64_t>(one.left_out),
          explanation_of(one),
          one.remark};
}

/// Series with a finding; what tells their contexts apart stands there where there are several.
analysis::Table findings_table(const History& history) {
  constexpr std::ptrdiff_t place_of_context = 2;
  const auto contexts = telling_contexts(history);
  const bool one_context = std::ranges::all_of(contexts, &std::string::empty);
  analysis::Table table{"series", series_columns()};
  if (one_context) table.columns.erase(table.columns.begin() + place_of_context);
  for (std::size_t i = 0; i < history.series.size(); ++i) {
    if (!is_told(history.series[i])) continue;
    auto row = series_row(history.series[i], contexts[i], history);
    if (one_context) row.erase(row.begin() + place_of_context);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string head_of(const History& history) {
  std::string text =
      units::counted(history.runs, "run") + ", " + units::counted(history.entries.size(), "entry", "entries");
  if (!history.entries.empty())
    text += " from " + day(history.entries.front()) + " to " + day(history.entries.back());
  for (const Level level : history.options.levels)
    text += "; " + std::string(steelyard::history::text(level)) + ": " +
            std::to_string(std::ranges::count(history.series, level, &SeriesFinding::level)) + " series";
  return text + ". Within each level at most " + units::percent(history.options.method.alpha) +
         " of what is called regressed or improved is expected to be chance; changes below " +
         units::percent(history.options.method.threshold) + " are none.";
}

/// Findings with the same runs around them and the same causes: how many, how large.
std::vector<std::string> blocks_of(const History& history) {
  struct Block {
    std::size_t count = 0;
    double least = 1e300, most = 0;
    std::string causes;
  };
  std::map<std::pair<std::string, std::string>, Block> blocks;
  std::vector<std::pair<std::string, std::string>> order;
  for (const SeriesFinding& one : history.series) {
    if (!one.ratio || !one.between ||
        (one.verdict != Verdict::regressed && one.verdict != Verdict::improved &&
         one.verdict != Verdict::suspect))
      continue;
    const std::pair key{std::string(text(one.verdict)), span_of(one, history)};
    const auto [found, is_new] = blocks.try_emplace(key);
    if (is_new) order.push_back(key);
    Block& block = found->second;
    const double size = 100 * std::abs(*one.ratio - 1);
    ++block.count;
    block.least = std::min(block.least, size);
    block.most = std::max(block.most, size);
    if (block.causes.empty()) block.causes = causes_of(one);
  }
  std::vector<std::string> lines;
  for (const auto& key : order) {
    const Block& block = blocks.at(key);
    const std::string size =
        units::format_fixed(block.least, 0) == units::format_fixed(block.most, 0)
            ? units::format_fixed(block.most, 0) + " %"
            : units::format_fixed(block.least, 0) + " % to " + units::format_fixed(block.most, 0) + " %";
    lines.push_back(std::to_string(block.count) + " series " + key.first + ", " + size + ", " + key.second +
                    ": " + block.causes);
  }
  return lines;
}

std::string csv_field(const std::string& text) {
  const std::string field = units::controls_escaped(text, "\n\r\t");
  if (field.find_first_of(",\"\n\r") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

std::string csv_cell(const Json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? csv_field(value.get<std::string>()) : value.dump();
}

/// Which stretch of its series an entry lies in, counted from 1.
std::size_t stretch_of(const SeriesFinding& one, std::size_t place) {
  return 1 + static_cast<std::size_t>(std::ranges::count_if(
                 one.findings.changes, [&](const Change& change) { return change.cut <= place; }));
}

/// Parts of "imb-mpi1/Bcast;message_byte=8 time_s"; of a figure of merit its name is the key.
struct SeriesName {
  std::string suite, benchmark, key, metric;
};

SeriesName parts_of(const SeriesFinding& one) {
  const std::size_t blank = one.name.rfind(' '), slash = one.name.find('/');
  if (one.level == Level::figures || blank == std::string::npos || slash > blank)
    return {"", "", one.name, ""};
  const std::string key = one.name.substr(0, blank);
  const std::size_t end = std::min(key.find(';'), key.size());
  return {key.substr(0, slash), key.substr(slash + 1, end - slash - 1), key, one.name.substr(blank + 1)};
}

constexpr std::array row_names = std::to_array<const char*>(
    {"run", "date",   "machine", "nodes", "processes", "mpi", "version", "level",    "suite",   "benchmark",
     "key", "metric", "context", "unit",  "value",     "low", "high",    "launches", "verdict", "stretch"});
using Row = std::array<Json, row_names.size()>;

/// One value of one series, with all that a row of a database needs.
Row row_of(const SeriesFinding& one, const SeriesName& name, const History& history, std::size_t place) {
  const Entry& entry = history.entries[one.values[place].first];
  const double value = one.values[place].second;
  const auto interval = interval_of(one.ends[place], value);
  return {entry.runs.back(),
          entry.started,
          entry.head.name,
          entry.head.nodes,
          entry.head.processes,
          comparison::run_word(entry.head, "mpi"),
          comparison::run_word(entry.head, "version"),
          std::string(text(one.level)),
          name.suite,
          name.benchmark,
          name.key,
          name.metric,
          one.context,
          one.unit,
          value,
          interval ? Json(interval->low) : Json(),
          interval ? Json(interval->high) : Json(),
          one.launches[place],
          std::string(text(one.verdict)),
          stretch_of(one, place)};
}

template <class Take>
void each_row(const History& history, const Take& take) {
  for (const SeriesFinding& one : history.series) {
    const SeriesName name = parts_of(one);
    for (std::size_t i = 0; i < one.values.size(); ++i) take(row_of(one, name, history, i));
  }
}

/// Sentence on how series are defined that begin with texts of other programs.
std::string definitions_of(const History& history) {
  const auto count = [&](Statistic statistic) {
    return std::ranges::count(history.series, statistic, &SeriesFinding::statistic);
  };
  std::string words;
  for (const auto& [statistic, name] :
       {std::pair{Statistic::slowest_mean, "means over time of the slowest rank"},
        {Statistic::average_mean, "means over time of the average over ranks"}})
    if (const auto n = count(statistic); n > 0)
      words += (words.empty() ? "" : "; ") + std::to_string(n) + " series are of " + name;
  return words.empty() ? words : words + ": so the texts that they begin with define them, ours with them.";
}

/// Nodes and links that screenings have named, with a row for those that were named more than once.
Section screened_section(const NodeHistories& screened) {
  constexpr std::size_t again = 2, most = 200;
  Section section = analysis::table_section("screened_nodes", "Nodes and links that screenings name again");
  section.table.columns = {{"node", "node or link", "", ColumnKind::text},
                           {"machine", "machine", "", ColumnKind::text},
                           {"named", "named", "", ColumnKind::number},
                           {"screened", "of", "", ColumnKind::number},
                           {"in_a_row", "last in a row", "", ColumnKind::number},
                           {"verdict", "worst verdict", "", ColumnKind::text},
                           {"worst_percent", "farthest off", "percent", ColumnKind::number},
                           {"quantities", "in", "", ColumnKind::text},
                           {"first", "first", "", ColumnKind::text},
                           {"last", "last", "", ColumnKind::text}};
  std::size_t once = 0, often = 0;
  for (const NodeHistory& one : screened.nodes) {
    (one.named < again ? once : often) += 1;
    if (one.named < again || section.table.rows.size() == most) continue;
    std::string quantities;
    for (const auto& [name, count] : one.quantities)
      quantities += (quantities.empty() ? "" : ", ") + name + (count > 1 ? " x" + std::to_string(count) : "");
    analysis::Cell percent(one.worst_percent == 0 ? std::nullopt : std::optional(one.worst_percent));
    percent.decimals = 1;
    section.table.rows.push_back(
        {one.who, one.machine, static_cast<std::int64_t>(one.named), static_cast<std::int64_t>(one.screened),
         static_cast<std::int64_t>(one.in_a_row), one.verdict, percent, quantities, one.first, one.last});
  }
  section.text.push_back(units::counted(screened.screenings, "screening") + ": " +
                         units::counted(often, "node or link", "nodes or links") + " named more than once, " +
                         std::to_string(once) + " once.");
  if (screened.nameless > 0)
    section.notes.push_back(units::counted(screened.nameless, "screening has", "screenings have") +
                            " no names of nodes (--anonymous)");
  if (often > most) section.notes.push_back("the " + std::to_string(most) + " that were named most often");
  return section;
}

Json screened_document(const NodeHistories& screened) {
  Json nodes = Json::array();
  for (const NodeHistory& one : screened.nodes) {
    Json quantities = Json::object();
    for (const auto& [name, count] : one.quantities) quantities[name] = static_cast<std::int64_t>(count);
    nodes.push_back(Json{{"machine", one.machine},
                         {"node", one.who},
                         {"named", static_cast<std::int64_t>(one.named)},
                         {"screened", static_cast<std::int64_t>(one.screened)},
                         {"in_a_row", static_cast<std::int64_t>(one.in_a_row)},
                         {"verdict", one.verdict},
                         {"worst_percent", one.worst_percent == 0 ? Json() : Json(one.worst_percent)},
                         {"first", one.first},
                         {"last", one.last},
                         {"quantities", std::move(quantities)}});
  }
  return Json{{"screenings", static_cast<std::int64_t>(screened.screenings)},
              {"without_names", static_cast<std::int64_t>(screened.nameless)},
              {"nodes", std::move(nodes)}};
}

/// "4 series: 1 regressed, 2 stable, 1 of fewer than 8 entries".
std::string counts_of(const History& history) {
  std::string words;
  for (std::size_t i = 0; i < verdict_count; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    const std::size_t count = history.count(verdict);
    if (count == 0) continue;
    words += (words.empty() ? ": " : ", ") + std::to_string(count) + ' ';
    words += verdict == Verdict::too_few
                 ? "of fewer than " + units::counted(fewest_entries, "entry", "entries")
                 : std::string(text(verdict));
  }
  return words.empty() ? "no series" : units::counted(history.series.size(), "series", "series") + words;
}

constexpr std::size_t least_drawn = 2;  // values: one alone is no trend
constexpr std::size_t most_marks_of_an_aspect = 20;

/// The stretches between changes: from and to which value, and the median of them.
Json steps_of(const SeriesFinding& one) {
  Json steps = Json::array();
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    std::vector<double> values;
    for (std::size_t i = begin; i < end; ++i) values.push_back(one.values[i].second);
    if (!values.empty())
      steps.push_back(Json{{"from", begin}, {"to", end - 1}, {"median", stats::median(std::move(values))}});
    begin = end;
  };
  for (const Change& change : one.findings.changes) add(change.cut);
  add(one.values.size());
  return steps;
}

/// Where a change lies: between value first - 1 and value last.
Json bands_of(const SeriesFinding& one) {
  Json bands = Json::array();
  for (const Change& change : one.findings.changes)
    bands.push_back(
        Json{{"first", change.first}, {"last", change.last}, {"ratio", change.ratio}, {"p", change.p}});
  return bands;
}

/// Marks at values where something that was recorded differs from the value before; what differs all
/// the time has none.
Json marks_of(const SeriesFinding& one, const Aspects& aspects) {
  std::map<std::string, std::vector<std::pair<std::size_t, std::string>>> by_aspect;
  for (std::size_t i = 1; i < one.values.size(); ++i)
    for (auto& [name, words] : aspects.differences(one.values[i - 1].first, one.values[i].first))
      by_aspect[name].emplace_back(i, std::move(words));
  Json marks = Json::array();
  for (const auto& [name, places] : by_aspect) {
    if (places.size() > most_marks_of_an_aspect) continue;
    for (const auto& [at, words] : places)
      marks.push_back(Json{{"at", at}, {"aspect", name}, {"words", record::valid_utf8(words)}});
  }
  return marks;
}

Json chart_of(const SeriesFinding& one, const History& history, const Aspects& aspects) {
  Json entries = Json::array(), values = Json::array(), lows = Json::array(), highs = Json::array();
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    entries.push_back(one.values[i].first);
    values.push_back(one.values[i].second);
    const auto interval = interval_of(one.ends[i], one.values[i].second);
    lows.push_back(interval ? Json(interval->low) : Json());
    highs.push_back(interval ? Json(interval->high) : Json());
  }
  return {{"name", record::valid_utf8(one.name)},
          {"context", record::valid_utf8(one.context)},
          {"level", std::string(text(one.level))},
          {"unit", one.unit},
          {"better", one.lower_is_better ? "lower" : "higher"},
          {"verdict", std::string(text(one.verdict))},
          {"finding", record::valid_utf8(finding(one, history))},
          {"known", one.accepted ? Json(record::valid_utf8(*one.accepted)) : Json()},
          {"entries", std::move(entries)},
          {"values", std::move(values)},
          {"lows", std::move(lows)},
          {"highs", std::move(highs)},
          {"steps", steps_of(one)},
          {"changes", bands_of(one)},
          {"marks", marks_of(one, aspects)}};
}

}  // namespace

std::string percent_of(double ratio) {
  const double change = 100 * (ratio - 1);
  return (change < 0 ? "-" : "+") + units::format_fixed(std::abs(change), 1) + " %";
}

std::string finding(const SeriesFinding& one, const History& history) {
  std::string words = one.name + ": " + std::string(text(one.verdict));
  if (one.ratio) words += ' ' + percent_of(*one.ratio);
  if (one.between) words += ' ' + span_of(one, history) + ", " + causes_of(one);
  if (!one.remark.empty()) words += "; " + one.remark;
  return words;
}

analysis::Tables tables(const History& history) {
  Section head{"history", "History", {head_of(history)}};
  if (history.undated > 0)
    head.text.push_back(
        units::counted(history.undated, "run without a usable date is", "runs without a usable date are") +
        " set aside; of texts of other programs --date tells it.");
  for (const std::string& note : history.notes) head.text.push_back(note);
  if (const std::string words = definitions_of(history); !words.empty()) head.text.push_back(words);
  for (const std::string& id : history.conflicts)
    head.text.push_back("Run " + id + " is there twice with different content: both are left out.");
  for (const std::string& line : blocks_of(history)) head.text.push_back(line);
  Section table{"series", "Findings", {}, findings_table(history), {}};
  if (std::string better = better_lately(history); !better.empty()) table.notes.push_back(std::move(better));
  table.notes.push_back(counts_of(history));
  const auto has_causes = [](const SeriesFinding& one) { return is_told(one) && !one.causes.empty(); };
  if (std::ranges::any_of(history.series, has_causes))
    table.notes.push_back("what changed with a finding coincides with it in time; that proves nothing");
  analysis::Tables all{std::move(head), std::move(table)};
  if (history.screened.screenings > 0) all.push_back(screened_section(history.screened));
  return all;
}

Json document(const History& history) {
  Json out{{"format", "steelyard.history"},
           {"format_version", 1},
           {"alpha", history.options.method.alpha},
           {"threshold", history.options.method.threshold},
           {"runs", history.runs},
           {"undated", history.undated}};
  Json entries = Json::array(), series = Json::array();
  for (const Entry& one : history.entries)
    entries.push_back(Json{{"runs", Json(one.runs)},
                           {"started_utc", one.started},
                           {"machine", one.head.name},
                           {"source", one.source}});
  for (const SeriesFinding& one : history.series) {
    Json values = Json::array();
    for (const auto& [entry, value] : one.values) {
      Json pair = Json::array();
      pair.push_back(entry);
      pair.push_back(value);
      values.push_back(std::move(pair));
    }
    Json changes = Json::array();
    for (const Change& change : one.findings.changes)
      changes.push_back(Json{{"first", one.values[change.first].first},
                             {"last", one.values[change.last].first},
                             {"ratio", change.ratio},
                             {"p", change.p}});
    series.push_back(Json{{"level", std::string(text(one.level))},
                          {"name", one.name},
                          {"context", one.context},
                          {"unit", one.unit},
                          {"better", one.lower_is_better ? "lower" : "higher"},
                          {"verdict", std::string(text(one.verdict))},
                          {"counts", one.counts},
                          {"ratio", one.ratio ? Json(*one.ratio) : Json()},
                          {"p", one.p},
                          {"dependent", one.findings.dependent},
                          {"left_out", one.left_out},
                          {"causes", Json(one.causes)},
                          {"also", Json(one.also)},
                          {"remark", one.remark},
                          {"changes", std::move(changes)},
                          {"values", std::move(values)}});
  }
  out["entries"] = std::move(entries);
  out["series"] = std::move(series);
  if (history.screened.screenings > 0) out["screened"] = screened_document(history.screened);
  return out;
}

std::string rows_csv(const History& history) {
  std::string out;
  for (const char* name : row_names) out.append(out.empty() ? "" : ",").append(name);
  out += '\n';
  each_row(history, [&](const Row& row) {
    for (const Json& cell : row) out.append(csv_cell(cell)).push_back(&cell == &row.back() ? '\n' : ',');
  });
  return out;
}

std::string rows_jsonl(const History& history) {
  std::string out;
  each_row(history, [&](const Row& row) {
    Json line = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) line[row_names[i]] = row[i];
    out += line.dump() + '\n';
  });
  return out;
}

Json charts(const History& history, std::size_t most) {
  const Aspects aspects(history.entries);
  Json entries = Json::array(), list = Json::array();
  for (const Entry& one : history.entries)
    entries.push_back(Json{{"run", record::valid_utf8(one.runs.back())},
                           {"started", one.started},
                           {"text", !one.head.imported.empty()}});
  std::size_t drawable = 0;
  for (const SeriesFinding& one : history.series) {
    if (one.values.size() < least_drawn) continue;
    if (++drawable <= most) list.push_back(chart_of(one, history, aspects));
  }
  return {{"threshold", history.options.method.threshold},
          {"entries", std::move(entries)},
          {"charts", std::move(list)},
          {"drawable", drawable}};
}

}  // namespace steelyard::history
