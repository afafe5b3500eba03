// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/series.hpp"

#include <cmath>

#include "analysis/balance/merits.hpp"
#include "analysis/comparison/comparison.hpp"
#include "analysis/parallel.hpp"
#include "record/point_view.hpp"

namespace steelyard::history {
namespace {

bool is_size(std::string_view parameter) {
  const auto name = parameter.substr(0, parameter.find('='));
  return name == "count_byte" || std::ranges::find(record::length_names, name) != record::length_names.end();
}

constexpr std::uint32_t series_at_once = 256;  // their newest cells stay in the first-level cache

std::uint32_t entry_in(const LaunchValue& cell) {
  return cell.entry;
}

/// Finds the entry since which a series fails, where good ones were directly before.
class FailureSearch {
 public:
  void take(const Joined& joined) {
    const bool bad = joined.state == ValueState::failed || joined.state == ValueState::wrong;
    if (joined.value) {
      good_ = fails_ ? 1 : good_ + 1;
      fails_ = false;
    } else if (bad && !fails_) {
      fails_ = true;
      began_ = joined.entry;
    }
    bad_last_ = bad && !joined.value;
  }
  /// Nullopt if the newest entry does not fail, or too few were good before the first that does.
  [[nodiscard]] std::optional<std::size_t> began() const {
    return bad_last_ && good_ >= good_before ? std::optional(began_) : std::nullopt;
  }

 private:
  static constexpr std::size_t good_before = 3;
  std::size_t good_ = 0, began_ = 0;  // good_: in a row, before it fails
  bool fails_ = false, bad_last_ = false;
};

std::size_t entry_of_launch(const LaunchValue& launch) {
  return launch.entry;
}

/// Newest entry of all these points.
std::size_t newest_of(const std::vector<const Gathered*>& points) {
  std::size_t newest = 0;
  for (const Gathered* point : points) newest = std::max(newest, entry_of_launch(point->cells.back()));
  return newest;
}

/// Fills a curve with the mean over its points of ln of the value less the median of the point's series, for
/// entries with at least half of the points.
void take_curve(const std::vector<const Gathered*>& points, std::size_t entries, SeriesFinding& one) {
  std::vector<std::pair<double, std::size_t>> sums(entries);  // by entry
  std::vector<std::uint32_t> launches(entries, UINT32_MAX);   // fewest of its points
  std::vector<std::pair<std::size_t, double>> logs;
  std::vector<double> ordered;
  for (const Gathered* point : points) {
    logs.clear();
    ordered.clear();
    each_entry(point->cells, [&](const Joined& joined) {
      if (!joined.value) return;
      logs.emplace_back(joined.entry, std::log(*joined.value));
      launches[joined.entry] = std::min(launches[joined.entry], joined.launches);
    });
    if (logs.empty()) continue;
    for (const auto& [entry, log] : logs) ordered.push_back(log);
    const double centre = stats::median(ordered);
    for (const auto& [entry, log] : logs) {
      sums[entry].first += log - centre;
      ++sums[entry].second;
    }
  }
  for (std::size_t entry = 0; entry < entries; ++entry) {
    const auto& [sum, count] = sums[entry];
    if (count == 0) continue;
    if (2 * count < points.size()) {
      ++one.left_out;
      continue;
    }
    one.values.emplace_back(entry, std::exp(sum / static_cast<double>(count)));
    one.launches.push_back(launches[entry]);
  }
  one.ends.assign(one.values.size(), {});
}

/// Key that the points of a curve share: without the size, the metric last. Empty if the point has no size.
std::string curve_in(std::string_view key) {
  std::string curve;
  bool sized = false;
  const std::size_t blank = key.rfind(' ');
  const std::string_view words = key.substr(0, blank);
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(';', at), words.size());
    const std::string_view part = words.substr(at, end - at);
    at = end + 1;
    if (is_size(part))
      sized = true;
    else
      curve.append(curve.empty() ? "" : ";").append(part);
  }
  return sized ? curve.append(key.substr(blank)) : std::string();
}

