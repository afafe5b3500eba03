// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "report/sections.hpp"

namespace steelyard::report {
namespace {

Source source_of(const Material& material) {
  Source source{material, run_names(material.runs), rows(material.runs), {}};
  source.benchmarks = benchmarks(source.rows);
  return source;
}

/// A result of another program has figures and no part.
void drop_dead_links(std::vector<Part>& list) {
  for (Part& part : list)
    for (Card& card : part.cards)
      if (std::ranges::find(list, card.part, &Part::id) == list.end()) card.part.clear();
}

std::size_t column(const analysis::Table& table, std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, key, &analysis::Column::key) -
                                  table.columns.begin());
}

/// What bears on validity names its part and stands there too; without a link where there is no such part.
void tie_warnings(std::vector<Part>& list, analysis::Section& section, bool several) {
  auto& table = section.table;
  const auto word = [](const analysis::Cell& cell) { return std::get<std::string>(cell.value); };
  const auto run = column(table, "run"), severity = column(table, "severity"), what = column(table, "what"),
             where = column(table, "where"), id = column(table, "part"), count = column(table, "count");
  for (auto& row : table.rows) {
    const auto part = std::ranges::find(list, word(row[id]), &Part::id);
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

std::vector<Part> parts(const Material& material) {
  const Source source = source_of(material);
  std::vector<Part> list{verdict_part(source), merit_part(source), balance_part(source)};
  for (Part& part : suite_parts(source)) list.push_back(std::move(part));
  for (auto* make : {scaling_part, pairs_part, overlap_part, launches_part, noise_part, comparison_part,
                     points_part, environment_part})
    list.push_back(make(source));
  std::erase_if(list, [](const Part& part) { return part.shown.empty() && part.folded.empty(); });
  drop_dead_links(list);
  if (list.front().id == "verdict") tie_warnings(list, material.runs.size() > 1);
  return list;
}

analysis::Tables tables(const std::vector<Part>& parts) {
  analysis::Tables list;
  for (const Part& part : parts) {
    list.push_back({part.id, part.title, {}, {}, {}});
    list.insert(list.end(), part.shown.begin(), part.shown.end());
    list.insert(list.end(), part.folded.begin(), part.folded.end());
  }
  return list;
}

}  // namespace steelyard::report
