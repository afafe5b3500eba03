// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/duration.hpp"

#include <algorithm>
#include <cmath>

#include "suites/hpcc/dgemm/core_peak.hpp"
#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/latency_bandwidth/rings.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double word_byte = 8, complex_byte = 16;
constexpr double usual_tick_s = 1e-9;  // of the clock, whatever it says: loops are longer than ten of them

/// What comes before the first pass, each pass, and what comes after the last one.
struct Parts {
  double open_s = 0, pass_s = 0, close_s = 0;
};

/// Rates of the processes that work in a mode.
class Pace {
 public:
  Pace(Mode mode, const suites::Rates& rates) : rates_(rates), alone_(mode == Mode::single) {}

  [[nodiscard]] double product_s(double flop) const {
    return flop / (alone_ ? rates_.product_alone_flop_s : rates_.product_flop_s);
  }
  [[nodiscard]] double stream_s(double byte) const {
    return byte / (alone_ ? rates_.triad_alone_byte_s : rates_.triad_byte_s);
  }
  [[nodiscard]] double updates_s(double updates) const {
    return updates / (alone_ ? rates_.access_alone_update_s : rates_.access_update_s);
  }
  [[nodiscard]] double transform_s(double flop) const {
    return flop / (alone_ ? rates_.transform_alone_flop_s : rates_.transform_flop_s);
  }
  /// New memory, and values that it is filled with by the rule of a test.
  [[nodiscard]] double touch_s(double byte) const { return byte / rates_.touch_byte_s; }
  [[nodiscard]] double fill_s(double values) const { return values / rates_.filled_value_s; }
  /// Every process sends so much and receives as much.
  [[nodiscard]] double exchange_s(double byte) const {
    return byte / std::min(rates_.exchange_byte_s, rates_.far_exchange_byte_s);
  }

 private:
  const suites::Rates& rates_;
  bool alone_;
};

Parts dgemm_parts(const PointSpec& spec, const Pace& pace) {
  const auto n = static_cast<double>(spec.length), elements = 3 * n * n;
  return {core_peak_s + pace.touch_s(word_byte * elements) + pace.fill_s(elements),
          pace.product_s(counted_work(spec)), pace.fill_s(elements) + pace.stream_s(word_byte * elements)};
}

/// The four kernels have the same vectors: a quarter of what these take falls to each.
Parts stream_parts(const PointSpec& spec, const Settings& settings, const Pace& pace) {
  const double vectors = 3 * word_byte * static_cast<double>(spec.length);
  const double made_s = pace.touch_s(vectors) + pace.stream_s(vectors);
  const double pass_s = pace.stream_s(counted_work(spec));
  const double tried_s = settings.form == Form::base ? 0 : 2 * stream_tries * pass_s;
  return {made_s / 4 + tried_s, pass_s, pace.stream_s(vectors)};
}

Parts local_access_parts(const PointSpec& spec, const Pace& pace, const suites::Rates& rates) {
  const double table = word_byte * std::ldexp(1.0, spec.bits);
  const auto updates = static_cast<double>(spec.updates);
  return {pace.touch_s(table) + pace.stream_s(table), pace.updates_s(updates),
          updates / rates.undone_update_s + 2 * pace.stream_s(table)};
}

/// Of the updates one in a hundred is executed by each way, and to find out how many the bound allows.
Parts global_access_parts(const PointSpec& spec, const Settings& settings, const Pace& pace,
                          const suites::Rates& rates) {
  const double table = word_byte * std::ldexp(1.0, spec.bits) / spec.processes;
  const double each = static_cast<double>(spec.updates) / spec.processes;
  const double all_s = each / rates.shared_update_s;
  const double pass_s = std::min(all_s, settings.update_bound_s);
  const double executed = all_s > 0 ? pass_s / all_s : 1;
  return {pace.touch_s(table) + 3 * pace.stream_s(table) + 0.05 * all_s, pass_s,
          executed * each / rates.shared_undone_update_s + 2 * pace.stream_s(table)};
}

Parts local_fft_parts(const PointSpec& spec, const Pace& pace, const suites::Rates& rates) {
  const auto n = static_cast<double>(spec.length);
  return {n / rates.made_transform_element_s, pace.transform_s(counted_work(spec)),
          n / rates.checked_transform_element_s};
}