/// The metric at the end of a key, without its statistic.
std::string_view metric_in(std::string_view key) {
  const std::string_view metric = key.substr(key.rfind(' ') + 1);
  return metric.substr(0, metric.find('.'));
}

}  // namespace

std::string_view benchmark_in(std::string_view key) {
  return key.substr(0, std::min(key.find(';'), key.find(' ')));
}

std::string_view size_in(std::string_view key) {
  const std::string_view words = key.substr(0, key.rfind(' '));
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(';', at), words.size());
    if (is_size(words.substr(at, end - at))) return words.substr(at, end - at);
    at = end + 1;
  }
  return words;
}

namespace {

/// Sorts the values of very many runs by series; each thread takes several series at a time.
class Gatherer {
 public:
  /// All arguments must outlive this. `entry_of`: entry of each run; `wanted`: by key.
  Gatherer(std::vector<RunColumns>& runs, const std::vector<std::size_t>& entry_of, const Keys& keys,
           const std::vector<Entry>& entries, const std::vector<bool>& wanted)
      : runs_(runs),
        entry_of_(entry_of),
        entries_(entries),
        wanted_(wanted),
        continued_(keys, runs),
        keys_(keys.size()) {}

  /// Series in the order in which runs have them first. Empties the columns of the runs.
  [[nodiscard]] std::vector<Gathered> gather() {
    find_layouts();
    const auto count = static_cast<std::uint32_t>(gathered_.size());
    analysis::share_work((count + series_at_once - 1) / series_at_once, [&](std::size_t i, std::size_t) {
      const auto first = static_cast<std::uint32_t>(i) * series_at_once;
      take_series(first, std::min(first + series_at_once, count));
    });
    for (RunColumns& run : runs_) run.columns = {};
    return std::move(gathered_);
  }
  /// Gathered::context of each context in words.
  [[nodiscard]] const std::map<std::string, std::size_t>& contexts() const { return contexts_; }

 private:
  /// Layout of runs of one context with the same keys in the same order: which of their columns
  /// goes to which series.
  struct Layout {
    std::size_t context = 0;
    bool of_import = false;
    std::vector<std::uint32_t> keys;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // series and column, ordered by series
    std::size_t runs = 0;
  };
  /// Calls take(series, column) for the series from `first` to before `last`.
  template <class Take>
  static void each_place(const Layout& layout, std::uint32_t first, std::uint32_t last, const Take& take) {
    const auto& places = layout.places;
    for (auto at = std::ranges::lower_bound(places, std::pair(first, 0U));
         at != places.end() && at->first < last; ++at)
      take(at->first, at->second);
  }

