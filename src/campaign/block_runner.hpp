// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "campaign/block_log.hpp"
#include "campaign/schedules.hpp"
#include "campaign/team.hpp"
#include "measure/failure.hpp"

namespace steelyard::campaign {

/// Opens, measures and confirms one block with its team. Every member function is collective over
/// team.active.
class BlockRunner {
 public:
  struct Context {
    const Plan* plan;
    const RunOptions* options;
    measure::ClockFigures clock;
    measure::Engine* engine;
    std::int64_t memory_byte;
    std::function<double()> elapsed_s;
    std::span<const record::PointRecord> earlier = {};  // on rank 0: of earlier sessions
    std::function<void()> met = {};                     // as measure::EngineOptions::met
  };

  /// `team` is the engine's. `tasks`: the numbers under which `log`, used on rank 0, knows the points of
  /// `block` that are measured; every other point is marked as skipped or kept.
  BlockRunner(const Context& context, const suites::BlockPlan& block, const Teams& teams,
              const measure::Team& team, const Allowance& allowance, std::vector<std::size_t> tasks,
              BlockLog& log);

  void run();
  /// Afterwards, the same on all ranks: whether an MPI error has made the communicators unfit, and the tasks
  /// that were not measured for that.
  [[nodiscard]] bool spoilt() const { return spoilt_; }
  [[nodiscard]] const std::vector<std::size_t>& left_out() const { return left_out_; }
  /// On rank 0, while it runs.
  [[nodiscard]] std::optional<suites::Stage> stage() const {
    return session_ ? session_->stage() : std::nullopt;
  }
  /// On rank 0, afterwards: what the suite has to say.
  [[nodiscard]] std::vector<measure::EngineNotice> notices() const {
    return session_ ? session_->notices() : std::vector<measure::EngineNotice>{};
  }

 private:
  [[nodiscard]] measure::Failure open();
  void take_tasks();
  /// True if it was stopped.
  bool measure(const std::vector<std::size_t>& chosen, int tries);
  void confirm();
  [[nodiscard]] std::vector<std::size_t> agree_on_suspects() const;
  [[nodiscard]] bool root() const { return team_.active.is_root(); }

  const Context& context_;
  const suites::BlockPlan& block_;
  const Teams& teams_;
  const measure::Team& team_;
  const Allowance& allowance_;
  std::vector<std::size_t> numbers_;  // of the tasks
  BlockLog& log_;
  bool spoilt_ = false;
  std::vector<std::size_t> left_out_;
  std::unique_ptr<measure::Schedule> common_;
  std::vector<std::unique_ptr<measure::Schedule>> own_;  // of single points
  std::unique_ptr<suites::Session> session_;
  std::vector<measure::Task> tasks_;
};

}  // namespace steelyard::campaign
