// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "analysis/balance/system.hpp"
#include "analysis/parallel.hpp"
#include "analysis/warnings.hpp"
#include "record/point_view.hpp"
#include "report/chart_tables.hpp"
#include "report/sections.hpp"
#include "stats/order.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::report {
namespace {

/// Names of the results of other programs: one that a run or another result has too is followed by its file.
std::vector<std::string> foreign_names(const ReportInput& input, const std::vector<std::string>& names) {
  std::vector<balance::System> systems;
  for (std::size_t i = 0; i < names.size(); ++i) {
    balance::System& system = systems.emplace_back();
    system.name = names[i];
    system.source = input.runs[i].id;
  }
  systems.insert(systems.end(), input.foreign.begin(), input.foreign.end());
  balance::make_names_unique(systems);
  std::vector<std::string> list;
  for (std::size_t i = names.size(); i < systems.size(); ++i) list.push_back(systems[i].name);
  return list;
}

/// Drops links to parts that do not exist: a result of another program has figures and no part.
void drop_dead_links(std::vector<Part>& list) {
  for (Part& part : list)
    for (Card& card : part.cards)
      if (std::ranges::find(list, card.part, &Part::id) == list.end()) card.part.clear();
}

std::size_t column(const analysis::Table& table, std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, key, &analysis::Column::key) -
                                  table.columns.begin());
}

/// Names the part of each row on validity, and adds the row to its warnings; drops the link if
/// there is no such part.
void tie_warnings(std::vector<Part>& list, analysis::Section& section, bool several) {
  auto& table = section.table;
  const auto word = [](const analysis::Cell& cell) { return std::get<std::string>(cell.value); };
  const auto run = column(table, "run"), severity = column(table, "severity"), what = column(table, "what"),
             where = column(table, "where"), id = column(table, "part"), count = column(table, "count");
  for (auto& row : table.rows) {
    auto part = std::ranges::find(list, word(row[id]), &Part::id);
    if (part == list.end() && !word(row[id]).empty()) {  // nothing of that part was measured
      row[id] = "environment";
      part = std::ranges::find(list, "environment", &Part::id);
    }
    if (part == list.end()) {
      row[id] = "";
      continue;
    }
    row[where] = part->title;
    if (word(row[severity]) == "info") continue;
    const auto number = std::get<std::int64_t>(row[count].value);
    part->warnings.push_back({word(row[severity]), (several ? word(row[run]) + ": " : "") +
                                                       (number > 1 ? std::to_string(number) + ' ' : "") +
                                                       word(row[what])});
  }
}

void tie_warnings(std::vector<Part>& list, bool several) {
  Part& verdict = list.front();
  for (auto* sections : {&verdict.shown, &verdict.folded})
    for (analysis::Section& section : *sections)
      if (section.id == "validity") tie_warnings(list, section, several);
}

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;

using prefix::micro;

/// Whether at least one of all ratios could be computed.
bool has_values(const analysis::Section& section) {
  const auto& table = section.table;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].key == table.needed)
      return std::ranges::any_of(
          table.rows, [&](const auto& row) { return !std::holds_alternative<std::monostate>(row[i].value); });
  return true;
}

}  // namespace

std::vector<std::string> run_names(const std::vector<record::Run>& runs) {
  std::vector<std::string> names;
  const auto take = [&](auto name_of) {
    std::map<std::string, int> counts;
    names.clear();
    for (const record::Run& run : runs) ++counts[names.emplace_back(name_of(run))];
    return counts.size() == runs.size();
  };
  const auto name = [](const record::Run& run) { return run.head.name.empty() ? run.id : run.head.name; };
  const auto started = [&](const record::Run& run) { return name(run) + ", " + run.head.started_utc; };
  if (!take(name) && !take(started)) take([&](const record::Run& run) { return name(run) + ", " + run.id; });
  return names;
}

Source source_of(const ReportInput& input) {
  const auto points = input.rows ? input.rows : std::make_shared<const Rows>(input.runs);
  Source source{input, run_names(input.runs), points, points->all(), {}};
  source.benchmarks = benchmarks(source.rows);
  source.foreign_names = foreign_names(input, source.names);
  for (const auto& run : input.runs) source.screenings.push_back(screening_of(run));
  return source;
}

