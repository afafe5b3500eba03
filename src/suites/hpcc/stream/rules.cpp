// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "suites/hpcc/test_rules.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double vector_of_caches = 4, tried_of_caches = 2;

double byte_of_vectors(const PointSpec& spec) {
  return 3 * word_byte * static_cast<double>(spec.length);
}

class StreamRules final : public TestRules {
 public:
  bool takes_one_execution() const override { return false; }
  TestText text() const override {
    return {.metrics = "bandwidth_byte_s",
            .condition = "arrays of at least 4 times the last-level cache in use, each",
            .statistic = "best pass after the first"};
  }

  std::vector<PointSpec> points(const Settings& settings, PointSpec spec, int) const override {
    spec.length = stream_length(memory_of(settings), settings.limit);
    spec = at_least(settings, 1, spec, spec.length);
    std::vector<PointSpec> all;
    for (const auto kernel : stream_kernels) {
      spec.kernel = kernel;
      all.push_back(spec);
    }
    return all;
  }
  std::size_t passes_before() const override { return 1; }
  int passes(const Settings& settings) const override { return settings.effort.stream_trials; }
  void identify(const PointSpec& spec, record::Params& params) const override {
    params["elements"] = spec.length;
    params["kernel"] = std::string(hpcc::text(spec.kernel));
  }
  double counted_work(const PointSpec& spec) const override {
    return static_cast<double>(stream_byte(spec.kernel, spec.length));
  }
  std::int64_t memory_byte(const PointSpec& spec, const Settings&) const override {
    return 3 * 8 * spec.length;
  }
  /// The four kernels have the same vectors: a quarter of what these take falls to each.
  TimeParts expected(const PointSpec& spec, const Settings& settings,
                     const suites::Rates& rates) const override {
    const Pace pace(spec.benchmark.mode, rates);
    const double vectors = byte_of_vectors(spec);
    const double made_s = pace.touch_s(vectors) + pace.stream_s(vectors);
    const double pass_s = pace.stream_s(counted_work(spec));
    const double tries = static_cast<double>(stream_tries * all_stores.size()) *
                         static_cast<double>(stream_tried(spec, settings)) / static_cast<double>(spec.length);
    const double tried_s = settings.form == Form::base ? 0 : tries * pass_s;
    return {made_s / 4 + tried_s, pass_s, pace.stream_s(vectors)};
  }

  std::string size_in_words(std::int64_t size) const override { return std::to_string(size) + " elements"; }
  using TestRules::least_size;
  std::int64_t least_size(const Benchmark& benchmark, const Settings& settings, int) const override {
    return divided_up(cache_multiple_byte(vector_of_caches, benchmark.mode, settings), 8);
  }
  bool wants_least_size(const Settings& settings) const override {
    return settings.representative || settings.long_vectors;
  }
  double counted_byte(const PointSpec& spec) const override { return byte_of_vectors(spec); }
  bool asks_for_more_than(double share) const override { return share < 0.25; }
};

}  // namespace

std::int64_t stream_tried(const PointSpec& spec, const Settings& settings) {
  const auto byte = cache_multiple_byte(tried_of_caches, spec.benchmark.mode, settings);
  return std::min(spec.length, divided_up(byte, 8));
}

const TestRules& stream_rules() {
  static const StreamRules rules;
  return rules;
}

}  // namespace steelyard::hpcc