  /// Finds the layout of each run. Most runs are as the one before; others may take turns.
  void find_layouts() {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t context = context_of(entries_[entry_of_[i]].context);
      std::size_t place = layouts_.size();
      while (place > 0 && !(layouts_[place - 1].context == context && fits(layouts_[place - 1], runs_[i])))
        --place;
      if (place == 0) {
        layouts_.push_back(layout_of(runs_[i], context));
        place = layouts_.size();
      }
      layout_of_run_.push_back(place - 1);
      ++layouts_[place - 1].runs;
    }
  }
  [[nodiscard]] std::size_t context_of(const std::string& words) {
    const auto [found, is_new] = contexts_.try_emplace(words, contexts_.size());
    if (is_new) place_of_.emplace_back(keys_, 0U);
    return found->second;
  }
  [[nodiscard]] static bool fits(const Layout& layout, const RunColumns& run) {
    return layout.of_import == !run.head.imported.empty() &&
           std::ranges::equal(layout.keys, run.columns, {}, {}, [](const Column& one) { return one.key; });
  }
  [[nodiscard]] Layout layout_of(const RunColumns& run, std::size_t context) {
    Layout layout;
    layout.context = context;
    layout.of_import = !run.head.imported.empty();
    for (const Column& recorded : run.columns) {
      layout.keys.push_back(recorded.key);
      if (!wanted_[recorded.key]) continue;
      const std::uint32_t key = continued_.in_definition(recorded).key;
      auto& place = place_of_[context][key];
      if (place == 0) {
        gathered_.push_back({key, context, recorded.lower_is_better, continued_.statistic(key),
                             LaunchValues(run.columns.get_allocator())});
        place = static_cast<std::uint32_t>(gathered_.size());
      }
      layout.places.emplace_back(place - 1, static_cast<std::uint32_t>(layout.keys.size() - 1));
    }
    std::ranges::sort(layout.places);
    return layout;
  }
  void reserve(std::uint32_t first, std::uint32_t last) {
    std::vector<std::size_t> counts(last - first);
    for (const Layout& layout : layouts_)
      each_place(layout, first, last,
                 [&](std::uint32_t series, std::uint32_t) { counts[series - first] += layout.runs; });
    for (std::uint32_t series = first; series < last; ++series)
      gathered_[series].cells.reserve(counts[series - first]);
  }
  void take_series(std::uint32_t first, std::uint32_t last) {
    reserve(first, last);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      each_place(layouts_[layout_of_run_[i]], first, last, [&](std::uint32_t series, std::uint32_t place) {
        gathered_[series].cells.emplace_back(entry_of_[i], continued_.in_definition(runs_[i].columns[place]));
      });
    }
    for (std::uint32_t series = first; series < last; ++series)  // an entry's launches may lie apart
      if (auto& cells = gathered_[series].cells; !std::ranges::is_sorted(cells, {}, entry_in))
        std::ranges::stable_sort(cells, {}, entry_in);
  }

  std::vector<RunColumns>& runs_;
  const std::vector<std::size_t>& entry_of_;
  const std::vector<Entry>& entries_;
  const std::vector<bool>& wanted_;
  const Continued continued_;
  std::size_t keys_;
  std::map<std::string, std::size_t> contexts_;
  std::vector<std::vector<std::uint32_t>> place_of_;  // by context and key: 1 + place in gathered_
  std::vector<Layout> layouts_;
  std::vector<std::size_t> layout_of_run_;
  std::vector<Gathered> gathered_;
};

}  // namespace

SeriesMaker::SeriesMaker(std::vector<RunColumns>& runs, const std::vector<std::size_t>& entry_of,
                         const Keys& keys, History& history)
    : keys_(keys), history_(history) {
  std::vector<bool> wanted(keys.size());
  for (std::uint32_t key = 0; key < keys.size(); ++key) wanted[key] = is_wanted(keys.text(key));
  Gatherer gatherer(runs, entry_of, keys, history.entries, wanted);
  gathered_ = gatherer.gather();
  name_contexts(gatherer.contexts());
}

const std::vector<const Gathered*>* SeriesMaker::points_of(std::size_t series) const {
  if (series < first_curve_ || series >= first_curve_ + curves_.size()) return nullptr;
  return &curves_[series - first_curve_].points;
}

/// Notes the words of each context, and its last entry.
void SeriesMaker::name_contexts(const std::map<std::string, std::size_t>& contexts) {
  contexts_.resize(contexts.size());
  for (const auto& [words, place] : contexts) contexts_[place] = words;
  newest_.assign(contexts.size(), 0);
  for (std::size_t i = 0; i < history_.entries.size(); ++i)
    newest_[contexts.at(history_.entries[i].context)] = i;
}

bool SeriesMaker::is_wanted(std::string_view key) const {
  const auto& patterns = history_.options.patterns;
  if (key.starts_with(figure_start))
    return history_.options.levels.contains(Level::figures) && patterns.empty();
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& one) {
           return comparison::matches(one, benchmark_in(key));
         });
}

