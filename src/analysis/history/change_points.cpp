// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/change_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace steelyard::history {
namespace {

using Logs = std::span<const double>;

constexpr std::size_t window = 30, window_step = 5;
constexpr std::size_t enough_for_dependence = 20, enough_for_trend = 20, enough_for_interval = 5;
constexpr double most_dependence = 0.9;
constexpr double lenient = 0.2;     // p of steps that are looked for as if entries were independent
constexpr double much_better = 10;  // difference of Schwarz's criterion that counts as very strong evidence
constexpr double as_likely = 20;    // cuts with so many times the least p belong to the range of a change
constexpr double least_sd = 0.02;
constexpr std::size_t most_fresh = 4, enough_before_fresh = 12;
constexpr double suspicious = 6;

double median_of(Logs logs) {
  return stats::median(std::vector<double>(logs.begin(), logs.end()));
}

/// Correlation of neighbours among residuals; 0 where all are equal.
double lag_of(const std::vector<double>& rest) {
  double mean = 0, products = 0, squares = 0;
  for (const double x : rest) mean += x / static_cast<double>(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double x = rest[i] - mean;
    squares += x * x;
    if (i > 0) products += x * (rest[i - 1] - mean);
  }
  return squares > 0 ? products / squares : 0;
}

/// Factor by which z shrinks because neighbours among the residuals resemble each other.
double shrinkage_of(const std::vector<double>& rest) {
  if (rest.size() < enough_for_dependence) return 1;
  const auto n = static_cast<double>(rest.size());
  const double r = lag_of(rest), rho = r + (2 + 3 * r) / n;
  if (!(rho > 1 / std::sqrt(n))) return 1;
  const double used = std::min(rho, most_dependence);
  return std::sqrt((1 - used) / (1 + used));
}

/// Residuals to the medians of the stretches between cuts.
std::vector<double> rest_of(Logs logs, const std::vector<std::size_t>& cuts) {
  std::vector<double> rest;
  for (std::size_t i = 0, begin = 0; i <= cuts.size(); ++i) {
    const std::size_t end = i < cuts.size() ? cuts[i] : logs.size();
    const double centre = median_of(logs.subspan(begin, end - begin));
    for (; begin < end; ++begin) rest.push_back(logs[begin] - centre);
  }
  return rest;
}

/// Theil and Sen's slope, the median of those between all pairs; in long series between a part of them.
double slope_of(Logs logs) {
  const std::size_t step = std::max<std::size_t>(1, logs.size() / 300);
  std::vector<double> slopes;
  for (std::size_t i = 0; i < logs.size(); i += step)
    for (std::size_t k = i + step; k < logs.size(); k += step)
      slopes.push_back((logs[k] - logs[i]) / static_cast<double>(k - i));
  return stats::median(std::move(slopes));
}

/// Residuals to a line of this slope.
std::vector<double> rest_of_line(Logs logs, double slope) {
  std::vector<double> rest;
  for (std::size_t i = 0; i < logs.size(); ++i) rest.push_back(logs[i] - slope * static_cast<double>(i));
  const double centre = stats::median(rest);
  for (double& x : rest) x -= centre;
  return rest;
}

/// Adds the cuts of a series, as if its entries were independent.
void add_free_cuts(Logs logs, std::size_t at, RankSums& ranks, std::vector<std::size_t>& cuts) {
  if (logs.size() < fewest_entries) return;
  const auto p = logs.size() > window ? RankSums::rough_cuts(logs) : ranks.cuts(logs);
  const auto least = std::ranges::min_element(p);
  if (2 * static_cast<double>(p.size()) * *least > lenient) return;
  const std::size_t cut = static_cast<std::size_t>(least - p.begin()) + least_side;
  add_free_cuts(logs.first(cut), at, ranks, cuts);
  cuts.push_back(at + cut);
  add_free_cuts(logs.subspan(cut), at + cut, ranks, cuts);
}

/// Schwarz's criterion of residuals of which each may resemble the one before: the smaller, the better they
/// are explained.
double criterion_of(const std::vector<double>& rest, std::size_t parameters) {
  constexpr double least_square = 1e-300;  // of entries that are all explained
  const auto n = static_cast<double>(rest.size());
  double squares = 0;
  for (const double x : rest) squares += x * x;
  const double lag = std::max(0.0, lag_of(rest));
  return n * std::log(squares * (1 - lag * lag) / n + least_square) +
         static_cast<double>(parameters) * std::log(n);
}

/// Factor by which z of a cut shrinks because neighbours resemble each other, beside both sides of the cut. A
/// further step makes neighbours alike as well: where several stretches explain the series much better than one cut
/// or a line does, beside all of them.
double shrinkage(Logs logs, std::size_t cut, RankSums& ranks) {
  const auto one_cut = rest_of(logs, {cut});
  const double factor = shrinkage_of(one_cut);
  if (factor == 1) return 1;
  std::vector<std::size_t> cuts;
  add_free_cuts(logs, 0, ranks, cuts);
  if (std::ranges::find(cuts, cut) == cuts.end()) cuts.insert(std::ranges::upper_bound(cuts, cut), cut);
  const auto stretches = rest_of(logs, cuts);
  const double freer = shrinkage_of(stretches);
  if (freer <= factor) return factor;
  const double limit = criterion_of(stretches, 2 * cuts.size() + 1) + much_better;
  const bool explains =
      limit < criterion_of(one_cut, 3) && limit < criterion_of(rest_of_line(logs, slope_of(logs)), 2);
  return explains ? freer : factor;
}

/// By how much one cut at every place lessens the squares of residuals to means: element i is of a cut at i. Values
/// far out count as the fence that they are beyond: a single one would draw the cut to itself.
std::vector<double> explained(Logs logs) {
  constexpr double far_out = 3;  // ranges between the quartiles, as Tukey has it
  const std::size_t n = logs.size();
  std::vector<double> sorted(logs.begin(), logs.end());
  std::ranges::sort(sorted);
  const double low = sorted[n / 4], high = sorted[n - 1 - n / 4], fence = far_out * (high - low);
  const auto fenced = [&](double x) { return std::clamp(x, low - fence, high + fence); };
  double mean = 0, sum = 0;
  for (const double x : logs) mean += fenced(x) / static_cast<double>(n);
  std::vector<double> less(n, 0);
  for (std::size_t cut = 1; cut < n; ++cut) {
    sum += fenced(logs[cut - 1]) - mean;
    less[cut] = sum * sum * static_cast<double>(n) / static_cast<double>(cut * (n - cut));
  }
  return less;
}

/// The best cut of a stretch, before the number of cuts is counted.
struct Best {
  double p = 1;  // the least, dependence counted
  std::size_t cut = 0, first = 0, last = 0;
  bool dependent = false;
};

/// Ranks place a cut too early or too late where values beside it are by chance the most extreme of their side: of
/// the cuts about the best one that are as likely, the one that explains most is taken.
Best best_cut_alone(Logs logs, RankSums& ranks) {
  const auto p = ranks.cuts(logs);
  if (p.empty()) return {};
  Best best;
  best.p = std::ranges::min(p);
  const auto likely = [&](double one) { return one <= as_likely * best.p; };
  const auto least = std::ranges::find(p, best.p);
  const auto begin = std::find_if_not(std::reverse_iterator(least), p.rend(), likely).base();
  const auto end = std::find_if_not(least, p.end(), likely);
  const auto cut_of = [&](auto place) { return static_cast<std::size_t>(place - p.begin()) + least_side; };
  const auto less = explained(logs);
  best.cut = cut_of(least);
  for (std::size_t cut = cut_of(begin); cut < cut_of(end); ++cut)
    if (less[cut] > less[best.cut]) best.cut = cut;
  best.first = cut_of(std::ranges::find_if(p, likely));
  best.last = cut_of(std::find_if(p.rbegin(), p.rend(), likely).base()) - 1;
  return best;
}

/// Raises p where neighbours resemble each other.
void count_dependence(Logs logs, Best& best, RankSums& ranks) {
  if (best.cut == 0) return;
  const double factor = shrinkage(logs, best.cut, ranks);
  best.dependent = factor < 1;
  if (best.dependent) best.p = two_sided_of(factor * z_of(best.p));
}

Best best_cut(Logs logs, RankSums& ranks) {
  Best best = best_cut_alone(logs, ranks);
  count_dependence(logs, best, ranks);
  return best;
}

double cuts_of(std::size_t n) {
  return static_cast<double>(n - 2 * least_side + 1);
}

/// p over all cuts; the two searches (whole stretch, windows) share alpha.
double counted(double p, double cuts) {
  return std::min(1.0, 2 * cuts * p);
}

Best shifted(Best best, std::size_t by) {
  best.cut += by;
  best.first += by;
  best.last += by;
  return best;
}

/// Best cut in windows that end at the newest entry and every `window_step` entries before it.
Best best_window(Logs logs, RankSums& ranks) {
  Best best;
  double windows = 0;
  for (std::size_t end = logs.size(); end >= window; end -= window_step) {
    const std::size_t begin = end - window;
    const Logs within = logs.subspan(begin, window);
    Best one = best_cut_alone(within, ranks);
    if (windows++ > 0 && one.p >= best.p) continue;  // dependence makes no p smaller
    count_dependence(within, one, ranks);
    if (windows == 1 || one.p < best.p) best = shifted(one, begin);
  }
  best.p = counted(best.p, windows * cuts_of(window));
  return best;
}

Best best_of_stretch(Logs logs, RankSums& ranks) {
  Best whole = best_cut(logs, ranks);
  whole.p = counted(whole.p, cuts_of(logs.size()));
  if (logs.size() <= window) return whole;
  const Best in_window = best_window(logs, ranks);
  return in_window.p < whole.p ? in_window : whole;
}

/// Differences of every value after a change to every value before it, in ascending order; they are
/// counted, not stored.
class Differences {
 public:
  Differences(Logs before, Logs after)
      : before_(before.begin(), before.end()), after_(after.begin(), after.end()) {
    std::ranges::sort(before_);
    std::ranges::sort(after_);
  }

