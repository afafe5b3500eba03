// SPDX-License-Identifier: Apache-2.0
#include "analysis/acceptance/figures.hpp"

#include <algorithm>

#include "analysis/balance/flags.hpp"
#include "analysis/balance/measured.hpp"
#include "analysis/balance/merits.hpp"
#include "analysis/balance/ratios.hpp"
#include "analysis/balance/references.hpp"
#include "analysis/comparison/imported.hpp"
#include "analysis/warnings.hpp"
#include "record/point_view.hpp"
#include "suites/hpcc/summary_keys.hpp"

namespace steelyard::acceptance {
namespace {

using balance::Quantity;
using balance::System;

constexpr std::string_view hpcc_suite = "hpcc", hpcc_start = "hpcc.", imb_suite = "imb-mpi1";

/// Quantity that a figure is, by its own name or by that of its figure of merit.
std::optional<Quantity> quantity_of(const FigureKind& kind) {
  if (const auto* merit = balance::merit_figure(kind.name)) return merit->quantity;
  return balance::quantity_named(kind.name);
}

std::string suite_of(Quantity quantity) {
  const std::string_view source = balance::info(quantity).source;
  constexpr std::string_view run = "run ";
  if (!source.starts_with(run)) return {};
  const std::string_view word = source.substr(run.size());
  return std::string(word.substr(0, word.find('/')));
}

/// Suite of a summary: b-eff-io of b_eff_io; the others have the same name.
std::string suite_of_summary(std::string_view summary) {
  std::string suite(summary);
  std::ranges::replace(suite, '_', '-');
  return suite;
}

bool is_time(std::string_view unit) {
  return unit == "s";
}

/// Kind of "hpcc.KEY", a key of the Summary; nullopt if there is no such key.
std::optional<FigureKind> hpcc_kind(std::string_view name) {
  const auto key = name.substr(hpcc_start.size());
  const auto unit = hpcc::key_unit(key);
  if (!unit || hpcc::summary_key(key) == nullptr) return std::nullopt;
  const bool is_count = unit->base == "words" || unit->base == "elements";
  return FigureKind{std::string(name), "hpcc", std::string(is_count ? "" : unit->base), is_time(unit->base)};
}

std::optional<Figure> of_metric(const record::Metric& metric) {
  if (const auto* plain = std::get_if<double>(&metric)) return Figure{.value = *plain};
  const auto* all = std::get_if<record::Statistics>(&metric);
  const auto value = record::value_of(metric);
  if (all == nullptr || !value) return std::nullopt;
  Figure figure{.value = *value};
  if (all->ci && *value != 0)
    figure.interval = analysis::RelativeInterval{all->ci->first / *value - 1, all->ci->second / *value - 1};
  return figure;
}

/// What points say on the verification of a value.
struct Verification {
  bool wrong = false, verified = false;
};

/// Verification of those points of HPC Challenge that belong to a value; nullopt if none does.
template <class Belongs>
std::optional<Verification> verification_of(const Launch& launch, Belongs belongs) {
  std::optional<Verification> found;
  for (const record::PointRecord& point : launch.run.points) {
    if (point.suite != hpcc_suite || !record::measured(point) || !belongs(point)) continue;
    if (!found) found.emplace();
    found->wrong |= point.verified == false;
    found->verified |= point.verified.has_value();
  }
  return found;
}

/// Doubts about a key: of the first point that has it, or else of its test. They withhold the figure of merit and stand
/// beside a key that is asked for by its name.
std::string doubt_of(const Launch& launch, const hpcc::SummaryKey& key) {
  std::string of_test;
  for (const record::PointRecord& point : launch.run.points) {
    if (point.suite != hpcc_suite || !record::measured(point)) continue;
    if (record::find(point.classic, key.name) != nullptr) return analysis::doubts_in_words(point);
    if (of_test.empty() && point.benchmark == key.test) of_test = analysis::doubts_in_words(point);
  }
  return of_test;
}

/// Verification of a key by the points that have it, or else by those of its test; nullopt without such points, as in
/// a text of figures.
std::optional<Verification> verification_of(const Launch& launch, const hpcc::SummaryKey& key) {
  const auto by_key = verification_of(
      launch, [&](const auto& point) { return record::find(point.classic, key.name) != nullptr; });
  return by_key ? by_key
                : verification_of(launch, [&](const auto& point) { return point.benchmark == key.test; });
}

const record::SummaryRecord* hpcc_summary_of(const Launch& launch) {
  const auto found = std::ranges::find(launch.run.summaries, hpcc_suite, &record::SummaryRecord::suite);
  return found == launch.run.summaries.end() ? nullptr : &*found;
}

/// Adds the verification of the test that a key is of; of a key of the run or the machine that of the Summary. A text of
/// another program tells by its Success alone.
void add_verification(const Launch& launch, std::string_view name, Figure& figure) {
  const auto* key = hpcc::summary_key(name);
  const auto* summary = hpcc_summary_of(launch);
  const bool of_test = key != nullptr && !key->test.empty();
  const auto points = of_test ? verification_of(launch, *key) : std::nullopt;
  if (points) {
    figure.wrong = points->wrong;
    figure.unverified = !points->verified;
  } else if (summary != nullptr) {
    figure.wrong = !of_test && summary->verified == false;
    figure.unverified = !summary->verified;
  }
  if (of_test && launch.foreign && summary != nullptr)
    figure.wrong |= balance::failed_hpcc_tests(summary->classic).contains(key->test);
}

/// Value of a key of HPC Challenge: of the points that stand for its Summary, or of the Summary itself.
std::optional<Figure> hpcc_value(const Launch& launch, std::string_view key) {
  std::optional<Figure> found;
  for (const auto& point : launch.hpcc)
    if (const auto* metric = point.benchmark == key ? record::metric(point, point.primary) : nullptr)
      found = of_metric(*metric);
  const auto* summary = hpcc_summary_of(launch);
  if (!found && summary != nullptr)
    if (const auto number = record::number_of(record::find(summary->classic, key)))
      found = Figure{.value = hpcc::in_base_units(key, *number)};
  if (!found) return std::nullopt;
  if (summary != nullptr) found->official = summary->official;
  if (const auto* of = hpcc::summary_key(key); of != nullptr && !of->test.empty())
    found->doubt = doubt_of(launch, *of);
  add_verification(launch, key, *found);
  return found;
}

/// Value "SUMMARY.VALUE" of a run's summaries.
std::optional<Figure> summary_value(const Launch& launch, std::string_view name) {
  const std::size_t dot = name.find('.');
  const std::string_view summary = name.substr(0, dot), value = name.substr(dot + 1);
  if (summary == hpcc_suite) return hpcc_value(launch, value);
  for (const auto& one : launch.run.summaries) {
    if (one.name != summary && one.suite != summary) continue;
    std::optional<Figure> found;
    for (const auto& [key, metric] : one.values)
      if (key == value) found = of_metric(metric);
    if (!found)
      if (const auto number = record::number_of(record::find(one.classic, value)))
        found = Figure{.value = *number};
    if (!found) continue;
    if (const auto quantity = balance::quantity_named(value))
      found->doubt = balance::doubt_words(launch.system, *quantity);
    found->wrong = one.verified == false;
    found->unverified = !one.verified;
    found->official = one.official;
    return found;
  }
  return std::nullopt;
}

std::optional<Figure> of_quantity(const System& system, Quantity quantity) {
  const auto value = system.inputs.get(quantity);
  if (!value) return std::nullopt;
  return Figure{.value = *value,
                .interval = system.inputs.interval(quantity),
                .doubt = balance::doubt_words(system, quantity),
                .wrong = system.doubts.failed.contains(quantity),
                .unverified = system.doubts.unverified.contains(quantity)};
}

std::optional<Figure> of_ratio(const System& system, const balance::Ratio& ratio) {
  const auto found = balance::flagged_ratio(ratio, system);
  if (!found.value.value) return std::nullopt;
  const auto any = [&](const std::set<Quantity>& among) {
    return std::ranges::any_of(found.value.used, [&](Quantity one) { return among.contains(one); });
  };
  return Figure{.value = *found.value.value,
                .interval = found.value.interval,
                .doubt = balance::words(found.flags),
                .wrong = any(system.doubts.failed),
                .unverified = any(system.doubts.unverified)};
}

std::optional<Figure> of_system(const System& system, const record::Run* run, const FigureKind& kind) {
  if (const auto* merit = balance::merit_figure(kind.name)) {
    for (const balance::Merit& one : balance::merits(system, run)) {
      if (one.figure != merit || !one.value) continue;
      return Figure{.value = *one.value,
                    .interval = one.interval,
                    .doubt = one.doubt,
                    .wrong = one.wrong,
                    .unverified = one.unverified};
    }
    return std::nullopt;
  }
  if (const auto quantity = balance::quantity_named(kind.name)) return of_quantity(system, *quantity);
  if (const auto* ratio = balance::ratio_named(kind.name)) return of_ratio(system, *ratio);
  return std::nullopt;
}

/// Whether the rules of all suites were kept; nullopt if one does not tell and none broke them.
std::optional<bool> all_official(const Launch& launch, const std::set<std::string>& suites) {
  bool all_known = !suites.empty();
  for (const std::string& suite : suites) {
    const auto official = official_of(launch, suite);
    if (official == false) return false;
    all_known &= official.has_value();
  }
  return all_known ? std::optional(true) : std::nullopt;
}

/// Adds what the value is of a ping-pong that another program measured: not a median as our own.
void note_statistic(const Launch& launch, Figure& figure) {
  for (const auto& point : launch.run.points) {
    if (point.suite != imb_suite || point.benchmark != "PingPong") continue;
    if (const std::string words = comparison::statistic_of(point); !words.empty())
      figure.doubt += (figure.doubt.empty() ? "" : ", ") + std::string("imported: ") + words;
    return;
  }
}

}  // namespace

std::optional<FigureKind> figure_kind(std::string_view name) {
  if (const auto* merit = balance::merit_figure(name))
    return FigureKind{std::string(name), std::string(merit->suite), std::string(merit->unit),
                      merit->lower_is_better};
  if (const auto quantity = balance::quantity_named(name)) {
    const std::string unit(record::unit_of(name));
    return FigureKind{std::string(name), suite_of(*quantity), unit == "w" ? "W" : unit,
                      is_time(unit) || name == "mean_power_w" || name == "ftio_io_fraction"};
  }
  if (const auto* ratio = balance::ratio_named(name))
    return FigureKind{std::string(name), {}, std::string(ratio->unit), ratio->lower_is_better};
  if (name.starts_with(hpcc_start))
    if (auto kind = hpcc_kind(name)) return kind;
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || name.starts_with(hpcc_start) || dot == 0 || dot + 1 == name.size())
    return std::nullopt;
  const std::string unit(record::unit_of(name));
  return FigureKind{std::string(name), suite_of_summary(name.substr(0, dot)), unit, is_time(unit)};
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const auto& one : balance::merit_figures()) names.emplace_back(one.key);
  for (const auto& one : balance::quantities()) names.emplace_back(one.name);
  for (const auto& one : balance::ratios()) names.emplace_back(one.id);
  for (const auto& one : hpcc::summary_keys())
    names.push_back(std::string(hpcc_start) + std::string(one.name));
  return names;
}