std::vector<Part> parts(const ReportInput& input) {
  return parts(source_of(input));
}

std::vector<Part> parts(const Source& source) {
  constexpr std::array makers{verdict_part,    merit_part,    balance_part,    scaling_part, pairs_part,
                              overlap_part,    launches_part, acceptance_part, history_part, noise_part,
                              comparison_part, points_part,   environment_part};
  constexpr std::ptrdiff_t before_suites = 3;
  std::vector<Part> list(makers.size()), suites;
  analysis::share_work(1 + makers.size(), [&](std::size_t i, std::size_t /*thread*/) {
    if (i == 0)
      suites = suite_parts(source);  // take the longest
    else
      list[i - 1] = makers[i - 1](source);
  });
  list.insert(list.begin() + before_suites, std::make_move_iterator(suites.begin()),
              std::make_move_iterator(suites.end()));
  std::erase_if(list, [](const Part& part) { return part.shown.empty() && part.folded.empty(); });
  drop_dead_links(list);
  if (list.front().id == "verdict") tie_warnings(list, source.input.runs.size() > 1);
  return list;
}

analysis::Tables tables(const std::vector<Part>& parts) {
  analysis::Tables list;
  for (const Part& part : parts) {
    list.push_back({part.id, part.title});
    list.insert(list.end(), part.shown.begin(), part.shown.end());
    list.insert(list.end(), part.folded.begin(), part.folded.end());
  }
  return list;
}

std::optional<double> overlap_of(const Row& row) {
  return row.length_byte == 0 ? std::nullopt : row.overlap_percent;
}

Part overlap_part(const Source& source) {
  Part part{"overlap", "Overlap with computation", {}, {}, "overlap"};
  Section section = analysis::table_section("overlap", "");
  section.table.columns = {{"run", "run", "", ColumnKind::text},
                           {"benchmark", "benchmark", "", ColumnKind::text},
                           {"processes", "processes", "", ColumnKind::number},
                           {"variant", "case", "", ColumnKind::text},
                           {"length_byte", "length", "B", ColumnKind::number},
                           {"overlap", "overlap", "%", ColumnKind::number},
                           {"remark", "", "", ColumnKind::text}};
  for (const Row& row : source.rows)
    if (const auto overlap = overlap_of(row))
      section.table.rows.push_back({source.names[row.run], row.point->suite + '/' + row.point->benchmark,
                                    row.point->processes, std::string(row.variant),
                                    Cell::whole(row.length_byte), *overlap,
                                    analysis::standing_in_words(*row.point)});
  if (!section.table.rows.empty()) part.folded.push_back(thinned(std::move(section), most_rows));
  return part;
}

/// One size of every benchmark that was measured with several numbers of processes: the middle one.
Part scaling_part(const Source& source) {
  Part part{"scaling", "Scaling", {}, {}, "scaling"};
  Section section = analysis::table_section(
      "scaling", "Time over the number of processes, middle length of each benchmark");
  section.table.columns = {{"run", "run", "", ColumnKind::text},
                           {"benchmark", "benchmark", "", ColumnKind::text},
                           {"variant", "case", "", ColumnKind::text},
                           {"length_byte", "length", "B", ColumnKind::number},
                           {"processes", "processes", "", ColumnKind::number},
                           {"time", "median time", "us", ColumnKind::number},
                           {"growth", "over the fewest", "", ColumnKind::number},
                           {"remark", "", "", ColumnKind::text}};
  for (const Benchmark& one : source.benchmarks) {
    if (one.metric != "time_s" || one.suite == "b-eff") continue;
    std::set<std::optional<double>> lengths;  // a barrier has none
    for (const Row* row : one.rows)
      if (row->median) lengths.insert(row->length_byte);
    if (lengths.empty()) continue;
    const auto middle = *std::next(lengths.begin(), std::ssize(lengths) / 2);
    std::map<std::pair<std::size_t, std::string_view>, std::map<int, const Row*>> found;
    for (const Row* row : one.rows)
      if (row->median && row->length_byte == middle)
        found[{row->run, row->variant}][row->point->processes] = row;
    for (const auto& [place, rows] : found) {
      if (rows.size() < 2) continue;
      for (const auto& [processes, row] : rows)
        section.table.rows.push_back({source.names[place.first], one.suite + '/' + one.name,
                                      std::string(place.second), Cell::whole(middle), processes,
                                      *row->median / micro, *row->median / *rows.begin()->second->median,
                                      analysis::standing_in_words(*row->point)});
    }
  }
  if (!section.table.rows.empty()) part.folded.push_back(thinned(std::move(section), most_rows));
  return part;
}

