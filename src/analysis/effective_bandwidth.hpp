// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "units/quantity.hpp"

/// Effective bandwidth of b_eff, from the bandwidths b(repetition, pattern, length, method). Pure. Sources:
/// b_eff paper, 4; b_eff 3.6 page.
namespace steelyard::analysis {

enum class PatternRole { ring, random, additional };

struct PatternRow {
  std::string name;
  PatternRole role = PatternRole::additional;
  int slots = 1;        // s_p, most messages of one process in an iteration
  double messages = 0;  // M_p, of all processes
};

/// All bandwidths of one run in byte/s; what was not measured is nullopt.
class BandwidthCube {
 public:
  BandwidthCube(int processes, std::vector<PatternRow> patterns, std::vector<Bytes> lengths, int repetitions,
                int methods);
  void set(int repetition, std::size_t pattern, std::size_t length, int method, double byte_s);
  [[nodiscard]] std::optional<double> at(int repetition, std::size_t pattern, std::size_t length,
                                         int method) const;

  [[nodiscard]] int processes() const { return processes_; }
  [[nodiscard]] int repetitions() const { return repetitions_; }
  [[nodiscard]] int methods() const { return methods_; }
  [[nodiscard]] const std::vector<PatternRow>& patterns() const { return patterns_; }
  [[nodiscard]] const std::vector<Bytes>& lengths() const { return lengths_; }

  /// Best over repetitions (of one method), over methods (of one repetition), over both.
  [[nodiscard]] std::optional<double> best_repetition(std::size_t pattern, std::size_t length,
                                                      int method) const;
  [[nodiscard]] std::optional<double> best_method(std::size_t pattern, std::size_t length,
                                                  int repetition) const;
  [[nodiscard]] std::optional<double> best(std::size_t pattern, std::size_t length) const;

 private:
  [[nodiscard]] std::size_t index(int repetition, std::size_t pattern, std::size_t length, int method) const;
  int processes_;
  std::vector<PatternRow> patterns_;
  std::vector<Bytes> lengths_;
  int repetitions_, methods_;
  std::vector<std::optional<double>> values_;
};

/// Averages of one column of pattern values: geometric means over rings, over random polygons, and of both.
struct SetAverages {
  std::optional<double> rings, random, both;
};
/// Averages of one value per pattern of the cube; a set has no average if one of its patterns has no value.
[[nodiscard]] SetAverages average_sets(const BandwidthCube& cube,
                                       const std::vector<std::optional<double>>& values);

/// The five analysis paths. Every vector of pattern values has one element per pattern.
struct EffectiveBandwidth {
  using Column = std::vector<std::optional<double>>;
  struct Averaged {
    Column patterns;
    SetAverages sets;
  };
  Averaged official;                  // path 1: mean over lengths of the best of methods and repetitions
  Averaged by_method;                 // path 2: best method of the mean over lengths of the best repetition
  Averaged by_repetition;             // path 3: best repetition of the mean over lengths of the best method
  std::vector<Averaged> each_method;  // path 4: mean over lengths of the best repetition, per method
  std::vector<Averaged> each_repetition;  // mean over lengths of the best method, per repetition
  std::vector<Averaged> each_length;      // path 5: best of both, per length
  std::vector<std::vector<Averaged>> each_method_length;  // [method][length]: best repetition

  [[nodiscard]] std::optional<double> b_eff() const { return official.sets.both; }
};
[[nodiscard]] EffectiveBandwidth effective_bandwidth(const BandwidthCube& cube);

/// Values derived from b_eff. The first two: seconds between two messages of one process at the shortest
/// length, P / b, of rings and random patterns together and of rings only.
struct DerivedValues {
  std::optional<double> latency_s, ring_latency_s;
  std::optional<double> at_longest_byte_s, rings_at_longest_byte_s;
  std::optional<double> pingpong_latency_s, pingpong_bandwidth_byte_s;
};
/// `pingpong`: index of the ping-pong pattern if there is one; its method 0 counts.
[[nodiscard]] DerivedValues derived_values(const BandwidthCube& cube, const EffectiveBandwidth& result,
                                           std::optional<std::size_t> pingpong);

/// Time to communicate all memory of the partition once.
[[nodiscard]] Seconds memory_communication_time(Bytes total_memory, Rate b_eff);

/// Balance factor b_eff / R_max in byte/flop.
[[nodiscard]] double balance_factor(Rate b_eff, double rmax_flop_s);

}  // namespace steelyard::analysis
