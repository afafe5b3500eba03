// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>

#include "analysis/comparison/differences.hpp"
#include "analysis/comparison/judge.hpp"
#include "analysis/comparison/observations.hpp"
#include "analysis/parallel.hpp"
#include "stats/compare.hpp"
#include "units/text.hpp"

namespace steelyard::comparison {
namespace {

using Runs = std::span<const record::Run>;

/// Joins points of other sizes. Sizes of experiments follow from rates of the hour: a rate that either
/// side has once, at a size of its own, is one row. That it is of two sizes is a thing that was not
/// measured alike (differences.hpp).
class SizeJoiner {
 public:
  explicit SizeJoiner(std::vector<Matched>& list) : list_(list) {}

  void join() {
    std::map<std::string, Ends> alone;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const auto& [base, now] = list_[i];
      if (base.empty() == now.empty()) continue;
      const Identity& point = *(base.empty() ? now : base).front().what;
      if (!is_rate(point)) continue;
      Ends& ends = alone[key_without_sizes(point)];
      (base.empty() ? ends.second : ends.first).push_back(i);
    }
    for (const auto& [key, ends] : alone) {
      if (ends.first.size() != 1 || ends.second.size() != 1) continue;
      list_[ends.first.front()].now = std::move(list_[ends.second.front()].now);
      list_[ends.second.front()].now.clear();
    }
    std::erase_if(list_, [](const Matched& both) { return both.base.empty() && both.now.empty(); });
  }

 private:
  using Ends =
      std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;  // only in the base, only in the new

  static bool is_rate(const Identity& point) {
    return record::unit_of(point.primary).ends_with("/s") && !record::find(*point.params, "message_byte");
  }
  static std::string key_without_sizes(const Identity& point) {
    record::Params words;
    for (const auto& [name, value] : *point.params)
      if (std::holds_alternative<std::string>(value)) words.emplace(name, value);
    return record::make_key(point.suite, point.benchmark, point.processes, point.threads, point.groups,
                            words);
  }

  std::vector<Matched>& list_;
};

/// Whether any observation of either side is of that kind.
bool any(const Matched& both, bool Observation::*kind) {
  const auto is_of_it = [kind](const Observation& seen) { return seen.*kind; };
  return std::ranges::any_of(both.base, is_of_it) || std::ranges::any_of(both.now, is_of_it);
}

bool lower_is_better(const Identity& point, std::string_view metric) {
  if (metric == point.primary) return point.lower_is_better;
  const record::MetricName* known = record::metric_name(metric);
  return known == nullptr || known->lower_is_better;
}

std::optional<double> side_median(std::span<const Value> launches) {
  if (launches.empty()) return std::nullopt;
  if (launches.size() == 1) return launches.front().median;
  std::vector<double> list;
  for (const Value& value : launches) list.push_back(value.median);
  return stats::median(list);
}

/// "failed in the new: mpi_error"; empty if the point was lost in no launch.
std::string words_of(const LostPoints& points, std::string_view key, const std::string& side) {
  const auto found = points.find(key);
  if (found == points.end()) return {};
  const Lost& lost = found->second;
  return (lost.failed > 0 ? "failed in the " : "skipped in the ") + side +
         (lost.reason ? ": " + std::string(record::text(*lost.reason)) : "");
}

void add_words(std::string& text, const std::string& more) {
  if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
}

/// Why nothing is left to compare; names the known metric that is nearest to the one asked for.
std::string no_value(const Options& options) {
  if (options.metric.empty()) return "no point has the metric on both sides";
  const std::string name(metric_choice(options, {}).metric);
  std::vector<std::string> known;
  for (const auto& one : record::metric_names()) known.emplace_back(one.name);
  const auto near = units::nearest(name, known);
  return "no point has the metric '" + options.metric + "' on both sides" +
         (near && *near != name ? "; did you mean " + *near + '?' : "");
}

/// What the points of a suite say of the spread between launches.
struct SuiteSpread {
  Pool base, now, pairs;    // pairs: of paired launches
  Spread spread = {};       // when all points are read
  int launches_needed = 0;  // with that spread
};

/// What was found of a point, beside what its row shows.
struct Found {
  Values values;
  std::string_view state;   // that was picked
  std::string_view unlike;  // how it was not measured alike; empty: it was
  bool unverified = false, cut = false;
  bool is_row = true;            // false: it lacks the metric that was asked for
  SuiteSpread* suite = nullptr;  // when all points are read
};

constexpr std::string_view cut_early = "cut before it had an interval";

class Comparer {
  static constexpr std::size_t together = 1024;  // rows that a thread takes at a time