  [[nodiscard]] std::size_t size() const { return before_.size() * after_.size(); }

  /// Difference at a place, found by halving the range of all numbers that it can be.
  [[nodiscard]] double at(std::size_t place) const {
    std::uint64_t low = order_of(after_.front() - before_.back()),
                  high = order_of(after_.back() - before_.front());
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (up_to(number_of(middle)) > place)
        high = middle;
      else
        low = middle + 1;
    }
    return number_of(low);
  }

 private:
  static constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  /// Whole number of a floating point number, in the same order.
  static std::uint64_t order_of(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    return (bits & sign) != 0 ? ~bits : bits | sign;
  }
  static double number_of(std::uint64_t order) {
    return std::bit_cast<double>((order & sign) != 0 ? order & ~sign : ~order);
  }

  [[nodiscard]] std::size_t up_to(double most) const {
    std::size_t count = 0, fitting = 0;
    for (const double before : before_) {
      while (fitting < after_.size() && after_[fitting] - before <= most) ++fitting;
      count += fitting;
    }
    return count;
  }

  std::vector<double> before_, after_;
};

stats::Interval interval_of_ratio(const Differences& differences, std::size_t a, std::size_t b) {
  const auto m = static_cast<double>(a), n = static_cast<double>(b);
  const double rank = m * n / 2 - 1.96 * std::sqrt(m * n * (m + n + 1) / 12) - 0.5;
  const auto k = static_cast<std::size_t>(std::max(0.0, rank));
  return {std::exp(differences.at(k)), std::exp(differences.at(differences.size() - 1 - k))};
}