std::vector<std::string_view> composed_units() {
  std::vector<std::string_view> units;
  for (const auto& one : balance::ratios())
    if (one.unit.find('/') != std::string_view::npos) units.push_back(one.unit);
  return units;
}

std::optional<Figure> figure_of(const Launch& launch, const FigureKind& kind) {
  std::optional<Figure> found = kind.name.find('.') != std::string::npos
                                    ? summary_value(launch, kind.name)
                                    : of_system(launch.system, &launch.run, kind);
  if (found && launch.foreign && kind.suite == imb_suite) note_statistic(launch, *found);
  if (found && !found->official) found->official = all_official(launch, suites_of(launch, kind));
  return found;
}

std::optional<Figure> figure_of(const System& system, const FigureKind& kind) {
  return of_system(system, nullptr, kind);
}

std::set<std::string> suites_of(const Launch& launch, const FigureKind& kind) {
  if (!kind.suite.empty()) return {kind.suite};
  std::set<std::string> suites;
  if (const auto* ratio = balance::ratio_named(kind.name)) {
    const auto found = balance::evaluate(*ratio, launch.system.inputs);
    for (const auto& quantities : {found.used, found.missing})
      for (const Quantity quantity : quantities)
        if (std::string suite = suite_of(quantity); !suite.empty()) suites.insert(std::move(suite));
  }
  return suites;
}