 public:
  Comparer(Heads base, Heads now, std::vector<Matched> matched, const LostPoints& lost_base,
           const LostPoints& lost_now, Options options, std::shared_ptr<Keeper> kept)
      : base_(base),
        now_(now),
        lost_base_(lost_base),
        lost_now_(lost_now),
        asked_(kept->word(options.metric)),
        result_{std::move(options), base.size(), now.size(), {}, {}, {}, 0, std::move(kept)},
        matched_(std::move(matched)) {}

  Comparison run() {
    SizeJoiner(matched_).join();
    refuse();
    result_.differences = differences(base_, now_, matched_, result_.options);
    read_rows();
    drop_points_without_metric();
    settle_spreads();
    estimate_rows();
    judge();
    add_means();
    return std::move(result_);
  }

 private:
  void refuse() const {
    const auto reasons = obstacles(base_, now_, matched_, result_.options);
    if (reasons.empty()) return;
    std::string text;
    for (const std::string& reason : reasons) text += (text.empty() ? "" : "\n") + reason;
    throw NotComparable(text);
  }

  /// Reads the values of both sides into rows.
  void read_rows() {
    result_.points.resize(matched_.size());
    found_.resize(matched_.size());
    while (read_.size() < analysis::threads_for(pieces())) read_.emplace_back();
    each_row([this](std::size_t i, std::size_t thread) { read_row(i, read_[thread]); });
  }

  void read_row(std::size_t i, Keeper& keeper) {
    const Matched& both = matched_[i];
    Found& found = found_[i];
    auto [read, state] = values(both, result_.options, keeper);
    found.values = read;
    found.state = keeper.word(state);
    found.unlike = keeper.word(unlike(both, base_, now_, result_.options));
    found.unverified = any(both, &Observation::unverified);
    found.cut = any(both, &Observation::partial);
    found.is_row = !lacks_metric(both, found);
    result_.points[i] = row(both, found.values);
  }