/// Estimates the ratio as Hodges and Lehmann do: by the median of all differences.
void estimate_ratio(Logs before, Logs after, Change& change) {
  const Differences differences(before, after);
  const std::size_t middle = differences.size() / 2;
  const double upper = differences.at(middle);
  change.ratio = std::exp(differences.size() % 2 == 1 ? upper : (upper + differences.at(middle - 1)) / 2);
  if (std::min(before.size(), after.size()) >= enough_for_interval)
    change.interval = interval_of_ratio(differences, before.size(), after.size());
}

/// Sorts values from begin to end, and returns the number of pairs that fell before.
double sort_fallen(std::vector<double>& values, std::vector<double>& room, std::size_t begin,
                   std::size_t end) {
  if (end - begin < 2) return 0;
  const std::size_t middle = begin + (end - begin) / 2;
  double fallen = sort_fallen(values, room, begin, middle) + sort_fallen(values, room, middle, end);
  std::size_t left = begin, right = middle;
  for (std::size_t to = begin; to < end; ++to) {
    const bool from_right = right < end && (left == middle || values[right] < values[left]);
    if (from_right) fallen += static_cast<double>(middle - left);
    room[to] = from_right ? values[right++] : values[left++];
  }
  std::copy(room.begin() + static_cast<std::ptrdiff_t>(begin),
            room.begin() + static_cast<std::ptrdiff_t>(end),
            values.begin() + static_cast<std::ptrdiff_t>(begin));
  return fallen;
}

