// SPDX-License-Identifier: Apache-2.0
#include "analysis/acceptance/selection.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/balance/merits.hpp"
#include "analysis/comparison/imported.hpp"
#include "analysis/warnings.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "record/whereabouts.hpp"
#include "stats/order.hpp"
#include "suites/screen/quantities.hpp"
#include "units/text.hpp"

namespace steelyard::acceptance {
namespace {

using record::Json;
using record::PointRecord;

std::vector<std::string_view> pieces(std::string_view text, char between) {
  std::vector<std::string_view> list;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(between, at), text.size());
    if (end > at) list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

/// Value of a size as it stands in keys: "1048576" for "1Mi".
std::string in_bytes(const std::string& name, std::string_view value) {
  if (!name.ends_with("_byte")) return std::string(value);
  try {
    return std::to_string(units::parse_size(value).count());
  } catch (const units::ParseError&) {
    return std::string(value);  // a pattern
  }
}

/// Parameters of a key, decoded no further: patterns are written as keys are.
std::map<std::string, std::string, std::less<>> parameters_of(const PointRecord& point) {
  std::map<std::string, std::string, std::less<>> found;
  const auto words = pieces(point.key, ';');
  for (std::size_t i = 1; i < words.size(); ++i)
    if (const std::size_t equal = words[i].find('='); equal != std::string_view::npos)
      found.emplace(words[i].substr(0, equal), words[i].substr(equal + 1));
  return found;
}

constexpr std::string_view classic_start = "classic.";

std::optional<Reading> classic_value(const PointRecord& point, std::string_view name) {
  const auto value = record::number_of(record::find(point.classic, name));
  return value ? std::optional(Reading{*value}) : std::nullopt;
}

/// Half of the last printed digit, in ln. A text of another program has no interval; its
/// value lies within this.
Reach printed_reach(const PointRecord& point, const std::string& metric, double value) {
  const double step = metric == point.primary ? comparison::step_of(point) : 0;
  const double half = step > 0 && value > step ? std::log1p(step / 2 / value) : 0;
  return {half, half};
}

/// Of an interval relative to its value; an end beyond the value is none.
Reach reach_of(const std::optional<analysis::RelativeInterval>& interval) {
  if (!interval) return {};
  return {std::max(0.0, -std::log1p(interval->low_above_zero())), std::max(0.0, std::log1p(interval->high))};
}

std::optional<Reading> reading_of(const PointRecord& point, const std::string& metric,
                                  const std::string& statistic) {
  if (statistic.starts_with(classic_start))
    return classic_value(point, statistic.substr(classic_start.size()));
  const record::Metric* held = record::metric(point, metric);
  if (held == nullptr) return std::nullopt;
  const bool is_value = statistic.empty() || statistic == "median";
  if (const auto* plain = std::get_if<double>(held))
    return is_value ? std::optional(Reading{*plain, printed_reach(point, metric, *plain)}) : std::nullopt;
  const auto* all = std::get_if<record::Statistics>(held);
  if (all == nullptr) return std::nullopt;
  const auto value = statistic.empty() ? record::value_of(*all) : record::statistic(*all, statistic);
  if (!value) return std::nullopt;
  Reading reading{*value, printed_reach(point, metric, *value)};
  if (is_value && all->ci && all->ci->first > 0)
    reading.reach =
        reach_of(analysis::RelativeInterval{all->ci->first / *value - 1, all->ci->second / *value - 1});
  return reading;
}

std::string unit_of_reading(const std::string& metric, const std::string& statistic) {
  const std::string name = statistic.starts_with(classic_start) ? statistic : metric;
  return std::string(record::unit_of(name));
}

bool is_lower_better(const PointRecord& point, const std::string& metric) {
  if (metric == point.primary) return point.lower_is_better;
  const auto* known = record::metric_name(metric);
  return known == nullptr || known->lower_is_better;
}

bool usable(double value) {
  return std::isfinite(value) && value > 0;
}

/// Readings of items by name, in order of first appearance.
class Collector {
 public:
  Item& item(const std::string& name) {
    const auto [found, is_new] = places_.try_emplace(name, items_.size());
    if (is_new) items_.push_back(Item{name, {}, {}, false, {}});
    return items_[found->second];
  }
  /// All items, also nodes and links without a value: they were to be measured.
  std::vector<Item> take() { return std::move(items_); }
  /// Items with a value: points may lack the metric that is asked for.
  std::vector<Item> take_measured() {
    std::erase_if(items_, [](const Item& one) { return one.readings.empty() && !one.wrong; });
    return std::move(items_);
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<Item> items_;
};

void add_doubt(Item& item, const std::string& words) {
  if (item.doubt.empty()) item.doubt = words;
}

/// Counts a launch that was to measure the item and has no value.
void add_lack(Item& item, const std::string& why) {
  if (item.lacking++ == 0) item.lack = why;
}

/// Doubts about a value, and the statistic of a value that is not our own.
std::string doubts_of(const PointRecord& point) {
  std::string words = analysis::doubts_in_words(point);
  if (const std::string statistic = comparison::statistic_of(point); !statistic.empty())
    words += (words.empty() ? "" : ", ") + std::string("imported: ") + statistic;
  return words;
}

Selection select_figure(const Criterion& criterion, Launches launches) {
  const auto kind = *figure_kind(criterion.figure);
  Selection selection;
  Item item{criterion.figure, kind.suite, kind.unit, kind.lower_is_better, {}};
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Launch& launch = *launches[i];
    const auto found = figure_of(launch, kind);
    const auto suites = suites_of(launch, kind);
    for (const PointRecord& point : launch.run.points)
      if (suites.contains(point.suite) && point.status != record::Status::ok) ++selection.absent;
    if (!found || !usable(found->value)) {
      if (selection.reason.empty()) selection.reason = reason_for(launch, kind);
      if (const std::string why = lack_of(launch, kind); !why.empty()) add_lack(item, why);
      continue;
    }
    item.readings.push_back({found->value, reach_of(found->interval), i});
    item.wrong |= found->wrong;
    selection.unchecked |= found->unverified;
    item.official &= found->official == true;
    add_doubt(item, found->doubt);
  }
  if (!item.readings.empty()) selection.items.push_back(std::move(item));
  return selection;
}

/// Throws BadCriteria for a name that no point of the benchmark has: it is a slip of the pen, not a gap
/// in the measurement.
void refuse_unknown_parameters(const Criterion& criterion, const PointPattern& pattern, Launches launches) {
  std::set<std::string> known;
  for (const Launch* launch : launches)
    for (const PointRecord& point : launch->run.points)
      if (pattern.is_of_benchmark(point))
        for (const auto& [name, value] : parameters_of(point)) known.insert(name);
  if (known.empty()) return;
  for (const auto& [name, value] : pattern.parameters()) {
    if (known.contains(name)) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    const auto near = units::nearest(name, names);
    throw BadCriteria(criterion.place + ": " + criterion.id + ": points of " + pattern.benchmark() +
                      " have no '" + name + "'; " + (near ? "did you mean " + *near + "? " : "") +
                      "they have " + units::joined(names));
  }
}

void refuse_absent_metric(const Criterion& criterion, const std::set<std::string>& metrics) {
  const std::vector<std::string> names(metrics.begin(), metrics.end());
  const auto near = units::nearest(criterion.metric, names);
  throw BadCriteria(criterion.place + ": " + criterion.id + ": these points have no metric '" +
                    criterion.metric + "'; " + (near ? "did you mean " + *near + "? " : "") + "they have " +
                    units::joined(names));
}

Selection select_points(const Criterion& criterion, Launches launches) {
  const PointPattern pattern(criterion.select);
  refuse_unknown_parameters(criterion, pattern, launches);
  Selection selection;
  Collector items;
  std::set<std::string> metrics;
  bool has_metric = false;
  for (std::size_t i = 0; i < launches.size(); ++i)
    for (const PointRecord& point : launches[i]->run.points) {
      if (!pattern.holds(point)) continue;
      if (point.status != record::Status::ok) ++selection.absent;
      selection.wrong |= point.verified == false;
      if (!record::measured(point)) {
        if (selection.reason.empty() && point.reason) selection.reason = point.reason->text;
        add_lack(items.item(point.key), point.reason ? point.reason->text : std::string(text(point.status)));
        continue;
      }
      selection.unchecked |= !point.verified.has_value();
      const std::string metric = criterion.metric.empty() ? point.primary : criterion.metric;
      for (const auto& [name, value] : point.metrics) metrics.insert(name);
      has_metric |= record::metric(point, metric) != nullptr;
      auto reading = reading_of(point, metric, criterion.statistic);
      if (!reading && selection.reason.empty() && record::metric(point, metric) != nullptr)
        selection.reason =
            metric + " has no " + (criterion.statistic.empty() ? "value" : criterion.statistic);
      Item& item = items.item(point.key);
      item.suite = point.suite;
      item.unit = unit_of_reading(metric, criterion.statistic);
      item.lower_is_better = is_lower_better(point, metric);
      item.wrong |= point.verified == false;
      if (!reading || !usable(reading->value)) continue;
      reading->launch = i;
      item.readings.push_back(*reading);
      item.official &= official_of(*launches[i], point.suite) == true;
      add_doubt(item, doubts_of(point));
    }
  if (!has_metric && !metrics.empty() && !criterion.metric.empty()) refuse_absent_metric(criterion, metrics);
  selection.items = items.take_measured();
  return selection;
}

const Json* column(const record::TableRecord& table, const char* name) {
  const Json& columns = table.columns.json();
  return columns.is_object() && columns.contains(name) && columns[name].is_array() ? &columns[name] : nullptr;
}

/// Name at that place of a list; nullptr if it is not told.
const std::string* name_at(const std::vector<std::string>& names, const Json& index) {
  const auto at = index.is_number_integer() ? index.get<std::int64_t>() : -1;
  const bool known = at >= 0 && at < std::ssize(names) && !names[static_cast<std::size_t>(at)].empty();
  return known ? &names[static_cast<std::size_t>(at)] : nullptr;
}

std::string host_name(const std::vector<std::string>& hosts, const Json& index) {
  if (index.is_string()) return index.get<std::string>();
  const auto* name = name_at(hosts, index);
  return name == nullptr ? index.dump() : *name;
}

/// "3 - 9 (lion004 - lion010)"; the ranks alone where it is not known where they run.
std::string link_name(const std::vector<std::string>& hosts, const Json& from, const Json& to) {
  const std::string ranks = from.dump() + " - " + to.dump();
  const auto *one = name_at(hosts, from), *other = name_at(hosts, to);
  return one == nullptr || other == nullptr ? ranks : ranks + " (" + *one + " - " + *other + ')';
}

/// Values of a node over visits, of a link over repetitions.
struct RowValues {
  std::vector<double> values;
  bool wrong = false;  // the verification of a row failed
  bool unverified = false;
};
using NamedValues = std::map<std::string, RowValues>;

struct TableKind {
  const char* value;
  std::string unit;
  bool lower_is_better;
};

TableKind kind_of_column(const std::string& word) {
  const screen::Quantity* quantity = screen::quantity(word);
  if (quantity == nullptr) return {"value", {}, false};
  const char* values = !quantity->of_pairs ? "value" : word == "latency" ? "latency_s" : "bandwidth_byte_s";
  return {values, std::string(quantity->unit), quantity->lower_is_better};
}

NamedValues values_of_table(const record::Whereabouts& where, const record::TableRecord& table,
                            const std::string& word, const TableKind& kind) {
  NamedValues found;
  const Json* values = column(table, kind.value);
  const Json *hosts = column(table, "host"), *benchmarks = column(table, "benchmark"),
             *from = column(table, "from_rank"), *to = column(table, "to_rank"),
             *verified = column(table, "verified");
  const bool of_nodes = hosts != nullptr && benchmarks != nullptr;
  if (values == nullptr || (!of_nodes && (from == nullptr || to == nullptr))) return found;
  const std::size_t rows = std::min(values->size(), of_nodes ? std::min(hosts->size(), benchmarks->size())
                                                             : std::min(from->size(), to->size()));
  const auto names = of_nodes ? record::host_names(where) : record::hosts_of_ranks(where);
  for (std::size_t k = 0; k < rows; ++k) {
    if (of_nodes && (*benchmarks)[k] != Json(word)) continue;
    const std::string name =
        of_nodes ? host_name(names, (*hosts)[k]) : link_name(names, (*from)[k], (*to)[k]);
    const bool told = verified != nullptr && k < verified->size() && (*verified)[k].is_boolean();
    RowValues& row = found[name];
    row.wrong |= told && !(*verified)[k].get<bool>();
    if (!(*values)[k].is_number() || !usable((*values)[k].get<double>())) continue;
    row.unverified |= !told;
    row.values.push_back((*values)[k].get<double>());
  }
  return found;
}

/// Doubts about a quantity of a screening, which its point bears: all nodes and links share them.
std::string doubts_of_quantity(const Launch& launch, const std::string& word) {
  const screen::Quantity* quantity = screen::quantity(word);
  if (quantity == nullptr) return {};
  const std::string_view benchmark = quantity->of_pairs ? "pairs" : quantity->name;
  for (const PointRecord& point : launch.run.points)
    if (point.suite == screen::suite_name && point.benchmark == benchmark && record::measured(point))
      return doubts_of(point);
  return {};
}

Selection select_table(const Criterion& criterion, Launches launches) {
  const std::size_t dot = criterion.table.find('.');
  const std::string name = criterion.table.substr(0, dot), word = criterion.table.substr(dot + 1);
  const TableKind kind = kind_of_column(word);
  Selection selection;
  Collector items;
  for (std::size_t i = 0; i < launches.size(); ++i)
    for (std::size_t t = 0; t < launches[i]->run.tables.size(); ++t) {
      const auto& table = launches[i]->run.tables[t];
      if (table.name != name) continue;
      const auto where = record::whereabouts_of_table(launches[i]->run, t);
      const bool is_official = official_of(*launches[i], table.suite) == true;
      const std::string doubt = doubts_of_quantity(*launches[i], word);
      for (const auto& [of, row] : values_of_table(where, table, word, kind)) {
        Item& item = items.item(of);
        item.unit = kind.unit;
        item.lower_is_better = kind.lower_is_better;
        item.wrong |= row.wrong;
        selection.unchecked |= row.unverified;
        if (row.values.empty()) {
          ++selection.absent;
          add_lack(item, {});
          continue;
        }
        item.readings.push_back({stats::median(row.values), {}, i});
        item.official &= is_official;
        add_doubt(item, doubt);
      }
    }
  selection.items = items.take();
  if (selection.items.empty()) selection.reason = "no result has the table " + name;
  return selection;
}

using LogsOfNames = std::map<std::string, stats::Moments>;

LogsOfNames logs_of_merits(Launches launches) {
  LogsOfNames logs;
  for (const Launch* launch : launches)
    for (const auto& one : balance::merits(launch->system, &launch->run))
      if (one.value && usable(*one.value)) logs[std::string(one.figure->key)].add(std::log(*one.value));
  return logs;
}

LogsOfNames logs_of_points(const std::string& suite, Launches launches) {
  LogsOfNames logs;
  for (const Launch* launch : launches)
    for (const PointRecord& point : launch->run.points) {
      if (point.suite != suite || !record::measured(point)) continue;
      const auto reading = reading_of(point, point.primary, {});
      if (reading && usable(reading->value)) logs[point.key].add(std::log(reading->value));
    }
  return logs;
}

LogsOfNames logs_of_items(const std::vector<Item>& items) {
  LogsOfNames logs;
  for (const Item& item : items)
    for (const Reading& one : item.readings) logs[item.name].add(std::log(one.value));
  return logs;
}

}  // namespace

PointPattern::PointPattern(std::string_view words) {
  const auto list = pieces(words, ';');
  if (list.empty()) return;
  benchmark_ = list.front();
  for (std::size_t i = 1; i < list.size(); ++i) {
    const std::size_t equal = std::min(list[i].find('='), list[i].size());
    std::string name(list[i].substr(0, equal));
    std::string value = in_bytes(name, list[i].substr(std::min(equal + 1, list[i].size())));
    parameters_.emplace_back(std::move(name), std::move(value));
  }
}

bool PointPattern::is_of_benchmark(const PointRecord& point) const {
  return comparison::matches(benchmark_, point.suite + '/' + point.benchmark);
}

bool PointPattern::holds(const PointRecord& point) const {
  if (!is_of_benchmark(point)) return false;
  const auto held = parameters_of(point);
  return std::ranges::all_of(parameters_, [&](const auto& wanted) {
    const auto found = held.find(wanted.first);
    return found != held.end() && comparison::matches(wanted.second, found->second);
  });
}

Selection select(const Criterion& criterion, Launches launches) {
  if (!criterion.figure.empty()) return select_figure(criterion, launches);
  return criterion.select.empty() ? select_table(criterion, launches) : select_points(criterion, launches);
}

Pool pool_of(const Criterion& criterion, const Item& item, const Selection& selection, Launches launches) {
  const LogsOfNames logs = !criterion.table.empty() ? logs_of_items(selection.items)
                           : item.suite.empty()     ? logs_of_merits(launches)
                                                    : logs_of_points(item.suite, launches);
  double squares = 0;
  Pool pool{.values = logs.size()};
  for (const auto& [key, moments] : logs) {
    if (moments.count() < 2) continue;
    squares += moments.sd() * moments.sd() * static_cast<double>(moments.count() - 1);
    pool.freedom += moments.count() - 1;
  }
  if (pool.freedom > 0) pool.variance = squares / static_cast<double>(pool.freedom);
  return pool;
}

}  // namespace steelyard::acceptance
