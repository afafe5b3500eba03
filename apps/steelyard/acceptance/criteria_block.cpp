// SPDX-License-Identifier: Apache-2.0
#include "acceptance/criteria_block.hpp"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/acceptance/figures.hpp"
#include "analysis/acceptance/selection.hpp"
#include "foreign/foreign.hpp"
#include "process/errors.hpp"
#include "record/value.hpp"
#include "suites/screen/quantities.hpp"
#include "suites/suite_list.hpp"

namespace steelyard::cli {

void CriteriaBlock::refuse(const std::string& what) const {
  throw UsageError(place() + ": " + prefix() + what);
}
void CriteriaBlock::refuse(const toml::node& node, const std::string& what) const {
  throw UsageError(place_in(file_, node.source()) + ": " + prefix() + what);
}

void CriteriaBlock::allow(Words known) const {
  allow_words(table_, {known.begin(), known.end()}, file_, prefix());
}

std::string CriteriaBlock::text(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const auto value = node->value<std::string>();
  if (!node->is_string() || !value) refuse(*node, std::string(key) + ": must be a text in quotes");
  return *value;
}

bool CriteriaBlock::yes(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return false;
  if (!node->is_boolean()) refuse(*node, std::string(key) + ": must be true or false");
  return *node->value<bool>();
}

std::size_t CriteriaBlock::count(std::string_view key, std::size_t otherwise) const {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  const auto value = node->value<std::int64_t>();
  if (!node->is_integer() || *value < 1 || *value > 1000)
    refuse(*node, std::string(key) + ": must be a whole number from 1 to 1000");
  return static_cast<std::size_t>(*value);
}

std::optional<double> CriteriaBlock::share(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_number()) {
    const double value = *node->value<double>();
    if (!(value > 0) || !std::isfinite(value)) refuse(*node, std::string(key) + ": must be above 0");
    return value;
  }
  return amount_of(*node, key, "").value;
}

units::Amount CriteriaBlock::amount_of(const toml::node& node, std::string_view key,
                                       std::string_view needed) const {
  if (node.is_number())
    refuse(node, std::string(key) + ": a number needs its unit, in quotes: \"2.5 Tflop/s\"");
  const auto words = node.value<std::string>();
  if (!node.is_string() || !words) refuse(node, std::string(key) + ": must be a text in quotes");
  try {
    const auto composed = acceptance::composed_units();
    units::Amount amount = units::parse_amount(*words, composed);
    if (key != "amount" && needed != "any" && amount.unit != needed)
      refuse(node, std::string(key) + ": '" + *words + "' is in " + amount.unit +
                       (needed.empty() ? "; a ratio is needed" : "; " + std::string(needed) + " is needed"));
    return amount;
  } catch (const units::ParseError& error) {
    refuse(node, std::string(key) + ": " + error.what());
  }
}

comparison::RunFilter CriteriaBlock::filter(std::string_view key) const {
  try {
    return comparison::RunFilter::parse(text(key));
  } catch (const comparison::UnknownRunName& unknown) {
    refuse(*find(key), std::string(key) + ": " + unknown.what());
  }
}