/// Pairs of values that rise in the order of time less pairs that fall; equal ones are neither.
double risen_less_fallen(Logs logs) {
  std::vector<double> values(logs.begin(), logs.end()), room(values.size());
  const double fallen = sort_fallen(values, room, 0, values.size());
  const auto n = static_cast<double>(values.size());
  double equal = 0;
  for (std::size_t i = 0, k = 0; i < values.size(); i = k) {
    while (k < values.size() && values[k] == values[i]) ++k;
    equal += static_cast<double>((k - i) * (k - i - 1)) / 2;
  }
  return n * (n - 1) / 2 - equal - 2 * fallen;
}

/// Step between two stretches by their medians, and the part of it that may be noise.
struct Step {
  double centre = 0;  // of the stretch before
  double size = 0, noise = 0;
};

Step step_of(Logs before, Logs after) {
  const double centre = median_of(before);
  std::vector<double> away;
  for (const double x : before) away.push_back(std::abs(x - centre));
  const double s = std::max(1.4826 * stats::median(away), least_sd);
  const double noise =
      s * std::sqrt(1 / static_cast<double>(after.size()) + 1.57 / static_cast<double>(before.size()));
  return {centre, median_of(after) - centre, noise};
}

class Search {
 public:
  Search(Logs logs, const Method& method, RankSums& ranks) : logs_(logs), method_(method), ranks_(ranks) {}

  Findings run() {
    split(0, logs_.size());
    std::ranges::sort(found_.changes, {}, &Change::cut);
    merge();
    for (std::size_t i = 0; i < found_.changes.size(); ++i) limit_range(i);
    look_at_newest_change();
    look_at_newest();
    if (found_.changes.empty()) look_for_trend();
    return std::move(found_);
  }

 private:
  void split(std::size_t begin, std::size_t end) {
    if (end - begin < fewest_entries) return;
    const Best best = shifted(best_of_stretch(logs_.subspan(begin, end - begin), ranks_), begin);
    ++found_.tested;
    found_.dependent |= best.dependent;
    if (begin == 0 && end == logs_.size()) found_.p = best.p;
    if (best.p > method_.alpha) return;
    found_.changes.push_back({best.cut, best.first, best.last, best.p, 1, {}});
    split(begin, best.cut);
    split(best.cut, end);
  }

  [[nodiscard]] std::size_t begin_of(std::size_t i) const { return i == 0 ? 0 : found_.changes[i - 1].cut; }
  [[nodiscard]] std::size_t end_of(std::size_t i) const {
    return i + 1 == found_.changes.size() ? logs_.size() : found_.changes[i + 1].cut;
  }

