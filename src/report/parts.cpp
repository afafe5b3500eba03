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
  for (auto* make :
       {scaling_part, pairs_part, overlap_part, noise_part, comparison_part, points_part, environment_part})
    list.push_back(make(source));
  std::erase_if(list, [](const Part& part) { return part.shown.empty() && part.folded.empty(); });
  drop_dead_links(list);
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
