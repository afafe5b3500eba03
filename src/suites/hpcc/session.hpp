// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "measure/engine.hpp"
#include "record/records.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/experiment.hpp"
#include "suites/session.hpp"

namespace steelyard::hpcc {

/// Adds the slowest host beside the others, for a test that all processes of several hosts do at once, each
/// alone. The rate of a host is the mean of its processes. Classic values: hosts, host_repetitions,
/// slowest_host_rank (its first process), slowest_host_rates (median and best over the repetitions),
/// other_hosts_rates (median over the other hosts of their worst repetition; lower quartile, median, upper
/// quartile of their medians). On rank 0.
void put_hosts(const measure::Outcome& outcome, const PointSpec& spec, record::PointRecord& record);

/// Adds the flag few_clock_steps where an operation took less than 100 steps of the clock on the process whose time
/// counts.
void put_short_regions(const measure::Outcome& outcome, Mode mode, double clock_step_s,
                       record::PointRecord& record);

/// One benchmark of the suite while it is measured.
class HpccSession final : public suites::Session {
 public:
  /// Collective. Throws std::bad_alloc, mpi::Error.
  HpccSession(const Settings& settings, const suites::BlockPlan& block,
              const suites::SessionContext& context);
  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;
  [[nodiscard]] std::optional<suites::BlockProgress> stage() const override;
  [[nodiscard]] std::vector<measure::EngineNotice> notices() const override { return notices_; }

 private:
  [[nodiscard]] measure::Task task(Experiment& experiment) const;

  Settings settings_;
  suites::OneOperation schedule_{"prescribed"};  // in every pass; the passes are the trials
  Frame frame_;
  bool verify_;
  double clock_step_s_;
  std::vector<std::unique_ptr<Experiment>> experiments_;  // of the points that are measured
  std::vector<std::size_t> experiment_of_;                // by point of the block
  std::vector<measure::EngineNotice> notices_;
};

}  // namespace steelyard::hpcc
