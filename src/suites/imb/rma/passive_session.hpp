// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "suites/imb/rma/truly_passive.hpp"
#include "suites/imb/session.hpp"

namespace steelyard::imb {

/// A block of IMB-RMA while it is measured: transfers as in other parts, and for Truly_passive_put what its
/// repetitions are compared with. Made on all ranks of team.active.
class PassiveSession final : public suites::Session {
 public:
  /// `block` computes, on this rank, in all blocks of the run.
  PassiveSession(const Settings& settings, const suites::BlockPlan& plan,
                 const suites::SessionContext& context, BesideBlock& block);

  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;
  [[nodiscard]] std::string advice(const record::Reason& reason) const override {
    return transfers_.advice(reason);
  }

 private:
  using ByGroup = std::vector<PassiveTimes>;
  [[nodiscard]] std::unique_ptr<measure::Workload> prepared(std::size_t point,
                                                            std::unique_ptr<measure::Workload> workload);
  [[nodiscard]] ByGroup gathered(const PassiveTimes& own) const;
  void put_times(std::size_t point, const measure::Outcome& outcome, record::PointRecord& record) const;

  Settings settings_;
  suites::BlockPlan plan_;
  suites::SessionContext context_;
  BesideBlock* block_;
  bool truly_passive_;
  BlockSession transfers_;
  std::vector<std::vector<ByGroup>> visits_;  // of each point of the plan, on all ranks
};

/// IMB-RMA, to be measured with these settings.
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_passive(const Part& part, const Settings& settings);

}  // namespace steelyard::imb
