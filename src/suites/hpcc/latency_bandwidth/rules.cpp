// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "suites/hpcc/latency_bandwidth/rings.hpp"
#include "suites/hpcc/test_rules.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double usual_tick_s = 1e-9;  // of the clock, whatever it says: loops are longer than ten of them

class LatencyBandwidthRules final : public TestRules {
 public:
  bool takes_one_execution() const override { return false; }
  TestText text() const override {
    return {.metrics = "pingpong_max_latency_s, natural_ring_byte_s, ...",
            .sizes = "8, 2000000 byte",
            .source = "HPCC balance paper, 2",
            .min_processes = 2,
            .statistic = "mean over the rings"};
  }

  std::vector<PointSpec> points(const Settings& settings, PointSpec spec, int) const override {
    std::vector<PointSpec> all;
    for (const auto& rule : {settings.latency, settings.bandwidth}) {
      spec.length = rule.message_byte;
      all.push_back(spec);
    }
    return all;
  }
  int passes(const Settings&) const override { return 1; }
  bool repeats_freely() const override { return false; }
  void identify(const PointSpec& spec, record::Params& params) const override {
    params["message_byte"] = spec.length;
  }
  double counted_work(const PointSpec&) const override { return 0; }
  std::int64_t memory_byte(const PointSpec& spec, const Settings&) const override { return 4 * spec.length; }
  /// Pairs in turn, then all in rings of several orders, by two methods.
  TimeParts expected(const PointSpec& spec, const Settings& settings,
                     const suites::Rates& rates) const override {
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
  std::optional<Obstacle> obstacle(const PointSpec& spec, int world) const override {
    if (world < 2) return Obstacle{record::ReasonCode::processes, "needs at least 2 processes"};
    return TestRules::obstacle(spec, world);
  }
  double counted_byte(const PointSpec&) const override { return 0; }
};

}  // namespace

const TestRules& latency_bandwidth_rules() {
  static const LatencyBandwidthRules rules;
  return rules;
}

}  // namespace steelyard::hpcc