std::optional<bool> official_of(const Launch& launch, const std::string& suite) {
  for (const auto& summary : launch.run.summaries)
    if (summary.suite == suite && summary.official) return summary.official;
  return std::nullopt;
}

std::string lack_of(const Launch& launch, const FigureKind& kind) {
  if (const auto quantity = quantity_of(kind)) {
    const auto& doubts = launch.system.doubts;
    if (const auto found = doubts.not_run.find(*quantity); found != doubts.not_run.end())
      return found->second;
    if (const auto found = doubts.withheld.find(*quantity); found != doubts.withheld.end())
      return found->second.why;
  }
  const auto* key =
      kind.name.starts_with(hpcc_start) ? hpcc::summary_key(kind.name.substr(hpcc_start.size())) : nullptr;
  if (key == nullptr || key->test.empty()) return {};
  for (const auto& point : launch.run.points)
    if (point.suite == hpcc_suite && point.benchmark == key->test && !record::measured(point) && point.reason)
      return point.reason->text;
  return {};
}

std::string reason_for(const Launch& launch, const FigureKind& kind) {
  if (std::string own = lack_of(launch, kind); !own.empty()) return own;
  const auto suites = suites_of(launch, kind);
  for (const auto& point : launch.run.points)
    if (suites.contains(point.suite) && point.reason && !point.reason->text.empty())
      return point.reason->text;
  return {};
}

}  // namespace steelyard::acceptance