/// Tables of a comparison. Where it has more points than a report shows, one table of them: first what is decided
/// and not the same, then what is unclear, then the same, each by its effect.
analysis::Tables tables_of(const comparison::Comparison& compared) {
  using comparison::Verdict;
  const std::size_t points = compared.points.size();
  if (points <= most_rows) return comparison::tables(compared);
  analysis::Tables list = comparison::tables(compared, comparison::Sort::effect);
  for (Section& section : list) {
    if (section.table.id != "points") {
      section = thinned(std::move(section), most_rows);
      continue;
    }
    auto& rows = section.table.rows;
    const auto verdict = column(section.table, "verdict");
    std::ranges::stable_sort(rows, {}, [&](const std::vector<Cell>& row) {
      const auto& word = std::get<std::string>(row[verdict].value);
      return word == text(Verdict::same) ? 2 : word == text(Verdict::unclear) ? 1 : 0;
    });
    rows.resize(most_rows);
    section.notes.push_back(std::to_string(most_rows) + " of " + std::to_string(points) +
                            " points: first those that changed, then the largest effects; 'steelyard compare "
                            "--format csv' writes all");
  }
  return list;
}

Part comparison_part(const Source& source) {
  Part part{"comparison", "Comparison", {}, {}, "comparison"};
  const auto& input = source.input;
  if (!input.not_compared.empty())
    part.shown.push_back(
        {"comparison", "", {"The results cannot be compared point by point: " + input.not_compared}});
  if (!input.compared) return part;
  if (!input.compared_as.empty()) part.shown.push_back({"comparison", "", {input.compared_as}});
  for (Section& section : tables_of(*input.compared)) {
    auto& place = section.table.id == "points" ? part.folded : part.shown;
    place.push_back(std::move(section));
  }
  return part;
}

Part acceptance_part(const Source& source) {
  return {"acceptance", "Acceptance", source.input.acceptance, {}, "acceptance"};
}

Part history_part(const Source& source) {
  Part part{"history", "History", source.input.history, {}, "history"};
  if (!part.shown.empty()) part.shown.front().title.clear();  // that of the part
  return part;
}

/// Number of benchmarks; one is counted once however many metrics it has.
std::int64_t names(const std::vector<Benchmark>& list) {
  std::set<std::pair<std::string_view, std::string_view>> found;
  for (const Benchmark& one : list) found.emplace(one.suite, one.name);
  return std::ssize(found);
}

Part points_part(const Source& source) {
  Part part{"points", "All points", {}, {}, "points"};
  if (source.rows.empty()) return part;
  part.shown.push_back({"points",
                        "",
                        {units::counted(std::ssize(source.rows), "point") + " of " +
                         units::counted(names(source.benchmarks), "benchmark") +
                         ". 'steelyard export --to csv' writes every number of every point."}});
  return part;
}

Part balance_part(const Source& source) {
  Part part{"balance", "Balance", {}, {}, "balance"};
  const auto& judged = source.input.judged;
  if (!judged || !std::ranges::any_of(judged->systems, [](const auto& one) { return one.has_ratio(); }))
    return part;
  for (analysis::Section& section : balance::tables(*judged)) {
    if (section.id == "verdict" || section.id == "figures" || !has_values(section)) continue;
    // The verdict and the figures of merit have parts of their own; columns of all references are long.
    auto& place = section.id == "normalised" ? part.folded : part.shown;
    place.push_back(std::move(section));
  }
  return part;
}

// How much the launches of one series differ: what one launch alone cannot know.