  /// Least p of the cuts in the range of a change, of those of a stretch that begins at `begin`; 1 where it has none.
  [[nodiscard]] static double least_p(const std::vector<double>& p, std::size_t begin, const Change& change) {
    double least = 1;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const std::size_t cut = begin + least_side + i;
      if (cut >= change.first && cut <= change.last) least = std::min(least, p[i]);
    }
    return least;
  }

  /// Tests a change again, on the two stretches beside it alone.
  void test_again(std::size_t i) {
    Change& change = found_.changes[i];
    const std::size_t begin = begin_of(i), end = end_of(i);
    const Logs both = logs_.subspan(begin, end - begin);
    estimate_ratio(both.first(change.cut - begin), both.subspan(change.cut - begin), change);
    const double p = least_p(ranks_.cuts(both), begin, change);
    const double factor = p < 1 ? shrinkage(both, change.cut - begin, ranks_) : 1;
    change.p = counted(factor < 1 ? two_sided_of(factor * z_of(p)) : p, cuts_of(both.size()));
  }

  [[nodiscard]] bool stands(const Change& change) const {
    return change.p <= method_.alpha && std::abs(change.ratio - 1) > method_.threshold;
  }

  /// Removes the weakest change that does not stand, until all do.
  void merge() {
    auto& changes = found_.changes;
    for (std::size_t i = 0; i < changes.size(); ++i) test_again(i);
    while (!changes.empty()) {
      auto weakest = changes.end();
      for (auto one = changes.begin(); one != changes.end(); ++one)
        if (!stands(*one) && (weakest == changes.end() || one->p > weakest->p)) weakest = one;
      if (weakest == changes.end()) return;
      const auto at = static_cast<std::size_t>(weakest - changes.begin());
      changes.erase(weakest);
      if (at > 0) test_again(at - 1);  // those beside it have longer stretches now
      if (at < changes.size()) test_again(at);
    }
  }

  /// Limits the range of a change: ranges of neighbours do not overlap.
  void limit_range(std::size_t i) {
    Change& change = found_.changes[i];
    change.first = std::max(change.first, begin_of(i) + 1);
    change.last = std::min(change.last, end_of(i) - 1);
  }

  [[nodiscard]] bool is_clear(const Step& step) const {
    return std::abs(step.size) > std::max(std::log1p(method_.threshold), suspicious * step.noise);
  }

  void look_at_newest_change() {
    if (found_.changes.empty()) return;
    Change& newest = found_.changes.back();
    const std::size_t begin = begin_of(found_.changes.size() - 1), before = newest.cut - begin;
    newest.clear = before >= enough_before_fresh &&
                   is_clear(step_of(logs_.subspan(begin, before), logs_.subspan(newest.cut)));
  }

  /// Whether the stretch after a cut is suspicious, and begins there, not later.
  [[nodiscard]] bool is_suspicious(const Step& step, double first_after) const {
    return is_clear(step) && std::abs(first_after - step.centre) >= std::abs(step.size) / 2;
  }

  /// Looks for fresh changes that ranks cannot prove yet.
  void look_at_newest() {
    const std::size_t begin = found_.changes.empty() ? 0 : found_.changes.back().cut;
    const Logs stretch = logs_.subspan(begin);
    double strongest = 0;
    for (std::size_t k = 1; k <= most_fresh && stretch.size() >= enough_before_fresh + k; ++k) {
      const std::size_t cut = stretch.size() - k;
      const Step step = step_of(stretch.first(cut), stretch.subspan(cut));
      const double strength = std::abs(step.size) / step.noise;
      if (!is_suspicious(step, stretch[cut]) || strength <= strongest) continue;
      strongest = strength;
      found_.suspicion = Suspicion{k, std::exp(step.size)};
    }
    if (found_.suspicion) move_suspicion(stretch);
  }

  /// After a step further back, which is no proof where neighbours resemble each other, the newest entries look fresh
  /// as well: the cut that explains the stretch better is told, if it is suspicious in the same direction.
  void move_suspicion(Logs stretch) {
    const auto less = explained(stretch);
    const std::size_t fresh = stretch.size() - found_.suspicion->entries;
    std::size_t cut = fresh;
    for (std::size_t earlier = enough_before_fresh; earlier < fresh; ++earlier)
      if (less[earlier] > less[cut]) cut = earlier;
    if (cut == fresh) return;
    const Step step = step_of(stretch.first(cut), stretch.subspan(cut));
    if (is_suspicious(step, stretch[cut]) && (step.size > 0) == (found_.suspicion->ratio > 1))
      found_.suspicion = Suspicion{stretch.size() - cut, std::exp(step.size)};
  }

  /// Looks for a trend by Mann and Kendall's S, pairs that rise less pairs that fall; neighbours are compared
  /// beside the line, since those on a slope resemble each other whatever the noise is.
  void look_for_trend() {
    const std::size_t n = logs_.size();
    if (n < enough_for_trend) return;
    const auto m = static_cast<double>(n);
    const double sd = std::sqrt(m * (m - 1) * (2 * m + 5) / 18);
    const double z = std::max(0.0, std::abs(risen_less_fallen(logs_)) - 1) / sd;
    if (two_sided_of(z) > method_.alpha) return;
    const double slope = slope_of(logs_);
    const double p = two_sided_of(z * shrinkage_of(rest_of_line(logs_, slope)));
    const double change = slope * (m - 1);
    if (p <= method_.alpha && std::abs(change) > std::log1p(method_.threshold))
      found_.trend = Trend{p, std::exp(change)};
  }

  Logs logs_;
  const Method& method_;
  RankSums& ranks_;
  Findings found_;
};

}  // namespace

Findings find_changes(Logs logs, const Method& method, RankSums& ranks) {
  if (logs.size() < fewest_entries) return {};
  return Search(logs, method, ranks).run();
}

std::size_t entries_needed(std::size_t before, double alpha, std::size_t tested) {
  constexpr std::size_t most = 1000;
  for (std::size_t after = least_side; after < most; ++after) {
    const std::size_t stretches =
        tested + (before >= fewest_entries ? 1U : 0U) + (after >= fewest_entries ? 1U : 0U);
    const double p = counted(RankSums::least(before, after), cuts_of(before + after));
    if (static_cast<double>(stretches) * p <= alpha) return after;
  }
  return most;
}

}  // namespace steelyard::history