namespace {

using acceptance::Criterion;
using acceptance::Every;
using acceptance::Of;

constexpr std::string_view statistic_words[] = {"median", "mean", "min", "p05", "p25",
                                                "p75",    "p95",  "p99", "max"};

/// Whether a figure is "SUMMARY.VALUE" of b_eff, b_eff_io or FTIO.
bool is_of_summary(std::string_view figure) {
  constexpr std::string_view summaries[] = {"b_eff", "b_eff_io", "ftio"};
  const auto dot = figure.find('.');
  return dot != std::string_view::npos &&
         std::ranges::find(summaries, figure.substr(0, dot)) != std::end(summaries);
}

/// Whether a figure names a summary of b_eff, b_eff_io or FTIO, but no value of it: values have names that are
/// listed, or end in their unit.
bool is_no_summary_value(std::string_view figure) {
  if (!is_of_summary(figure)) return false;
  const auto value = figure.substr(figure.find('.') + 1);
  return record::metric_name(value) == nullptr && record::unit_of(value).empty();
}

std::vector<std::string> names_near(std::string_view figure) {
  auto names = acceptance::figure_names();
  if (is_of_summary(figure))  // keys of HPC Challenge are among those already
    for (const auto& one : record::metric_names())
      names.push_back(std::string(figure.substr(0, figure.find('.') + 1)) + std::string(one.name));
  return names;
}

void check_figure(const CriteriaBlock& block, const std::string& figure) {
  if (figure.empty() || (acceptance::figure_kind(figure) && !is_no_summary_value(figure))) return;
  const auto names = names_near(figure);
  block.refuse(*block.find("figure"),
               "there is no figure '" + figure + '\'' + units::did_you_mean(figure, names));
}

/// Refuses a benchmark that does not exist; of other programs all are accepted.
void check_select(const CriteriaBlock& block, const std::string& select) {
  if (select.empty()) return;
  const acceptance::PointPattern pattern(select);
  const std::string benchmark = pattern.benchmark();
  if (foreign::is_suite(benchmark.substr(0, benchmark.find('/')))) return;
  const auto all = suites::definitions();
  try {
    const std::vector<std::string> patterns{benchmark};
    (void)campaign::select(patterns, {}, suites::pointers(all));
  } catch (const UsageError& error) {
    block.refuse(*block.find("select"), "select: " + std::string(error.what()));
  }
}

void check_table(const CriteriaBlock& block, const std::string& table) {
  if (table.empty()) return;
  std::vector<std::string> names;
  for (const screen::Quantity& one : screen::quantities)
    names.push_back(std::string(one.of_pairs ? screen::pair_table : screen::node_table) + '.' +
                    std::string(one.name));
  if (std::ranges::find(names, table) != names.end()) return;
  const std::string near = units::did_you_mean(table, names);
  block.refuse(*block.find("table"),
               "there is no table '" + table + '\'' +
                   (near.empty() ? "; such as screen_nodes.triad, pingpong_pairs.bandwidth" : near));
}

void check_statistic(const CriteriaBlock& block, const std::string& statistic) {
  if (statistic.empty() || statistic.starts_with("classic.")) return;
  (void)block.word<int>("statistic", statistic_words, 0);
}

/// Refuses words that make no sense together.
void check_limits(const CriteriaBlock& block, const Criterion& criterion) {
  const int subjects = static_cast<int>(!criterion.figure.empty()) +
                       static_cast<int>(!criterion.select.empty()) +
                       static_cast<int>(!criterion.table.empty());
  if (subjects != 1)
    block.refuse(subjects == 0 ? "needs one of figure, select, table"
                               : "has more than one of figure, select, table");
  if (!criterion.at_least && !criterion.at_most && !criterion.within && !criterion.spread_at_most)
    block.refuse("has no limit: at_least, at_most, within or spread_at_most");
  if (criterion.within && criterion.within->of == Of::amount)
    block.refuse(*block.find("within"), "within: needs what it is a share of: \"5% of reference:NAME\"");
  if (criterion.within && !criterion.table.empty() && criterion.within->of != Of::median &&
      criterion.within->of != Of::reference)
    block.refuse(*block.find("within"), "within: of a table it is a share of the median or of a reference");
  const auto &low = criterion.at_least, &high = criterion.at_most;
  const bool same = low && high && low->of == high->of && low->name == high->name;
  const bool amounts = same && low->of == Of::amount;
  const bool crossed = amounts
                           ? low->amount.unit == high->amount.unit && low->amount.value > high->amount.value
                           : same && low->share > high->share;
  if (crossed)
    block.refuse(*block.find("at_least"),
                 "at_least " + low->written + " lies above at_most " + high->written);
  if (criterion.spread_at_most && (low || high || criterion.within))
    block.refuse("spread_at_most stands alone: make a second criterion of it");
  if (criterion.spread_at_most && criterion.spread_at_most->of != Of::amount)
    block.refuse(*block.find("spread_at_most"), "spread_at_most: is a ratio, such as \"5%\"");
  if (!criterion.metric.empty() && criterion.select.empty())
    block.refuse(*block.find("metric"), "metric: belongs to select");
  if (!criterion.statistic.empty() && criterion.select.empty())
    block.refuse(*block.find("statistic"), "statistic: belongs to select");
}

/// Refuses an `every` that is not of the subject's kind: points of a selection, nodes or links of a table.
void check_every(const CriteriaBlock& block, const Criterion& criterion) {
  if (criterion.allowed > 0 && criterion.every == Every::none)
    block.refuse(*block.find("allowed"), "allowed: belongs to every");
  if (criterion.every == Every::none) return;
  const toml::node& every = *block.find("every");
  if (!criterion.figure.empty())
    block.refuse(every, "every: belongs to select and table; a figure is one value");
  const Every needed = !criterion.select.empty()                      ? Every::point
                       : criterion.table.starts_with("screen_nodes.") ? Every::node
                                                                      : Every::link;
  if (criterion.every != needed)
    block.refuse(every, "every: '" + block.text("every") + "' is none of " +
                            (criterion.select.empty() ? criterion.table : criterion.select) + "; '" +
                            std::string(every_words[static_cast<std::size_t>(needed) - 1]) + "' is");
}

struct Subject {
  std::string name, unit;
};

/// Subject of a criterion with its unit: of a table that of its quantity, of a selection that of the metric or
/// statistic that it names; nullopt if the unit is not known.
std::optional<Subject> subject_with_unit(const Criterion& criterion) {
  if (const auto kind = acceptance::figure_kind(criterion.figure))
    return Subject{criterion.figure, kind->unit};
  if (!criterion.table.empty()) {
    const auto* quantity = screen::quantity(criterion.table.substr(criterion.table.find('.') + 1));
    return quantity == nullptr ? std::nullopt
                               : std::optional(Subject{criterion.table, std::string(quantity->unit)});
  }
  const bool classic = criterion.statistic.starts_with("classic.");
  const std::string& metric = classic ? criterion.statistic : criterion.metric;
  const std::string unit(record::unit_of(metric));
  return unit.empty() ? std::nullopt : std::optional(Subject{metric, unit == "w" ? "W" : unit});
}

/// Refuses a limit in another unit than the subject's.
void check_units(const CriteriaBlock& block, const Criterion& criterion) {
  const auto kind = subject_with_unit(criterion);
  if (!kind) return;
  const std::pair<const char*, const std::optional<acceptance::Limit>*> limits[] = {
      {"at_least", &criterion.at_least}, {"at_most", &criterion.at_most}};
  for (const auto& [key, limit] : limits)
    if (*limit && (*limit)->of == Of::amount && (*limit)->amount.unit != kind->unit)
      block.refuse(*block.find(key),
                   std::string(key) + ": '" + (*limit)->written + "' is " +
                       ((*limit)->amount.unit.empty() ? "a pure number" : "in " + (*limit)->amount.unit) +
                       "; " + kind->name + " is " +
                       (kind->unit.empty() ? "a pure number" : "in " + kind->unit));
}

}  // namespace

void check_criterion(const CriteriaBlock& block, const Criterion& criterion) {
  check_figure(block, criterion.figure);
  check_select(block, criterion.select);
  check_table(block, criterion.table);
  check_statistic(block, criterion.statistic);
  check_limits(block, criterion);
  check_every(block, criterion);
  check_units(block, criterion);
}

}  // namespace steelyard::cli
