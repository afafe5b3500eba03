// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/history.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analysis/history/continued.hpp"
#include "analysis/history/entries.hpp"
#include "analysis/history/series.hpp"
#include "analysis/history/verdicts.hpp"

namespace steelyard::history {
namespace {

double size_of(const SeriesFinding& one) {
  return one.ratio ? std::abs(std::log(*one.ratio)) : 0;
}

}  // namespace

std::string_view text(Verdict verdict) {
  constexpr std::array<std::string_view, verdict_count> words = {
      "regressed", "failing",  "suspect", "drifts", "missing", "unclear",
      "recovered", "improved", "known",   "stable", "too few"};
  return words[static_cast<std::size_t>(verdict)];
}

std::string_view text(Level level) {
  return level == Level::figures ? "figures" : level == Level::curves ? "curves" : "points";
}

std::size_t History::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(series, verdict, &SeriesFinding::verdict));
}

History analyse(std::vector<RunColumns> runs, const Keys& keys, Options options) {
  History history;
  history.options = std::move(options);
  drop_repeats(runs, history);
  order(runs, history);
  history.screened = node_histories(runs);
  const auto entry_of = make_entries(runs, history);
  history.notes = adopt_contexts(history.entries);
  SeriesMaker made(runs, entry_of, keys, history);
  made.add_series();
  judge(history, made, keys);
  std::ranges::sort(history.series, [](const SeriesFinding& a, const SeriesFinding& b) {
    return std::tuple(a.verdict, -size_of(a), a.level, std::tie(a.name, a.context)) <
           std::tuple(b.verdict, -size_of(b), b.level, std::tie(b.name, b.context));
  });
  return history;
}

}  // namespace steelyard::history
