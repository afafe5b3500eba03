// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "formats/beff/print.hpp"

namespace steelyard::formats::beff {
namespace {

using analysis::BeffRun;
using analysis::PatternRole;
using analysis::SetAverages;
using Value = std::optional<double>;
using Averaged = analysis::EffectiveBandwidth::Averaged;
/// Values of all patterns and their averages, by length.
using Lengths = std::vector<Averaged>;

template <class ValueAt>
Curve curve(std::string name, const BeffRun& run, const Lengths& lengths, ValueAt value_at) {
  Curve result{std::move(name), {}};
  for (const Averaged& at : lengths) result.byte_s.push_back(share(value_at(at), run.cube().processes()));
  return result;
}

/// What one method reached, as far as it was measured with all patterns.
Lengths of_method(const BeffRun& run, int method) {
  Lengths lengths = run.result().each_method_length[static_cast<std::size_t>(method)];
  if (run.shortened()) lengths.resize(lengths.size() - 2);
  return lengths;
}

std::vector<std::size_t> patterns_of(const BeffRun& run, PatternRole role) {
  std::vector<std::size_t> chosen;
  for (std::size_t p = 0; p < run.cube().patterns().size(); ++p)
    if (run.cube().patterns()[p].role == role && p != run.pingpong()) chosen.push_back(p);
  return chosen;
}

Curve pattern_curve(const BeffRun& run, const Lengths& lengths, std::size_t pattern) {
  std::string name = plain(run.cube().patterns()[pattern].name);
  // Several rings have the same sizes where there are few processes.
  if (run.cube().patterns()[pattern].role == PatternRole::ring)
    name = fmt::format("p{:02} {}", run.number(pattern), name);
  return curve(std::move(name), run, lengths, [=](const Averaged& at) { return at.patterns[pattern]; });
}

enum class Extreme { worst, best };

/// Worst or best of the patterns of one set at each length; absent where one of them is.
Curve extreme_curve(std::string name, const BeffRun& run, const Lengths& lengths, PatternRole role,
                    Extreme which) {
  const auto chosen = patterns_of(run, role);
  return curve(std::move(name), run, lengths, [&](const Averaged& at) -> Value {
    std::vector<Value> values;
    for (const auto p : chosen) values.push_back(at.patterns[p]);
    const auto [least, most] = std::ranges::minmax_element(values);  // an absent value is the least
    if (values.empty() || !*least) return std::nullopt;
    return which == Extreme::worst ? *least : *most;
  });
}

Curve average_curve(std::string name, const BeffRun& run, const Lengths& lengths, Value SetAverages::*value) {
  return curve(std::move(name), run, lengths, [=](const Averaged& at) { return at.sets.*value; });
}

Figure ring_and_random(const BeffRun& run, const Lengths& lengths, const std::string& data,
                       const std::string& title) {
  Figure figure{data + ": ring & random", title + ", ring & random patterns", {}};
  for (const auto p : patterns_of(run, PatternRole::ring))
    figure.curves.push_back(pattern_curve(run, lengths, p));
  figure.curves.push_back(extreme_curve("worst random", run, lengths, PatternRole::random, Extreme::worst));
  figure.curves.push_back(average_curve("avg random", run, lengths, &SetAverages::random));
  figure.curves.push_back(extreme_curve("best random", run, lengths, PatternRole::random, Extreme::best));
  return figure;
}

Figure additional(const BeffRun& run, const Lengths& lengths, const std::string& data,
                  const std::string& title) {
  Figure figure{data + ": additional", title + ", additional patterns", {}};
  for (const auto p : patterns_of(run, PatternRole::additional))
    figure.curves.push_back(pattern_curve(run, lengths, p));
  return figure;
}

Figure compared_methods(const BeffRun& run) {
  Figure figure{"compare the methods: ring & random", "Ring & random average of the three methods", {}};
  for (const auto& [set, value] : {std::pair{"ring", &SetAverages::rings}, {"random", &SetAverages::random}})
    for (int m = 0; m < run.cube().methods(); ++m)
      figure.curves.push_back(
          average_curve(fmt::format("{}, {}", set, run.methods()[static_cast<std::size_t>(m)]), run,
                        of_method(run, m), value));
  return figure;
}

Figure compared_sets(const BeffRun& run) {
  const Lengths& lengths = run.result().each_length;
  Figure figure{"compare ring & random", "Best transfer method, rings & random compared", {}};
  for (const auto& [name, role, average] : {std::tuple{"ring", PatternRole::ring, &SetAverages::rings},
                                            {"random", PatternRole::random, &SetAverages::random}}) {
    figure.curves.push_back(extreme_curve(fmt::format("worst {}", name), run, lengths, role, Extreme::worst));
    figure.curves.push_back(average_curve(fmt::format("avg {}", name), run, lengths, average));
    figure.curves.push_back(extreme_curve(fmt::format("best {}", name), run, lengths, role, Extreme::best));
  }
  figure.curves.push_back(average_curve("avg ring & random", run, lengths, &SetAverages::both));
  return figure;
}

}  // namespace

std::vector<Figure> figures(const BeffRun& run) {
  std::vector<Figure> list;
  for (int m = 0; m < run.cube().methods(); ++m) {
    const auto& name = run.methods()[static_cast<std::size_t>(m)];
    list.push_back(ring_and_random(run, of_method(run, m), name, name));
    list.push_back(additional(run, of_method(run, m), name, name));
  }
  list.push_back(ring_and_random(run, run.result().each_length, "best", "Best transfer method"));
  list.push_back(additional(run, run.result().each_length, "best", "Best transfer method"));
  list.push_back(compared_methods(run));
  list.push_back(compared_sets(run));
  return list;
}

std::string figure_file(std::size_t i) {
  return fmt::format("epsfig{}.eps", i);
}

}  // namespace steelyard::formats::beff
