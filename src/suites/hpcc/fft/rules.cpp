// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "fourier/transforms.hpp"
#include "suites/hpcc/fft/shape.hpp"
#include "suites/hpcc/test_rules.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double input_and_result_of_caches = 2;

std::int64_t least_transform(std::int64_t elements, Smoothness smoothness) {
  if (smoothness == Smoothness::two) return std::int64_t{1} << bits_for(elements);
  for (auto limit = elements;; limit += limit / 16 + 1)
    if (const auto found = largest(smoothness, limit); found >= elements) return found;
}

/// Least length of the transform over all processes for so many elements: a multiple of their number squared.
std::int64_t least_global_transform(std::int64_t elements, const Settings& settings, int processes) {
  const auto used = std::int64_t{largest(settings.fft, processes)};
  const auto factor = least_transform(divided_up(elements, used), settings.fft);
  return factor * used * used;
}

/// Times of the transform of one process. The rate is that of a transform within the caches; a larger one
/// passes through memory besides, three times there and back.
TimeParts local_parts_of_fft(const PointSpec& spec, double flop, const Pace& pace,
                             const suites::Rates& rates) {
  const auto n = static_cast<double>(spec.length);
  return {n / rates.made_transform_element_s + pace.touch_s(3 * complex_byte * n),
          pace.transform_s(flop) + pace.stream_s(6 * complex_byte * n),
          n / rates.checked_transform_element_s};
}

/// Times of the transform over all processes: of parts, between which all elements change places three times.
/// Both ways of exchange are tried.
TimeParts global_parts_of_fft(const PointSpec& spec, double flop, const Pace& pace,
                              const suites::Rates& rates) {
  const double n = static_cast<double>(spec.length) / spec.processes;
  const double byte = complex_byte * n;
  const double pass_s =
      pace.transform_s(flop / spec.processes) + 3 * (pace.exchange_s(byte) + pace.stream_s(byte));
  return {n / rates.made_transform_element_s + pace.touch_s(5 * byte) + 4 * pass_s, pass_s,
          n / rates.checked_transform_element_s + pass_s};
}

class FftRules final : public TestRules {
 public:
  TestText text() const override {
    return {.metrics = "flop_rate_flop_s",
            .condition = "input and result that together take at least twice the last-level cache in use"};
  }

  std::vector<PointSpec> points(const Settings& settings, PointSpec spec, int world) const override {
    const auto memory = memory_of(settings);
    if (spec.benchmark.mode != Mode::global) {
      spec.length = fft_length(memory, settings.fft, settings.limit);
      return {at_least(settings, 1, spec, spec.length)};
    }
    const auto whole = global_fft(memory, world, settings.fft, settings.limit);
    spec.length = whole.length;
    spec.processes = whole.processes;
    return {at_least(settings, spec.processes, spec, spec.length)};
  }
  void identify(const PointSpec& spec, record::Params& params) const override {
    params["elements"] = spec.length;
    if (spec.processes != 1) params["used_processes"] = std::int64_t{spec.processes};
  }
  double counted_work(const PointSpec& spec) const override {
    const auto n = static_cast<double>(spec.length);
    return 5 * n * std::log2(std::max(n, 1.0));
  }
  /// Bytes of input, result and what lies between the passes; of tables and what is exchanged or for the check, too.
  std::int64_t memory_byte(const PointSpec& spec, const Settings& settings) const override {
    constexpr std::int64_t element_byte = 16;
    const bool global = spec.benchmark.mode == Mode::global, base = settings.form == Form::base;
    const std::int64_t part = spec.length / spec.processes;
    if (base && !global) return element_byte * (3 * part + fourier::plan_elements(part));
    const std::int64_t between =
        part > 0 ? elements_between(spec.length, spec.processes, global ? settings.form : Form::base) : 0;
    return element_byte * (global ? 4 * part + 2 * between : 2 * part + between);
  }
  TimeParts expected(const PointSpec& spec, const Settings&, const suites::Rates& rates) const override {
    const Pace pace(spec.benchmark.mode, rates);
    const auto parts = spec.benchmark.mode == Mode::global ? global_parts_of_fft : local_parts_of_fft;
    return parts(spec, counted_work(spec), pace, rates);
  }

  std::string size_in_words(std::int64_t size) const override { return std::to_string(size) + " elements"; }
  using TestRules::least_size;
  std::int64_t least_size(const Benchmark& benchmark, const Settings& settings,
                          int processes) const override {
    const auto elements =
        divided_up(cache_multiple_byte(input_and_result_of_caches, benchmark.mode, settings), 32);
    return benchmark.mode == Mode::global ? least_global_transform(elements, settings, processes)
                                          : least_transform(elements, settings.fft);
  }
  double counted_byte(const PointSpec& spec) const override {
    return 2 * complex_byte * static_cast<double>(spec.length) / spec.processes;
  }
  bool asks_for_more_than(double share) const override { return share < 0.25; }
};

}  // namespace

const TestRules& fft_rules() {
  static const FftRules rules;
  return rules;
}

}  // namespace steelyard::hpcc
