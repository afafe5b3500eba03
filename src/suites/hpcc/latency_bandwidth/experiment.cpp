// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/experiment.hpp"

#include <mpi.h>

#include "suites/hpcc/foundation/stopwatch.hpp"
#include "suites/hpcc/latency_bandwidth/ring_times.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

/// Ping-pong and rings with one message length; one operation is the whole procedure.
class MessagesExperiment final : public Experiment {
 public:
  using Experiment::Experiment;

  std::unique_ptr<measure::Workload> open() override {
    return make_workload(frame_, Mode::global,
                         {[this] { return play(); },
                          [this]() -> std::optional<CheckResult> {
                            const bool root = frame_.world->is_root();
                            CheckResult result;
                            if (root) result.errors = pairs_.wrong + rings_.wrong;
                            return result;
                          }});
  }

  void describe(const Outcome&, PointRecord& record) const override {
    record.classic.emplace_back("pairs", pairs_.pairs);
    record.classic.emplace_back("possible_pairs", pairs_.possible);
    if (pairs_.pairs == 0) return;
    put_choice(record);
    if (is_far_beyond_budget(rule(), pairs_s_)) record.flags.emplace_back("far_beyond_budget");
    if (is_latency())
      put_latencies(record);
    else
      put_bandwidths(record);
    put_spread(record);
  }

 private:
  [[nodiscard]] bool is_latency() const { return spec_.length == frame_.settings->latency.message_byte; }

  [[nodiscard]] const RingRule& rule() const {
    return is_latency() ? frame_.settings->latency : frame_.settings->bandwidth;
  }

  int play() noexcept {
    try {
      const auto& rule = this->rule();
      const Stopwatch pairs;
      pairs_ = ping_pong(*frame_.world, rule);
      pairs_s_ = pairs.seconds();
      const Stopwatch rings;
      rings_ = ring_times(*frame_.world, rule, frame_.settings->seed);
      rings_s_ = rings.seconds();
      if (!is_latency() && frame_.settings->form == Form::optimized) saturate(rule);
      return MPI_SUCCESS;
    } catch (...) {
      return MPI_ERR_OTHER;
    }
  }

  /// Measures the saturation, unless there is one node only, which has no network, or no
  /// node has several processes.
  void saturate(const RingRule& rule) {
    const auto place = place_on_node(*frame_.world);
    if (place.nodes < 2 || place.most_on_node < 2) return;
    saturation_ = saturation(*frame_.world, place, rule, frame_.settings->seed);
  }

  /// Adds the means over the pairs, how the pairs were chosen, and how long both parts took on rank 0. The mean of the
  /// rates is not the rate of the mean time, so the text needs both for each length.
  void put_choice(PointRecord& record) const {
    record.classic.emplace_back("mean_one_way_s", pairs_.mean_s);
    record.classic.emplace_back("mean_byte_s", pairs_.mean_byte_s);
    record.classic.emplace_back("budget_s", rule().ping_pong_budget_s);
    record.classic.emplace_back("first_to_last_s", pairs_.first_to_last_s);
    record.classic.emplace_back("pair_s", pairs_.pair_s);
    record.classic.emplace_back("clock_is_fine", pairs_.clock_is_fine);
    record.classic.emplace_back("affordable_pairs", pairs_.affordable_pairs);
    record.classic.emplace_back("most_pings", pairs_.most_pings);
    record.classic.emplace_back("stride", pairs_.stride);
    record.classic.emplace_back("pairs_s", pairs_s_);
    record.classic.emplace_back("rings_s", rings_s_);
  }

  void put_latencies(PointRecord& record) const {
    record.metrics.emplace_back("pingpong_max_latency_s", pairs_.max_s);
    record.metrics.emplace_back("natural_ring_latency_s", rings_.natural_s);
    record.metrics.emplace_back("random_ring_latency_s", rings_.random_s);
    record.primary = "random_ring_latency_s";
    put_figure(record, "MaxPingPongLatency_usec", pairs_.max_s);
    put_figure(record, "RandomlyOrderedRingLatency_usec", rings_.random_s);
    put_figure(record, "MinPingPongLatency_usec", pairs_.min_s);
    put_figure(record, "AvgPingPongLatency_usec", pairs_.mean_s);
    put_figure(record, "NaturallyOrderedRingLatency_usec", rings_.natural_s);
  }

  void put_bandwidths(PointRecord& record) const {
    const auto bytes = static_cast<double>(spec_.length);
    record.metrics.emplace_back("pingpong_min_byte_s", bytes / pairs_.max_s);
    record.metrics.emplace_back("natural_ring_byte_s", bytes / rings_.natural_s);
    record.metrics.emplace_back("random_ring_byte_s", bytes / rings_.random_s);
    record.primary = "random_ring_byte_s";
    record.lower_is_better = false;
    put_figure(record, "MinPingPongBandwidth_GBytes", bytes / pairs_.max_s);
    put_figure(record, "NaturallyOrderedRingBandwidth_GBytes", bytes / rings_.natural_s);
    put_figure(record, "RandomlyOrderedRingBandwidth_GBytes", bytes / rings_.random_s);
    put_figure(record, "MaxPingPongBandwidth_GBytes", bytes / pairs_.min_s);
    put_figure(record, "AvgPingPongBandwidth_GBytes", pairs_.mean_byte_s);
    if (saturation_.processes.empty()) return;
    record.classic.emplace_back("saturation_processes_of_node", saturation_.processes);
    record.classic.emplace_back("saturation_node_byte_s", saturation_.node_byte_s);
  }

  /// Adds which pair and which place is slow, and whether it is alone with that.
  void put_spread(PointRecord& record) const {
    const PairSpread& spread = pairs_.spread;
    if (spread.places == 0) return;
    const auto numbers = [](auto... values) { return std::vector<double>{static_cast<double>(values)...}; };
    auto& classic = record.classic;
    classic.emplace_back("pair_places", std::int64_t{spread.places});
    classic.emplace_back("slowest_pair", numbers(spread.client, spread.server));
    classic.emplace_back("pair_times_s", numbers(spread.slowest_s, spread.typical_s, spread.typical_worst_s));
    classic.emplace_back("slow_pairs", numbers(spread.slow, spread.between, spread.slow_between));
    classic.emplace_back("slowest_place_rank", std::int64_t{spread.place_rank});
    classic.emplace_back("slowest_place_s", spread.place_s);
    classic.emplace_back("slow_pairs_of_place", numbers(spread.with_place, spread.slow_with_place));
  }

  PingPongTimes pairs_;
  RingTimes rings_;
  double pairs_s_ = 0, rings_s_ = 0;
  Saturation saturation_;
};

}  // namespace

std::unique_ptr<Experiment> make_latency_bandwidth(const Frame& frame, const PointSpec& spec) {
  return std::make_unique<MessagesExperiment>(frame, spec);
}

}  // namespace steelyard::hpcc
