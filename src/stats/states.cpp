// SPDX-License-Identifier: Apache-2.0
#include "stats/states.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "stats/order.hpp"

namespace steelyard::stats {
namespace {

struct Sense {
  std::optional<double> Probe::*value;
  double factor;  // neighbours further apart than this are different states
};
constexpr std::array<Sense, 3> senses{
    {{&Probe::c2c_s, same_c2c}, {&Probe::chain_s, same_chain}, {&Probe::wide_s, same_wide}}};
constexpr std::size_t most_classes = 4;
constexpr double least_share = 0.03;

using Labels = std::array<int, senses.size()>;
using Centre = std::array<std::optional<double>, senses.size()>;
using Members = std::vector<std::size_t>;  // indices of visits
using Classes = std::vector<Members>;

/// Group of each probe by one sense, -1 where it is absent.
std::vector<int> groups_of(std::span<const Probe> probes, const Sense& sense) {
  Members order;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (probes[i].*sense.value) order.push_back(i);
  }
  const auto value = [&](std::size_t i) { return *(probes[i].*sense.value); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
  std::vector<int> groups(probes.size(), -1);
  int group = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && value(order[i]) > sense.factor * value(order[i - 1])) ++group;
    groups[order[i]] = group;
  }
  return groups;
}

std::ptrdiff_t known(const Labels& labels) {
  return std::ranges::count_if(labels, [](int group) { return group >= 0; });
}

/// True if all that `part` knows is the same in `whole`, which knows more.
bool is_part_of(const Labels& part, const Labels& whole) {
  for (std::size_t s = 0; s < senses.size(); ++s) {
    if (part[s] >= 0 && part[s] != whole[s]) return false;
  }
  return known(whole) > known(part);
}

/// Moves visits that lack readings to the largest class that has them and agrees in the others: what was not read is
/// no state of its own. Those that know most come first, so that others can follow them.
void join_incomplete(std::map<Labels, Members>& by_label) {
  std::vector<Labels> incomplete;
  for (const auto& [labels, members] : by_label) {
    if (known(labels) < std::ssize(labels)) incomplete.push_back(labels);
  }
  std::ranges::stable_sort(incomplete, std::ranges::greater{}, known);
  for (const Labels& labels : incomplete) {
    Members* largest = nullptr;
    for (auto& [other, members] : by_label) {
      if (is_part_of(labels, other) && (largest == nullptr || members.size() > largest->size()))
        largest = &members;
    }
    if (largest == nullptr) continue;
    const Members& moved = by_label[labels];
    largest->insert(largest->end(), moved.begin(), moved.end());
    by_label.erase(labels);
  }
}

/// Classes of visits that agree in every sense that was read.
Classes cut(std::span<const Probe> probes) {
  std::vector<Labels> labels(probes.size());
  for (std::size_t s = 0; s < senses.size(); ++s) {
    const std::vector<int> groups = groups_of(probes, senses[s]);
    for (std::size_t i = 0; i < probes.size(); ++i) labels[i][s] = groups[i];
  }
  std::map<Labels, Members> by_label;
  for (std::size_t i = 0; i < probes.size(); ++i) by_label[labels[i]].push_back(i);
  join_incomplete(by_label);
  Classes classes;
  for (auto& [label, members] : by_label) classes.push_back(std::move(members));
  return classes;
}

/// Logarithm of the median of each sense.
Centre centre(std::span<const Probe> probes, const Members& members) {
  Centre result;
  for (std::size_t s = 0; s < senses.size(); ++s) {
    std::vector<double> values;
    for (const std::size_t i : members) {
      if (const auto& v = probes[i].*senses[s].value) values.push_back(*v);
    }
    if (!values.empty()) result[s] = std::log(median(std::move(values)));
  }
  return result;
}

/// Sum of squared distances, each in units of its sense's factor; senses that one side lacks do not count.
double distance(const Centre& a, const Centre& b) {
  double sum = 0;
  for (std::size_t s = 0; s < senses.size(); ++s) {
    if (!a[s] || !b[s]) continue;
    const double d = (*a[s] - *b[s]) / std::log(senses[s].factor);
    sum += d * d;
  }
  return sum;
}

void join_nearest(std::span<const Probe> probes, Classes& classes, Classes::iterator small) {
  const Centre from = centre(probes, *small);
  const Members moved = std::move(*small);
  classes.erase(small);
  const auto far = [&](const Members& c) { return distance(from, centre(probes, c)); };
  const auto nearest = std::min_element(classes.begin(), classes.end(),
                                        [&](const Members& a, const Members& b) { return far(a) < far(b); });
  nearest->insert(nearest->end(), moved.begin(), moved.end());
}

bool fewer(const Members& a, const Members& b) {
  return a.size() < b.size();
}

}  // namespace

std::vector<int> classify(std::span<const Probe> probes) {
  Classes classes = cut(probes);
  const double least = least_share * static_cast<double>(probes.size());
  while (classes.size() > 1) {
    const auto small = std::min_element(classes.begin(), classes.end(), fewer);
    if (classes.size() <= most_classes && static_cast<double>(small->size()) >= least) break;
    join_nearest(probes, classes, small);
  }
  std::stable_sort(classes.begin(), classes.end(),
                   [](const Members& a, const Members& b) { return fewer(b, a); });
  std::vector<int> result(probes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (const std::size_t i : classes[c]) result[i] = static_cast<int>(c);
  }
  return result;
}

}  // namespace steelyard::stats
