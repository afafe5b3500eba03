// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/dgemm/core_peak.hpp"
#include "suites/hpcc/test_rules.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t least_dgemm_order = 1500;

double elements_of_three(const PointSpec& spec) {
  const auto order = static_cast<double>(spec.length);
  return 3 * order * order;
}

class DgemmRules final : public TestRules {
 public:
  TestText text() const override {
    return {.metrics = "flop_rate_flop_s", .condition = "order 1500 or more"};
  }
  bool computes_with_blas() const override { return true; }

  std::vector<PointSpec> points(const Settings& settings, PointSpec spec, int) const override {
    spec.length = dgemm_order(memory_of(settings));
    return {at_least(settings, 1, spec, spec.length)};
  }
  void identify(const PointSpec& spec, record::Params& params) const override {
    params["order"] = spec.length;
  }
  double counted_work(const PointSpec& spec) const override {
    const auto order = static_cast<double>(spec.length);
    return 2 * order * order * order;
  }
  std::int64_t memory_byte(const PointSpec& spec, const Settings&) const override {
    return 3 * 8 * spec.length * spec.length;
  }
  TimeParts expected(const PointSpec& spec, const Settings&, const suites::Rates& rates) const override {
    const Pace pace(spec.benchmark.mode, rates);
    const double elements = elements_of_three(spec);
    return {core_peak_s + pace.touch_s(word_byte * elements) + pace.fill_s(elements),
            pace.product_s(counted_work(spec)), pace.fill_s(elements) + pace.stream_s(word_byte * elements)};
  }

  using TestRules::least_size;
  std::int64_t least_size(const Benchmark&, const Settings&, int) const override { return least_dgemm_order; }
  double counted_byte(const PointSpec& spec) const override { return word_byte * elements_of_three(spec); }
};

}  // namespace

const TestRules& dgemm_rules() {
  static const DgemmRules rules;
  return rules;
}

}  // namespace steelyard::hpcc
