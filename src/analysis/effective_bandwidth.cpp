// SPDX-License-Identifier: Apache-2.0
#include "analysis/effective_bandwidth.hpp"

#include <algorithm>
#include <utility>

#include "stats/order.hpp"

namespace steelyard::analysis {
namespace {

using Value = std::optional<double>;
using Column = EffectiveBandwidth::Column;

Value larger(Value a, Value b) {
  return !a || (b && *b > *a) ? b : a;
}

/// Arithmetic mean over lengths; absent if one length has no value.
template <class ValueAt>
Value mean_over_lengths(std::size_t lengths, ValueAt value_at) {
  double sum = 0;
  for (std::size_t k = 0; k < lengths; ++k) {
    const Value value = value_at(k);
    if (!value) return std::nullopt;
    sum += *value;
  }
  return sum / static_cast<double>(lengths);
}

template <class ValueOf>
EffectiveBandwidth::Averaged averaged(const BandwidthCube& cube, ValueOf value_of) {
  EffectiveBandwidth::Averaged result;
  for (std::size_t p = 0; p < cube.patterns().size(); ++p) result.patterns.push_back(value_of(p));
  result.sets = average_sets(cube, result.patterns);
  return result;
}

EffectiveBandwidth::Averaged best_of(const BandwidthCube& cube,
                                     const std::vector<EffectiveBandwidth::Averaged>& columns) {
  return averaged(cube, [&](std::size_t p) {
    Value best;
    for (const auto& column : columns) best = larger(best, column.patterns[p]);
    return best;
  });
}

Value geometric_mean_of(const BandwidthCube& cube, const Column& values, PatternRole role) {
  std::vector<double> chosen;
  for (std::size_t p = 0; p < values.size(); ++p) {
    if (cube.patterns()[p].role != role) continue;
    if (!values[p] || *values[p] <= 0) return std::nullopt;
    chosen.push_back(*values[p]);
  }
  if (chosen.empty()) return std::nullopt;
  return stats::geometric_mean(chosen);
}

Value divide(double numerator, Value denominator) {
  if (!denominator || *denominator <= 0) return std::nullopt;
  return numerator / *denominator;
}

}  // namespace

BandwidthCube::BandwidthCube(int processes, std::vector<PatternRow> patterns, std::vector<Bytes> lengths,
                             int repetitions, int methods)
    : processes_(processes),
      patterns_(std::move(patterns)),
      lengths_(std::move(lengths)),
      repetitions_(repetitions),
      methods_(methods),
      values_(patterns_.size() * lengths_.size() * static_cast<std::size_t>(repetitions * methods)) {}

std::size_t BandwidthCube::index(int repetition, std::size_t pattern, std::size_t length, int method) const {
  const auto r = static_cast<std::size_t>(repetition);
  const auto m = static_cast<std::size_t>(method);
  return ((r * patterns_.size() + pattern) * lengths_.size() + length) * static_cast<std::size_t>(methods_) +
         m;
}

void BandwidthCube::set(int repetition, std::size_t pattern, std::size_t length, int method, double byte_s) {
  values_.at(index(repetition, pattern, length, method)) = byte_s;
}

Value BandwidthCube::at(int repetition, std::size_t pattern, std::size_t length, int method) const {
  return values_.at(index(repetition, pattern, length, method));
}

Value BandwidthCube::best_repetition(std::size_t pattern, std::size_t length, int method) const {
  Value best;
  for (int r = 0; r < repetitions_; ++r) best = larger(best, at(r, pattern, length, method));
  return best;
}

Value BandwidthCube::best_method(std::size_t pattern, std::size_t length, int repetition) const {
  Value best;
  for (int m = 0; m < methods_; ++m) best = larger(best, at(repetition, pattern, length, m));
  return best;
}

Value BandwidthCube::best(std::size_t pattern, std::size_t length) const {
  Value best;
  for (int m = 0; m < methods_; ++m) best = larger(best, best_repetition(pattern, length, m));
  return best;
}

SetAverages average_sets(const BandwidthCube& cube, const Column& values) {
  SetAverages sets;
  sets.rings = geometric_mean_of(cube, values, PatternRole::ring);
  sets.random = geometric_mean_of(cube, values, PatternRole::random);
  if (sets.rings && sets.random) {
    const double both[] = {*sets.rings, *sets.random};
    sets.both = stats::geometric_mean(both);
  }
  return sets;
}

EffectiveBandwidth effective_bandwidth(const BandwidthCube& cube) {
  EffectiveBandwidth result;
  const std::size_t lengths = cube.lengths().size();
  result.official = averaged(cube, [&](std::size_t p) {
    return mean_over_lengths(lengths, [&](std::size_t k) { return cube.best(p, k); });
  });
  for (int m = 0; m < cube.methods(); ++m) {
    result.each_method.push_back(averaged(cube, [&](std::size_t p) {
      return mean_over_lengths(lengths, [&](std::size_t k) { return cube.best_repetition(p, k, m); });
    }));
    auto& by_length = result.each_method_length.emplace_back();
    for (std::size_t k = 0; k < lengths; ++k)
      by_length.push_back(averaged(cube, [&](std::size_t p) { return cube.best_repetition(p, k, m); }));
  }
  for (int r = 0; r < cube.repetitions(); ++r)
    result.each_repetition.push_back(averaged(cube, [&](std::size_t p) {
      return mean_over_lengths(lengths, [&](std::size_t k) { return cube.best_method(p, k, r); });
    }));
  for (std::size_t k = 0; k < lengths; ++k)
    result.each_length.push_back(averaged(cube, [&](std::size_t p) { return cube.best(p, k); }));
  result.by_method = best_of(cube, result.each_method);
  result.by_repetition = best_of(cube, result.each_repetition);
  return result;
}

DerivedValues derived_values(const BandwidthCube& cube, const EffectiveBandwidth& result,
                             std::optional<std::size_t> pingpong) {
  DerivedValues values;
  const double p = cube.processes();
  const double shortest = static_cast<double>(cube.lengths().front().count());
  values.latency_s = divide(p * shortest, result.each_length.front().sets.both);
  values.ring_latency_s = divide(p * shortest, result.each_length.front().sets.rings);
  values.at_longest_byte_s = result.each_length.back().sets.both;
  values.rings_at_longest_byte_s = result.each_length.back().sets.rings;
  if (!pingpong) return values;
  const auto& pair = cube.patterns().at(*pingpong);
  const double per_slot = pair.messages / pair.slots;
  values.pingpong_latency_s = divide(per_slot * shortest, cube.best_repetition(*pingpong, 0, 0));
  values.pingpong_bandwidth_byte_s = cube.best_repetition(*pingpong, cube.lengths().size() - 1, 0);
  return values;
}

Seconds memory_communication_time(Bytes total_memory, Rate b_eff) {
  return Seconds{static_cast<double>(total_memory.count()) / b_eff.value()};
}

double balance_factor(Rate b_eff, double rmax_flop_s) {
  return b_eff.value() / rmax_flop_s;
}

}  // namespace steelyard::analysis
