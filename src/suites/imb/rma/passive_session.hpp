// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/session.hpp"
#include "units/quantity.hpp"

namespace steelyard::imb {

/// Block of computation of the length asked for, and its undisturbed time. The only way to what processors
/// do beside transfers.
class BesideBlock {
 public:
  virtual ~BesideBlock() = default;
  /// Makes the block about `target` long; returns its seconds. No communication.
  [[nodiscard]] virtual double prepare(Seconds target) = 0;
  virtual void run() noexcept = 0;
};
[[nodiscard]] std::unique_ptr<BesideBlock> beside_block();

/// Times that a repetition whose target computes is compared with. The same on both processes.
struct PassiveTimes {
  double pure_s = 0;   // put, flush and a barrier, in which the target waits
  double put_s = 0;    // put and flush alone
  double block_s = 0;  // the target's computation, as long as pure_s by its rate
};

/// Test whether a put completes while its target is not in MPI. The first process puts and flushes, the last
/// one computes; then both meet in a barrier. A repetition can never take less time than the computation:
/// what is as fast as without it is truly passive.
class TrulyPassivePut final : public measure::Workload {
 public:
  explicit TrulyPassivePut(const Point& point);
  ~TrulyPassivePut() override;

  /// Measures how long a repetition takes whose target waits, in at most `repetitions` of them and about
  /// `longest`, and makes the target's block as long. Until then the target computes nothing. Collective over
  /// the group. Throws measure::SharedFailure.
  [[nodiscard]] PassiveTimes prepare(const mpi::Communicator& group, BesideBlock& block,
                                     std::uint64_t repetitions, Seconds longest);

  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Progress of a put: 1 if it is complete before the target's computation ends, 0 if it waits for it.
[[nodiscard]] double passive_progress(const PassiveTimes& times, double overlapped_s);

/// Session of a block of IMB-RMA: transfers as in other parts, and for Truly_passive_put what its repetitions
/// are compared with. Made on all ranks of team.active.
class PassiveSession final : public suites::Session {
 public:
  /// `block` computes, on this rank, in all blocks of the run.
  PassiveSession(const Settings& settings, const suites::BlockPlan& plan,
                 const suites::SessionContext& context, BesideBlock* block);

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

}  // namespace steelyard::imb
