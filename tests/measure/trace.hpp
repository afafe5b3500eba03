// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "stats/states.hpp"

/// Times of single operations in order, with the time at which each began: recorded, or made by a scripted
/// model of noise. After the end a trace begins again.
namespace steelyard::measure {

struct Trace {
  std::string name;
  std::vector<double> op_s;
  std::vector<double> began_s;
  std::vector<double> undisturbed_s;  // what the operation would have taken; of recorded ones their median
  std::vector<double> probe_s;        // what a state probe would have said
  double length_s = 0;

  void add(double took_s, double should_s, double probe);
  [[nodiscard]] std::size_t in_progress_at(double time_s) const;
};

/// What disturbs the scripted operations.
enum class Disturbance { quiet, interrupted, changed, drifting };
inline constexpr Disturbance disturbances[]{Disturbance::quiet, Disturbance::interrupted,
                                            Disturbance::changed, Disturbance::drifting};
[[nodiscard]] std::string text(Disturbance disturbance);

/// Operations of about op_s over length_s. Every kind has what single operations show on an idle virtual
/// machine: 1.5 % skewed noise, a timer tick of 2 to 6 us each 4 ms, 10 interruptions a second between 20 us
/// and 20 ms, short ones the most frequent. Besides: `interrupted` 5 ms about every 50 ms; `changed` 1.5
/// times slower in the second half; `drifting` slower and faster by 10 % per second in turns of one second.
[[nodiscard]] Trace scripted_trace(Disturbance disturbance, double op_s, double length_s, std::uint64_t seed);

/// Whitespace-separated nanoseconds. Throws std::runtime_error if there are none.
[[nodiscard]] Trace recorded_trace(const std::string& path);

/// Goes through a trace. An operation that begins within a disturbed one takes what is left of it. The first
/// operation after a pause finds cold caches and takes 0.3 of its undisturbed time more.
class TraceCursor {
 public:
  TraceCursor(const Trace& trace, double start_s);
  double operation();
  /// Lets time pass while others measure.
  void pass(double seconds);
  [[nodiscard]] stats::Probe probe() const { return {trace_.probe_s[at_], {}, {}}; }
  [[nodiscard]] double elapsed_s() const { return elapsed_s_; }

 private:
  void go_to(double time_s);

  const Trace& trace_;
  std::size_t at_ = 0;
  double left_s_ = 0;
  double elapsed_s_ = 0;
  bool cold_ = true;
};

}  // namespace steelyard::measure