  void drop_points_without_metric() {
    std::size_t rows = 0;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!found_[i].is_row) continue;
      if (rows != i) {
        found_[rows] = found_[i];
        result_.points[rows] = std::move(result_.points[i]);
      }
      ++rows;
    }
    result_.without_metric = found_.size() - rows;
    found_.resize(rows);
    result_.points.resize(rows);
  }

  /// Whether a point has the number that was asked for on neither side. What is wrong is told all the same.
  [[nodiscard]] bool lacks_metric(const Matched& both, const Found& found) const {
    const bool asked = !result_.options.metric.empty() || !result_.options.statistic.empty();
    const auto has = [](const Observation& seen) { return seen.printed != nullptr; };
    return asked && !found.unverified && found.values.base.empty() && found.values.now.empty() &&
           std::ranges::none_of(both.base, has) && std::ranges::none_of(both.now, has);
  }

  /// Finds how launches of each suite differ.
  void settle_spreads() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Values& read = found_[i].values;
      SuiteSpread& suite = spreads_[result_.points[i].what->suite];
      found_[i].suite = &suite;
      suite.base.add(read.base);
      suite.now.add(read.now);
      if (paired()) suite.pairs.add_logs(pair_logs(read));
      if (!read.base.empty() && !read.now.empty()) ++compared_;
    }
    if (compared_ == 0) throw NotComparable(no_value(result_.options));
    const double sd = result_.options.launch_sd.value_or(least_launch_sd), least = sd * sd;
    // Single launches differ as those of the other side do.
    const auto seen = [least](const Pool& side, const Pool& other) {
      return std::max(side.variance().value_or(other.variance().value_or(0)), least);
    };
    for (auto& [name, suite] : spreads_) {
      const double pair = suite.pairs.variance().value_or(0);
      suite.spread = {seen(suite.base, suite.now), seen(suite.now, suite.base), std::max(pair, 2 * least)};
      suite.launches_needed = launches_needed(suite.spread, result_.options);
    }
  }

  [[nodiscard]] bool paired() const { return result_.options.launches == Launches::paired; }

  /// Row of a point without what follows from the spread of the launches.
  [[nodiscard]] Point row(const Matched& both, const Values& values) const {
    Point point;
    point.what = named_by(both).what;
    const std::string_view metric = metric_choice(result_.options, point.what->primary).metric;
    point.metric = asked_.empty() ? metric : asked_;
    point.unit = record::unit_of(metric);
    point.lower_is_better = lower_is_better(*point.what, metric);
    point.base_launches = values.base.size();
    point.new_launches = values.now.size();
    if (metrics_apart(both, result_.options).empty()) {  // else two units would stand in one row
      point.base = side_median(values.base);
      point.now = side_median(values.now);
    }
    return point;
  }

  [[nodiscard]] std::size_t pieces() const { return (found_.size() + together - 1) / together; }

  /// Calls `act` with the place of every row and the number of the thread, in several threads at once.
  void each_row(const auto& act) const {
    analysis::share_work(pieces(), [&](std::size_t piece, std::size_t thread) {
      for (std::size_t i = piece * together; i < std::min(found_.size(), (piece + 1) * together); ++i)
        act(i, thread);
    });
  }

  void estimate_rows() {
    each_row([this](std::size_t i, std::size_t /*thread*/) {
      Point& point = result_.points[i];
      if (point.base && point.now)
        estimate(point, found_[i].values, found_[i].suite->spread, compared_, result_.options);
      if (!comparable(found_[i])) point.p.reset();
    });
  }

  /// Judges significance over all points, then what each point means.
  void judge() {
    std::vector<double> probabilities;
    for (const Point& point : result_.points)
      if (point.p) probabilities.push_back(*point.p);
    tested_ = probabilities.size();
    const auto significant = stats::benjamini_hochberg(probabilities, result_.options.alpha);
    std::size_t at = 0;
    for (Point& point : result_.points)
      if (point.p) point.significant = significant[at++];
    each_row([this](std::size_t i, std::size_t /*thread*/) {
      Point& point = result_.points[i];
      point.verdict = verdict(i);
      set_remark(i);
      tell_absence(point, found_[i].values);
    });
  }

  /// Whether the values of both sides are of one thing: measured alike, in states that both sides saw.
  [[nodiscard]] bool comparable(const Found& found) const {
    return found.unlike.empty() && states_agree(found.values);
  }

  /// Whether the states permit a comparison. Values of several states are like those of a busy machine:
  /// launches enough to rank can tell.
  [[nodiscard]] bool states_agree(const Values& values) const {
    if (values.states == States::several)
      return ranks_can_decide(values.base.size(), values.now.size(), result_.options);
    return values.states != States::apart;
  }

  /// Whether a point can be judged: one launch says nothing of another, unless the user knows
  /// how much they differ.
  [[nodiscard]] bool judged(const Point& point) const {
    return point.interval && (point.test != Test::single_launch || result_.options.launch_sd);
  }

  [[nodiscard]] Verdict verdict(std::size_t i) const {
    const Point& point = result_.points[i];
    if (found_[i].unverified) return Verdict::unverified;
    if (!point.base && !point.now && point.base_launches > 0 && point.new_launches > 0)
      return Verdict::unclear;
    if (!point.now) return Verdict::missing;
    if (!point.base) return Verdict::added;
    if (!comparable(found_[i])) return Verdict::unclear;
    const double limit = std::log1p(result_.options.threshold), effect = std::log(*point.ratio);
    const bool worse = point.lower_is_better ? effect > 0 : effect < 0;
    const Verdict direction = worse ? Verdict::slower : Verdict::faster;
    if (point.test == Test::threshold_only) {
      if (printed_too_coarsely(i)) return Verdict::unclear;
      return std::abs(effect) > limit ? direction : Verdict::same;
    }
    if (!judged(point)) return Verdict::unclear;
    if (point.significant && std::abs(effect) > limit) return direction;
    const bool inside = std::log(point.interval->low) >= -limit && std::log(point.interval->high) <= limit;
    return inside ? Verdict::same : Verdict::unclear;
  }

  /// Median of the logarithms of a side's numbers, as the ratio takes it, each moved by so many of its
  /// steps; nullopt if one of them is no longer above 0.
  static std::optional<double> moved_median(std::span<const Value> side, double steps) {
    std::vector<double> moved;
    for (const Value& value : side) {
      const double number = value.median + steps * value.step;
      if (!(number > 0)) return std::nullopt;
      moved.push_back(std::log(number));
    }
    return stats::median(moved);
  }

  /// Whether the ratio of the numbers before they were rounded may lie on either side of the threshold.
  [[nodiscard]] bool printed_too_coarsely(std::size_t i) const {
    constexpr double half = 0.5;
    const auto& [base, now, states] = found_[i].values;
    const auto base_low = moved_median(base, -half), base_high = moved_median(base, half);
    const auto now_low = moved_median(now, -half), now_high = moved_median(now, half);
    if (!base_low || !now_low) return true;
    const double limit = std::log1p(result_.options.threshold);
    const double low = *now_low - *base_high, high = *now_high - *base_low;
    const auto place = [&](double effect) { return effect > limit ? 1 : effect < -limit ? -1 : 0; };
    return place(low) != place(high);
  }

  void set_remark(std::size_t i) {
    Point& point = result_.points[i];
    const Values& values = found_[i].values;
    if (const bool one_side = point.base_launches == 0 || point.new_launches == 0; one_side)
      return;
    else if (!found_[i].unlike.empty())
      point.remark = "not measured alike: " + std::string(found_[i].unlike);
    else if (values.states == States::apart)
      point.remark = "different machine states";
    else if (!states_agree(values))
      point.remark = "different machine states, or one of few visits";
    else if (point.test == Test::threshold_only)
      point.remark =
          point.verdict == Verdict::unclear ? "printed too coarsely" : "no interval: by the threshold only";
    else if (!point.interval)
      point.remark = found_[i].cut ? std::string(cut_early) : "a single number: its spread is not known";
    else if (values.states == States::picked)
      point.remark = "of the machine state with " + std::string(found_[i].state) + ", not as printed";
    if (point.verdict == Verdict::unclear && comparable(found_[i]) && point.test != Test::threshold_only)
      tell_launches(point, found_[i]);
    if (point.remark.empty() && point.test == Test::single_launch) point.remark = "single launch";
  }

  /// "1 of 3 launches of the base was cut short"; empty if none was, or if another remark says it of the only one.
  static std::string words_of_cut(const Point& point, std::span<const Value> side, const std::string& name) {
    const auto cut = std::ranges::count_if(side, &Value::cut);
    if (cut == 0) return {};
    if (side.size() == 1) return point.remark.starts_with(cut_early) ? "" : "cut short in the " + name;
    return std::to_string(cut) + " of " + std::to_string(side.size()) + " launches of the " + name +
           (cut == 1 ? " was" : " were") + " cut short";
  }

  /// Tells in how many launches of a side the point has a value, why not in all, and how many of these were cut short,
  /// before any other remark.
  void tell_absence(Point& point, const Values& values) const {
    std::string text;
    const std::size_t pairs = std::min(point.base_launches, point.new_launches);
    if (paired() && pairs > 0 && pairs < result_.base_launches)
      text = std::to_string(pairs) + " of " + units::counted(result_.base_launches, "pair");
    for (const auto& [have, of, side] : {std::tuple(point.base_launches, result_.base_launches, "base"),
                                         std::tuple(point.new_launches, result_.new_launches, "new")})
      if (!paired() && have > 0 && have < of)
        add_words(text, std::to_string(have) + " of " + std::to_string(of) + " launches of the " + side);
    add_words(text, words_of(lost_base_, point.what->key, "base"));
    add_words(text, words_of(lost_now_, point.what->key, "new"));
    add_words(text, words_of_cut(point, values.base, "base"));
    add_words(text, words_of_cut(point, values.now, "new"));
    if (text.empty()) return;
    add_words(text, point.remark);
    point.remark = std::move(text);
  }

  /// Whether the whole interval lies on one side of no difference, by more than the threshold.
  [[nodiscard]] bool lies_beyond(const Point& point) const {
    const double limit = std::log1p(result_.options.threshold);
    return std::log(point.interval->low) > limit || std::log(point.interval->high) < -limit;
  }

  /// Tells how many launches would decide, unless the point has another remark.
  void tell_launches(Point& point, const Found& found) const {
    if (point.p && point.interval && lies_beyond(point)) {
      const auto points = static_cast<double>(tested_);
      point.launches_needed = launches_to_prove(point, found.values, found.suite->spread,
                                                result_.options.alpha / points, result_.options);
      if (point.remark.empty())
        point.remark = "beyond the threshold, but not significant" +
                       (tested_ > 1 ? " among " + std::to_string(tested_) + " points" : std::string());
      return;
    }
    const int needed = found.suite->launches_needed;
    if (needed <= static_cast<int>(std::min(point.base_launches, point.new_launches))) {
      if (point.remark.empty()) point.remark = "the interval reaches over the threshold";
      return;
    }
    point.launches_needed = needed;
    if (point.remark.empty())
      point.remark = "about " + std::to_string(needed) +
                     (paired() ? " pairs would decide" : " launches a side would decide");
  }

  /// Adds the means by benchmark and process number, in the order of the points.
  void add_means() {
    struct Group {
      Mean label;
      const Spread* spread;
      std::vector<Rated> points;
    };
    std::vector<Group> groups;
    std::map<std::tuple<std::string_view, std::string_view, int>, std::size_t> places;
    auto place = places.end();  // of the last point: neighbours are mostly of one group
    for (std::size_t i = 0; i < result_.points.size(); ++i) {
      const Point& point = result_.points[i];
      const Found& found = found_[i];
      if (!point.ratio || found.unverified || !found.unlike.empty()) continue;
      if (found.values.states == States::apart || (!point.interval && found.cut)) continue;
      const Identity& what = *point.what;
      const std::tuple<std::string_view, std::string_view, int> name{what.suite, what.benchmark,
                                                                     what.processes};
      if (place == places.end() || place->first != name)
        place = places.try_emplace(name, groups.size()).first;
      if (place->second == groups.size())
        groups.push_back(
            {Mean{std::string(what.suite), std::string(what.benchmark), what.processes, 0, 1, {}},
             &found.suite->spread,
             {}});
      groups[place->second].points.push_back({&found.values, *point.ratio});
    }
    result_.means.resize(groups.size());
    analysis::share_work(groups.size(), [&](std::size_t i, std::size_t /*thread*/) {
      auto& [label, spread, list] = groups[i];
      Mean& found = result_.means[i] = mean(list, *spread, result_.options);
      if (!result_.options.launch_sd && std::min(result_.base_launches, result_.new_launches) == 1)
        found.interval.reset();
      found.suite = std::move(label.suite);
      found.benchmark = std::move(label.benchmark);
      found.processes = label.processes;
    });
  }

  Heads base_, now_;
  const LostPoints &lost_base_, &lost_now_;
  const std::string_view asked_;  // metric; empty: the primary one of each point
  Comparison result_;
  std::vector<Matched> matched_;
  std::deque<Keeper> read_;   // by each thread
  std::vector<Found> found_;  // of each row
  std::map<std::string_view, SuiteSpread> spreads_;
  std::size_t compared_ = 0, tested_ = 0;
};

}  // namespace