void SeriesMaker::add_series() {
  std::map<std::pair<std::size_t, std::string>, std::vector<const Gathered*>> curves;
  const auto& levels = history_.options.levels;
  for (const Gathered& one : gathered_) {
    const std::string& key = keys_.text(one.key);
    const bool figure = key.starts_with(figure_start);
    if (figure) {
      add_plain(one, Level::figures, key.substr(figure_start.size()));
      continue;
    }
    if (levels.contains(Level::curves))
      if (std::string curve = curve_in(key); !curve.empty())
        curves[{one.context, std::move(curve)}].push_back(&one);
    if (levels.contains(Level::points)) add_plain(one, Level::points, key);
  }
  for (auto& [place, points] : curves)
    if (points.size() > 1) curves_.push_back({place.first, place.second, std::move(points)});
  add_curves();
}

void SeriesMaker::add_curves() {
  const auto& curves = curves_;
  const std::size_t first = first_curve_ = history_.series.size();
  for (const CurvePoints& one : curves) {
    SeriesFinding& series =
        new_series(Level::curves, one.context, one.name, one.points.front()->lower_is_better);
    series.statistic = one.points.front()->statistic;
  }
  analysis::share_work(curves.size(), [&](std::size_t i, std::size_t) {
    take_curve(curves[i].points, history_.entries.size(), history_.series[first + i]);
  });
  for (std::size_t i = 0; i < curves.size(); ++i)
    missing_candidate(history_.series[first + i], *curves[i].points.front(), newest_of(curves[i].points));
}

SeriesFinding& SeriesMaker::new_series(Level level, std::size_t context, std::string name, bool lower) {
  SeriesFinding& one = history_.series.emplace_back();
  one.level = level;
  one.context = contexts_[context];
  one.lower_is_better = lower;
  const auto* merit = balance::merit_figure(name);
  one.unit = level == Level::curves                        ? ""
             : level == Level::figures && merit != nullptr ? std::string(merit->unit)
                                                           : std::string(record::unit_of(metric_in(name)));
  one.name = std::move(name);
  return one;
}

void SeriesMaker::add_plain(const Gathered& gathered, Level level, std::string name) {
  SeriesFinding& one = new_series(level, gathered.context, std::move(name), gathered.lower_is_better);
  one.statistic = gathered.statistic;
  FailureSearch failure;
  each_entry(gathered.cells, [&](const Joined& joined) {
    if (joined.value) {
      one.values.emplace_back(joined.entry, *joined.value);
      one.ends.push_back(joined.ends);
      one.launches.push_back(joined.launches);
    } else {
      ++one.left_out;
    }
    failure.take(joined);
  });
  const std::size_t last = entry_of_launch(gathered.cells.back());
  if (const auto began = failure.began(); began && last == newest_[gathered.context]) {
    one.verdict = Verdict::failing;
    one.began = began;
  }
  missing_candidate(one, gathered, last);
}

void SeriesMaker::missing_candidate(SeriesFinding& one, const Gathered& gathered, std::size_t last) {
  const std::size_t newest = newest_[gathered.context];
  const std::string_view key = keys_.text(gathered.key);
  if (last == newest || key.starts_with(figure_start)) return;
  if (benchmarks_.empty()) sort_by_benchmark();
  bool measured_now = false;
  std::size_t began = newest;
  for (const Gathered* other : benchmarks_.at({gathered.context, std::string(benchmark_in(key))})) {
    const auto next = std::ranges::upper_bound(other->cells, last, {}, entry_of_launch);
    if (next == other->cells.end()) continue;
    began = std::min(began, entry_of_launch(*next));
    measured_now |= entry_of_launch(other->cells.back()) == newest;
  }
  if (!measured_now) return;
  one.verdict = Verdict::missing;
  one.began = began;
}

void SeriesMaker::sort_by_benchmark() {
  for (const Gathered& one : gathered_)
    benchmarks_[{one.context, std::string(benchmark_in(keys_.text(one.key)))}].push_back(&one);
}

}  // namespace steelyard::history
