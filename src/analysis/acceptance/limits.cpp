// SPDX-License-Identifier: Apache-2.0
#include "analysis/acceptance/limits.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/comparison/comparison.hpp"
#include "stats/compare.hpp"
#include "units/text.hpp"

namespace steelyard::acceptance {
namespace {

constexpr std::size_t enough_for_order = 6, enough_for_rank_ratio = 5;
constexpr double power = 0.8, z_power = 0.84;  // its quantile
constexpr int most_launches = 100;

std::vector<double> values_of(const Item& item) {
  std::vector<double> list;
  for (const Reading& one : item.readings) list.push_back(one.value);
  return list;
}

double log_spread(const std::vector<double>& values) {
  stats::Moments logs;
  for (const double value : values) logs.add(std::log(value));
  return logs.sd();
}

stats::Interval log_interval(double centre, const Reach& reach) {
  return {centre * std::exp(-reach.below), centre * std::exp(reach.above)};
}

/// How much more the median of values scatters than their mean: sqrt(pi / 2) of many, a little less of few.
double scatter_of(Combine combine, std::size_t launches) {
  return combine == Combine::median && launches > 2 ? std::sqrt(std::numbers::pi / 2) : 1;
}

/// Half of an interval in ln of so many launches: by Student's t of the spread that was measured, and no less than by
/// the one that is assumed.
double half_of(Combine combine, double level, double spread, std::size_t freedom, std::size_t launches) {
  const double measured = freedom > 0 ? stats::student(freedom, level) * spread : 0;
  const double half = std::max(measured, stats::normal_quantile(level) * least_spread);
  return half * scatter_of(combine, launches) / std::sqrt(static_cast<double>(launches));
}

/// Intervals within a launch are of 95 %: another level is as much wider as a normal distribution's.
Reach at_level(const Reach& reach, double level) {
  const double wider = stats::normal_quantile(level) / stats::z95;
  return {wider * reach.below, wider * reach.above};
}

/// Probability that at least so many of n draws succeed.
double at_least(std::size_t wanted, std::size_t n, double success) {
  if (success >= 1) return 1;
  double term = std::pow(1 - success, static_cast<double>(n)), below = 0;
  for (std::size_t k = 0; k < wanted; ++k) {
    below += term;
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1) * success / (1 - success);
  }
  return 1 - below;
}

double normal_below(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

/// Whether so many launches decide with the power asked for.
bool decide(std::size_t launches, const Distance& distance, Combine combine, double level) {
  const bool by_order = combine == Combine::median && launches >= enough_for_order && distance.other == 0;
  if (const auto rank = by_order ? stats::median_interval_rank(launches, level) : std::nullopt)
    return at_least(launches - *rank + 1, launches, normal_below(distance.log / distance.spread)) >= power;
  const double root =
      scatter_of(combine, launches) * distance.spread / std::sqrt(static_cast<double>(launches));
  const double t = stats::student(distance.pooled * (launches - 1), level);
  return std::hypot(t * root, distance.other) + z_power * root <= distance.log;
}

[[noreturn]] void refuse(const Criterion& criterion, const std::string& what) {
  throw BadCriteria(criterion.place + ": " + criterion.id + ": " + what);
}

std::string in_words(const std::string& unit) {
  return unit.empty() ? "a pure number" : "in " + unit;
}

Threshold of_amount(const units::Amount& amount, double share, const Limit& limit, const Criterion& criterion,
                    const Item& item) {
  if (amount.unit != item.unit)
    refuse(criterion, '\'' + limit.written + "' is " + in_words(amount.unit) + ", " + item.name + " is " +
                          in_words(item.unit));
  return {amount.value, share * amount.value, {}};
}

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

Threshold of_committed(const Limit& limit, const Criterion& criterion, const Item& item,
                       const Sources& sources) {
  const auto& held = sources.criteria.committed;
  const auto found = held.contains(criterion.figure) ? held.find(criterion.figure) : held.find(criterion.id);
  if (found == held.end()) return {0, 0, "[committed] has no number for it"};
  return of_amount(found->second, limit.share, limit, criterion, item);
}

std::string layout_text(const Launch& launch) {
  std::string text;
  for (const auto& aspect : comparison::layout_of(launch.run.head))
    text +=
        (text.empty() ? "" : ", ") + aspect.name + ' ' + (aspect.value.empty() ? "unknown" : aspect.value);
  return text;
}

/// Throws BadCriteria for another layout, as a comparison does: values of other layouts are of other things.
/// Texts do not tell theirs.
void refuse_other_layout(const Limit& limit, const Criterion& criterion, const std::vector<Launch>& reference,
                         const Sources& sources) {
  for (const Launch* launch : sources.launches)
    for (const Launch& other : reference)
      if (!launch->foreign && !other.foreign && layout_text(*launch) != layout_text(other))
        refuse(criterion, "reference:" + limit.name + " was measured in another layout (" +
                              layout_text(other) + "; " + layout_text(*launch) + ")");
}

Threshold of_reference(const Limit& limit, const Criterion& criterion, const Item& item,
                       const Sources& sources) {
  const auto found = sources.references.find(limit.name);
  if (found == sources.references.end()) {
    const auto names = keys_of(sources.references);
    refuse(criterion, "'" + limit.written + "': nothing was given as reference '" + limit.name +
                          "' (--reference " + limit.name + "=RESULT)" +
                          units::did_you_mean(limit.name, names));
  }
  refuse_other_layout(limit, criterion, found->second, sources);
  std::vector<const Launch*> launches;
  for (const Launch& launch : found->second) launches.push_back(&launch);
  Selection selection = select(criterion, launches);
  const auto same = std::ranges::find(selection.items, item.name, &Item::name);
  if (same == selection.items.end() || same->readings.empty())
    return {0, 0, "the reference " + limit.name + " has no " + item.name};
  const auto combine = criterion.combine == Combine::every ? Combine::median : criterion.combine;
  Threshold threshold;
  threshold.reference =
      estimate(*same, combine, sources.criteria.confidence, pool_of(criterion, *same, selection, launches));
  threshold.base = threshold.reference->value;
  threshold.value = limit.share * threshold.base;
  threshold.reference_item = std::move(*same);
  return threshold;
}

Threshold of_published(const Limit& limit, const Criterion& criterion, const Sources& sources) {
  const auto kind = figure_kind(criterion.figure);
  if (!kind) refuse(criterion, "'" + limit.written + "': published systems have figures alone");
  std::vector<std::string> names;
  for (const balance::System& system : sources.published) {
    names.push_back(system.name);
    if (system.name != limit.name && !comparison::matches(limit.name, system.name)) continue;
    if (const auto figure = figure_of(system, *kind)) return {figure->value, limit.share * figure->value, {}};
  }
  const bool known = std::ranges::any_of(
      names, [&](const std::string& one) { return comparison::matches(limit.name, one); });
  if (known) return {0, 0, "no published record of " + limit.name + " has it"};
  refuse(criterion, "'" + limit.name + "' is no published system" + units::did_you_mean(limit.name, names) +
                        " (steelyard systems lists them)");
}

Threshold of_peak(const Limit& limit, const Criterion& criterion, const Item& item, const Sources& sources) {
  const char* name = limit.of == Of::peak_flop ? "flop" : "memory";
  const auto& stated = sources.criteria.peak;
  if (const auto found = stated.find(name); found != stated.end())
    return of_amount(found->second, limit.share, limit, criterion, item);
  const auto quantity = limit.of == Of::peak_flop ? balance::Quantity::peak_measured_flop_s
                                                  : balance::Quantity::peak_memory_byte_s;
  for (const Launch* launch : sources.launches)
    if (const auto value = launch->system.inputs.get(quantity)) {
      const std::string unit = limit.of == Of::peak_flop ? "flop/s" : "byte/s";
      return of_amount({*value, unit}, limit.share, limit, criterion, item);
    }
  return {0, 0, std::string("the peak is not known: [peak] ") + name + " states it"};
}

}  // namespace

double seen_spread(const Item& item) {
  return item.readings.size() < 2 ? least_spread : log_spread(values_of(item));
}

Reach reach_of(const Estimate& found) {
  if (!found.interval) return {};
  return {std::log(found.value / found.interval->low), std::log(found.interval->high / found.value)};
}

double half_of_launches(const Item& item, const Estimate& found, double level, std::size_t launches) {
  return half_of(Combine::median, level, seen_spread(item), found.pooled * (launches - 1), launches);
}

Estimate outermost(const Item& item, bool upper) {
  const auto [low, high] = std::ranges::minmax_element(item.readings, {}, &Reading::value);
  const Reading& taken = upper ? *high : *low;
  return {.value = taken.value, .launches = item.readings.size(), .decisive = taken.launch};
}

Estimate estimate(const Item& item, Combine combine, double level, const Pool& pool) {
  if (combine != Combine::median && combine != Combine::mean)
    return outermost(item, (combine == Combine::best) != item.lower_is_better);
  auto values = values_of(item);
  std::ranges::sort(values);
  const std::size_t n = values.size();
  Estimate found{
      .value = stats::median(values), .pooled = std::max<std::size_t>(1, pool.values), .launches = n};
  if (combine == Combine::mean)
    found.value = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  const double measured = std::max(log_spread(values), std::sqrt(pool.variance));
  found.spread = std::max(measured, least_spread);
  if (combine == Combine::median && n >= enough_for_order) {
    found.interval = stats::median_interval(values, level);
    if (found.interval) found.spread = log_spread(values);
  }
  if (found.interval) return found;
  const double between = half_of(combine, level, measured, std::max(n - 1, pool.freedom), n);
  const Reach inside = n == 1 ? at_level(item.readings.front().reach, level) : Reach{};
  found.interval =
      log_interval(found.value, Reach{std::hypot(inside.below, between), std::hypot(inside.above, between)});
  return found;
}

std::optional<stats::Interval> against(const Estimate& value, const Item& of, const Estimate& reference,
                                       const Item& reference_of, Combine combine, double level) {
  if (!value.interval || !reference.interval) return value.interval;
  if (combine == Combine::median && std::min(value.launches, reference.launches) >= enough_for_rank_ratio &&
      stats::hodges_lehmann_rank(reference.launches, value.launches, level) >= 0) {
    const auto ratio = stats::hodges_lehmann_ratio(values_of(reference_of), values_of(of), level);
    return stats::Interval{ratio.interval.low * reference.value, ratio.interval.high * reference.value};
  }
  const Reach own = reach_of(value), other = reach_of(reference);
  return log_interval(value.value,
                      Reach{std::hypot(own.below, other.above), std::hypot(own.above, other.below)});
}

std::optional<int> launches_needed(const Distance& distance, Combine combine, double level) {
  for (int launches = 2; launches <= most_launches; ++launches)
    if (decide(static_cast<std::size_t>(launches), distance, combine, level)) return launches;
  return std::nullopt;
}

Threshold resolve(const Limit& limit, const Criterion& criterion, const Item& item, const Sources& sources) {
  switch (limit.of) {
    case Of::amount: return of_amount(limit.amount, 1, limit, criterion, item);
    case Of::committed: return of_committed(limit, criterion, item, sources);
    case Of::reference: return of_reference(limit, criterion, item, sources);
    case Of::system: return of_published(limit, criterion, sources);
    case Of::peak_flop:
    case Of::peak_memory: return of_peak(limit, criterion, item, sources);
    case Of::median: break;
  }
  if (!sources.median)
    refuse(criterion, "'" + limit.written + "': a median is of the nodes or links of a table");
  return {*sources.median, limit.share * *sources.median, {}};
}

std::string limits_text(const Criterion& criterion) {
  std::string text;
  const std::pair<const char*, const std::optional<Limit>*> limits[] = {
      {"at least ", &criterion.at_least},
      {"at most ", &criterion.at_most},
      {"within ", &criterion.within},
      {"spread at most ", &criterion.spread_at_most}};
  for (const auto& [words, limit] : limits)
    if (*limit) text += (text.empty() ? "" : ", ") + std::string(words) + (*limit)->written;
  return text;
}

}  // namespace steelyard::acceptance