std::string_view text(Verdict verdict) {
  constexpr std::array<std::string_view, verdict_count> words = {"same",    "faster", "slower",    "unclear",
                                                                 "missing", "new",    "unverified"};
  return words[static_cast<std::size_t>(verdict)];
}

std::string_view text(Test test) {
  constexpr std::array<std::string_view, 6> words = {"",          "rank", "launches", "single launch",
                                                     "threshold", "pairs"};
  return words[static_cast<std::size_t>(test)];
}

std::array<std::size_t, verdict_count> Comparison::counts() const {
  std::array<std::size_t, verdict_count> counts{};
  for (const Point& point : points) ++counts.at(static_cast<std::size_t>(point.verdict));
  return counts;
}

bool Comparison::tested() const {
  return std::ranges::any_of(points, [](const Point& point) { return point.p.has_value(); });
}

Comparison compare(Observations&& taken) {
  const auto &base = taken.base_, &now = taken.now_;
  if (taken.options_.launches == Launches::paired && base.size() != now.size())
    throw Unpaired(std::to_string(base.size()) + " launches of the base and " + std::to_string(now.size()) +
                   " of the new side make no pairs");
  taken.places_ = {};
  taken.matched_.shrink_to_fit();  // rows come beside them
  return Comparer(base, now, std::move(taken.matched_), taken.lost_base_, taken.lost_now_,
                  std::move(taken.options_), std::move(taken.kept_))
      .run();
}

Comparison compare(Runs base, Runs now, Options options) {
  Observations taken(std::move(options));
  for (const auto& [runs, side] : {std::pair{base, Observations::Side::base}, {now, Observations::Side::now}})
    for (const record::Run& run : runs) {
      taken.begin(side, run.head);
      for (const record::PointRecord& point : run.points) taken.add_whole(point);
    }
  return compare(std::move(taken));
}

}  // namespace steelyard::comparison
