// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "analysis/history/entries.hpp"
#include "analysis/history/history.hpp"
#include "stats/order.hpp"

namespace steelyard::history {
namespace {

using record::Json;

constexpr std::size_t least_drawn = 2;  // values: one alone is no trend
constexpr std::size_t most_marks_of_an_aspect = 20;

bool is_of_a_text(const Entry& entry) {
  return !entry.head.imported.empty();
}

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

Json charts(const History& history, std::size_t most) {
  const Aspects aspects(history.entries);
  Json entries = Json::array(), list = Json::array();
  for (const Entry& one : history.entries)
    entries.push_back(Json{
        {"run", record::valid_utf8(one.runs.back())}, {"started", one.started}, {"text", is_of_a_text(one)}});
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