namespace {

constexpr double percent = 100;

/// One point in the launches that measured it.
struct Launched {
  const Row* row = nullptr;  // of the first of them
  std::vector<double> values;
  std::int64_t cut = 0;  // of the launches, before the point had all its batches
  [[nodiscard]] double median() const { return stats::median(values); }
  [[nodiscard]] double least() const { return *std::ranges::min_element(values); }
  [[nodiscard]] double most() const { return *std::ranges::max_element(values); }
  /// Range from the least to the most value, relative to the median.
  [[nodiscard]] double spread() const { return median() != 0 ? (most() - least()) / std::abs(median()) : 0; }
};

struct Spreads {
  std::vector<Launched> points;
  std::int64_t wrong = 0;  // values that are left out, since a check found wrong data
};

Spreads launched(const std::deque<Row>& rows) {
  Spreads found_all;
  auto& points = found_all.points;
  std::map<std::string_view, std::size_t> places;
  for (const Row& row : rows) {
    if (!row.median) continue;
    if (row.point->verified == false) {
      ++found_all.wrong;
      continue;
    }
    const auto [found, is_new] = places.try_emplace(row.key, points.size());
    if (is_new) points.push_back({.row = &row, .values = {}});
    points[found->second].values.push_back(*row.median);
    if (row.point->status == record::Status::partial) ++points[found->second].cut;
  }
  std::erase_if(points, [](const Launched& point) { return point.values.size() < 2; });
  return found_all;
}

std::string in_percent(double share) {
  return units::format_significant(percent * share, 2) + " %";
}

std::string sentence(const std::vector<Launched>& points, std::size_t launches) {
  std::vector<double> spreads;
  for (const Launched& point : points) spreads.push_back(point.spread());
  std::ranges::sort(spreads);
  const auto largest = std::ranges::max_element(points, {}, &Launched::spread);
  return units::counted(std::ssize(points), "point was", "points were") + " measured by several of " +
         std::to_string(launches) + " launches. From the least to the most of their values are " +
         in_percent(stats::median(spreads)) + " of the median at half of the points, and " +
         in_percent(largest->spread()) + " at " + largest->row->point->suite + '/' +
         largest->row->point->benchmark + ". The other tables show the last launch alone.";
}

/// "1 of 3 launches was cut short"; empty if none was.
std::string words_of_cut(const Launched& point) {
  if (point.cut == 0) return {};
  return std::to_string(point.cut) + " of " + std::to_string(point.values.size()) + " launches " +
         (point.cut == 1 ? "was" : "were") + " cut short";
}

Section table_of(const std::vector<Launched>& points) {
  Section section = analysis::table_section("launches", "Median, least and most of all launches");
  section.table.columns = {
      {"benchmark", "benchmark", "", ColumnKind::text}, {"processes", "processes", "", ColumnKind::number},
      {"variant", "case", "", ColumnKind::text},        {"length_byte", "length", "B", ColumnKind::number},
      {"metric", "value", "", ColumnKind::text},        {"launches", "launches", "", ColumnKind::number},
      {"median", "median", "", ColumnKind::number},     {"least", "least", "", ColumnKind::number},
      {"most", "most", "", ColumnKind::number},         {"unit", "unit", "", ColumnKind::text},
      {"spread", "spread", "%", ColumnKind::number},    {"remark", "", "", ColumnKind::text}};
  for (const Launched& point : points) {
    const Row& row = *point.row;
    const Scale scale = scale_of(record::unit_of(row.point->primary), point.most());
    section.table.rows.push_back(
        {row.point->suite + '/' + row.point->benchmark, row.point->processes, std::string(row.variant),
         Cell::whole(row.length_byte), row.point->primary, static_cast<std::int64_t>(point.values.size()),
         point.median() * scale.factor, point.least() * scale.factor, point.most() * scale.factor, scale.unit,
         percent * point.spread(), words_of_cut(point)});
  }
  return section;
}

}  // namespace

Part launches_part(const Source& source) {
  Part part{"launches", "Spread over launches", {}, {}, ""};
  const auto& launches = source.input.launches;
  if (launches.size() < 2) return part;
  const Rows all(launches);
  const auto [points, wrong] = launched(all.all());
  if (points.empty()) return part;
  part.shown.push_back({"launches", "", {sentence(points, launches.size())}});
  if (wrong > 0)
    part.shown.back().text.push_back(units::counted(wrong, "value is", "values are") +
                                     " left out: a check found wrong data there.");
  part.folded.push_back(table_of(points));
  return part;
}

}  // namespace steelyard::report