/// Transforms of parts, between which all elements change places three times. Both ways of exchange are
/// tried.
Parts global_fft_parts(const PointSpec& spec, const Pace& pace, const suites::Rates& rates) {
  const double n = static_cast<double>(spec.length) / spec.processes;
  const double byte = complex_byte * n;
  const double pass_s = pace.transform_s(counted_work(spec) / spec.processes) +
                        3 * (pace.exchange_s(byte) + pace.stream_s(byte));
  return {n / rates.made_transform_element_s + 4 * pass_s, pass_s,
          n / rates.checked_transform_element_s + pass_s};
}

/// Every pass has matrices of its own, tries both ways of exchange, and is verified.
Parts ptrans_parts(const PointSpec& spec, const Pace& pace) {
  const double elements = counted_work(spec) / word_byte / spec.processes, byte = word_byte * elements;
  const double transposed_s = pace.exchange_s(byte) + pace.stream_s(3 * byte);
  const double made_s = pace.touch_s(2 * byte) + 2 * pace.fill_s(elements);
  return {0, made_s + 3 * transposed_s + 2 * pace.fill_s(elements) + pace.stream_s(2 * byte), 0};
}

/// Every pass has a matrix of its own and is verified: the matrix is generated once more.
Parts solver_parts(const PointSpec& spec, const Settings& settings, const Pace& pace,
                   const suites::Rates& rates) {
  if (rates.panels.empty()) return {};
  const auto n = static_cast<double>(spec.length);
  const double elements = n * n / spec.processes;
  const double filled_s = pace.fill_s(elements);
  const double checked_s = settings.threshold > 0 ? filled_s + pace.stream_s(word_byte * elements) : 0;
  return {0, pace.touch_s(word_byte * elements) + filled_s + hpl::solve_s(spec.solver, rates) + checked_s, 0};
}

/// Pairs in turn, then all in rings of several orders, by two methods.
Parts message_parts(const PointSpec& spec, const Settings& settings, const suites::Rates& rates) {
  const bool short_one = spec.length <= settings.latency.message_byte;
  const auto& rule = short_one ? settings.latency : settings.bandwidth;
  const double way_s =
      std::max(rates.message_s, rates.far_message_s) +
      static_cast<double>(rule.message_byte) / std::min(rates.exchange_byte_s, rates.far_exchange_byte_s);
  const double shortest_s = shortest_loop_s(usual_tick_s);
  const double loop_s = std::max(2 * (rule.ping_pong_loops + 1) * way_s, shortest_s);
  const auto all = std::int64_t{spec.processes} * (spec.processes - 1);
  const auto pairs = std::min(all, affordable_pairs(rule, way_s, shortest_s));
  const double ring_s = std::max(2 * rule.ring_loops * way_s, shortest_s);
  const double rings_s = 2.0 * (1 + rule.random_rings) * rule.measurements * ring_s;
  return {0, static_cast<double>(pairs) * 2 * loop_s + rings_s, 0};
}

Parts parts_of(const PointSpec& spec, const Settings& settings, const suites::Rates& rates) {
  const Pace pace(spec.benchmark.mode, rates);
  const bool global = spec.benchmark.mode == Mode::global;
  switch (spec.benchmark.test) {
    case Test::random_access:
      return global ? global_access_parts(spec, settings, pace, rates)
                    : local_access_parts(spec, pace, rates);
    case Test::ptrans:
      return ptrans_parts(spec, pace);
    case Test::dgemm:
      return dgemm_parts(spec, pace);
    case Test::stream:
      return stream_parts(spec, settings, pace);
    case Test::fft:
      return global ? global_fft_parts(spec, pace, rates) : local_fft_parts(spec, pace, rates);
    case Test::latency_bandwidth:
      return message_parts(spec, settings, rates);
    case Test::solver:
      break;
  }
  return solver_parts(spec, settings, pace, rates);
}

}  // namespace

double expected_s(const PointSpec& spec, const Settings& settings, const suites::Rates& rates) {
  const auto parts = parts_of(spec, settings, rates);
  return parts.open_s + parts.pass_s * passes(spec.benchmark.test, settings) + parts.close_s;
}

}  // namespace steelyard::hpcc
