// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "machine/environment.hpp"
#include "record/records.hpp"
#include "suites/screen/definition.hpp"
#include "suites/screen/kernels.hpp"
#include "suites/screen/nodes.hpp"
#include "suites/screen/visits.hpp"
#include "suites/session.hpp"

namespace steelyard::screen {

/// Replacements for the machine in tests of a session.
struct Stand {
  MakeKernel make = make_kernel;
  std::optional<int> ranks_of_each = std::nullopt;  // of a node
  PairEffort effort = {};
  std::function<std::optional<int>()> domain = [] { return machine::own_domain(); };  // of this process
};

/// Session of a screening. Its tables are written visit by visit, because a node may die.
class ScreenSession final : public suites::Session {
 public:
  /// Collective. Throws mpi::Error.
  ScreenSession(const Settings& settings, const suites::BlockPlan& block,
                const suites::SessionContext& context, Stand stand = {});
  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;
  [[nodiscard]] std::optional<suites::BlockProgress> stage() const override;
  [[nodiscard]] std::vector<measure::EngineNotice> notices() const override;

 private:
  struct Looked {
    TestSpec spec;
    std::string key;
    NodeLooks nodes = {};
    PairLooks pairs = {};
  };
  [[nodiscard]] std::unique_ptr<measure::Workload> open(Looked& looked);

  Settings settings_;
  Stand stand_;
  TellRows tell_;
  Nodes nodes_;
  Domains domains_;
  suites::OneOperation schedule_{"fixed"};       // in every pass; the passes are the visits
  std::vector<std::unique_ptr<Looked>> looked_;  // of the points that are measured
  std::vector<std::size_t> looked_of_;           // by point of the block
};

}  // namespace steelyard::screen
