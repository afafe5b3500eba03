// SPDX-License-Identifier: Apache-2.0
#include "analysis/acceptance/limits.hpp"

#include <algorithm>

#include "analysis/comparison/comparison.hpp"
#include "units/text.hpp"

namespace steelyard::acceptance {
namespace {

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

/// As a comparison refuses: values of other layouts are of other things. Texts do not tell theirs.
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
    const auto near = units::nearest(limit.name, names);
    refuse(criterion, "'" + limit.written + "': nothing was given as reference '" + limit.name +
                          "' (--reference " + limit.name + "=RESULT)" +
                          (near ? "; did you mean " + *near + '?' : ""));
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
      estimate(*same, combine, sources.criteria.confidence, pooled_variance(same->suite, launches));
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
  const auto near = units::nearest(limit.name, names);
  refuse(criterion, "'" + limit.name + "' is no published system" +
                        (near ? "; did you mean " + *near + '?' : "") + " (steelyard systems lists them)");
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

Threshold resolve(const Limit& limit, const Criterion& criterion, const Item& item, const Sources& sources) {
  switch (limit.of) {
    case Of::amount:
      return of_amount(limit.amount, 1, limit, criterion, item);
    case Of::committed:
      return of_committed(limit, criterion, item, sources);
    case Of::reference:
      return of_reference(limit, criterion, item, sources);
    case Of::system:
      return of_published(limit, criterion, sources);
    case Of::peak_flop:
    case Of::peak_memory:
      return of_peak(limit, criterion, item, sources);
    case Of::median:
      break;
  }
  if (!sources.median)
    refuse(criterion, "'" + limit.written + "': a median is of the nodes or links of a table");
  return {*sources.median, limit.share * *sources.median, {}};
}

}  // namespace steelyard::acceptance
