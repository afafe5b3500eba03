// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/records.hpp"
#include "units/quantity.hpp"

/// Effective bandwidth of b_eff, from the bandwidths b(repetition, pattern, length, method). Pure. Sources:
/// b_eff paper, 4; b_eff 3.6 page.
/// b_eff of one run, from its records alone. Pure.
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
  void set(int repetition, std::size_t pattern, std::size_t length, int method, double byte_s) {
    values_.at(index(repetition, pattern, length, method)) = byte_s;
  }
  [[nodiscard]] std::optional<double> at(int repetition, std::size_t pattern, std::size_t length,
                                         int method) const {
    return values_.at(index(repetition, pattern, length, method));
  }

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

/// Number of message lengths in a complete experiment.
inline constexpr std::size_t beff_length_count = 21;

/// One measured loop: bandwidth of the slowest process, of the mean and of the fastest, timed iterations and
/// the untimed ones before them, seconds of the slowest process.
struct BeffLoop {
  double min_byte_s = 0, avg_byte_s = 0, max_byte_s = 0;
  double iterations = 0, warmup_iterations = 0, loop_s = 0;
};

/// Everything about b_eff that the records of a run hold, in the shape of the experiment.
class BeffRun {
 public:
  /// The points of suite b-eff among `points`; other suites are ignored. Throws std::invalid_argument if
  /// there are none or if they contradict each other.
  explicit BeffRun(std::span<const record::PointRecord> points);

  [[nodiscard]] const BandwidthCube& cube() const { return *cube_; }
  [[nodiscard]] const EffectiveBandwidth& result() const { return result_; }
  /// Returns nullopt also while lengths are missing: then an average over lengths is not the defined one.
  [[nodiscard]] std::optional<double> b_eff() const { return complete() ? result_.b_eff() : std::nullopt; }
  /// Values at L_max are absent while lengths are missing.
  [[nodiscard]] const DerivedValues& derived() const { return derived_; }
  /// Loop by indices that count from 0, as in the cube.
  [[nodiscard]] std::optional<BeffLoop> loop(int repetition, std::size_t pattern, std::size_t length,
                                             int method) const {
    return loops_.at(index(repetition, pattern, length, method));
  }
  /// Whether the last two lengths were measured with the best method of each pattern only: one method where
  /// the length before them has several. Repetitions are counted from 0.
  [[nodiscard]] bool shortened(int repetition) const;
  /// Whether any repetition is shortened; then averages over all lengths of one method have gaps.
  [[nodiscard]] bool shortened() const;
  /// Whether a repetition has loops of the length before the last one and none of the last one.
  [[nodiscard]] bool lacks_longest_in_a_repetition() const;
  [[nodiscard]] bool complete() const { return lengths_.size() == beff_length_count; }
  [[nodiscard]] const std::vector<std::string>& methods() const { return methods_; }
  /// Number of processes that take part in a pattern.
  [[nodiscard]] int used(std::size_t pattern) const { return used_[pattern]; }
  /// Number of the pattern in the definition, by its position in the cube.
  [[nodiscard]] int number(std::size_t pattern) const { return numbers_[pattern]; }
  [[nodiscard]] std::optional<std::size_t> pingpong() const { return pingpong_; }
  /// Whether every check of every message was right; nullopt if a measured point was not checked.
  [[nodiscard]] std::optional<bool> verified() const { return verified_; }
  /// Points without a value (skipped, failed).
  [[nodiscard]] std::size_t missing() const { return missing_; }
  /// Points that the shortened last two lengths leave out.
  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  [[nodiscard]] std::size_t points() const { return points_; }
  /// Points that ended before their rule was satisfied.
  [[nodiscard]] std::size_t partial() const { return partial_; }
  /// Whether any point was measured with more processes than cores.
  [[nodiscard]] bool crowded() const { return crowded_; }

 private:
  using Points = std::span<const record::PointRecord* const>;
  void read_axes(Points points);
  void read_pattern(int number, const record::PointRecord& point);
  void read_values(Points points);
  void read_loops(const record::PointRecord& point);
  void read_status(Points points);
  [[nodiscard]] int methods_measured(int repetition, std::size_t pattern, std::size_t length) const;
  [[nodiscard]] bool has_loops(int repetition, std::size_t length) const;
  [[nodiscard]] std::size_t index(int repetition, std::size_t pattern, std::size_t length, int method) const;

  int processes_ = 0, repetitions_ = 1;
  std::vector<std::string> methods_ = {"Sndrcv", "Alltoal", "non-blk"};
  std::vector<PatternRow> patterns_;
  std::vector<int> numbers_, used_;
  std::vector<Bytes> lengths_;
  std::vector<std::optional<BeffLoop>> loops_;
  std::optional<BandwidthCube> cube_;
  EffectiveBandwidth result_;
  DerivedValues derived_;
  std::optional<std::size_t> pingpong_;
  std::optional<bool> verified_;
  bool crowded_ = false;
  std::size_t missing_ = 0, left_out_ = 0, points_ = 0, partial_ = 0;
};

/// Settings of the run's configuration that the summary needs.
struct BeffFrame {
  std::optional<std::int64_t> memory_per_process_byte, longest_byte, seed, polygons, repetitions;
  std::string mark;                               // SHORT, TEST, MOD or empty
  std::vector<std::string> not_official_because;  // departures that the configuration tells
  std::optional<double> rmax_flop_s;
};

/// Reads the frame from config["b-eff"] of a run record.
[[nodiscard]] BeffFrame beff_frame(const record::RunRecord& run);

/// The summary record "b_eff": b_eff_byte_s, b_eff_per_process_byte_s, b_eff_at_lmax_byte_s,
/// b_eff_rings_at_lmax_byte_s, latency_s, ring_latency_s, pingpong_latency_s, pingpong_bandwidth_byte_s,
/// memory_communication_time_s, and balance_factor where R_max is known. official only if nothing
/// departs from the rule.
[[nodiscard]] record::SummaryRecord beff_summary(const BeffRun& run, const BeffFrame& frame);

}  // namespace steelyard::analysis
