// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "campaign/block_runner.hpp"
#include "campaign/instruments.hpp"
#include "campaign/progress.hpp"
#include "campaign/recorder.hpp"
#include "campaign/stop.hpp"
#include "campaign/survey.hpp"

namespace steelyard::campaign {

/// One run from its run record to its end record. Same control flow on all ranks; every decision is taken on
/// rank 0 and broadcast at the start of a block.
class Campaign {
 public:
  Campaign(const mpi::Communicator& world, const Plan& plan, const RunOptions& options,
           const Outputs& outputs, const std::optional<ResumeState>& resume);

  /// Collective over the world.
  [[nodiscard]] RunResult run();
  /// Called on any rank after an error that leaves MPI unusable. Rank 0 writes the last record; then
  /// as RunOptions::when_lost.
  void lost(const std::exception& error);

 private:
  void give_up(const std::string& why);
  void given_up(const std::string& why);
  void cut_short(const record::Reason& reason);
  void fail_in_flight(record::Reason reason);
  [[nodiscard]] Alarm::Endings endings();
  [[nodiscard]] std::ostream& errors() const;
  [[nodiscard]] std::unique_ptr<Watchdog> make_watchdog();
  void rest() {
    if (watchdog_) watchdog_->rest();
  }
  /// Order of rank 0 at the start of each block.
  struct Order {
    StopCause cause = StopCause::none;
    bool limited = false;
    double left_s = 0;
    bool late = false;  // points of the block that may give way are left out
  };

  void start();
  [[nodiscard]] measure::EngineOptions engine_options() const;
  [[nodiscard]] record::Document scan_noise(double longest_s);
  void write_run_record();
  void write_start_events();
  void measure_noise_at_end();
  void tell_disturbances();
  void tell_stop(StopCause cause);
  [[nodiscard]] Order agree(std::size_t next_block);
  void decide(std::size_t next_block, StopCause signal);
  [[nodiscard]] std::optional<double> time_to_share() const;
  void run_block(std::size_t index, const Order& order);
  [[nodiscard]] bool late(std::size_t index) const;
  void run_with_team(std::size_t index, const suites::BlockPlan& planned, const Order& order, BlockLog& log);
  void measure_block(const measure::Team& team, suites::BlockPlan block, const Allowance& allowance,
                     BlockLog& log);
  void hold(BlockLog* log);
  [[nodiscard]] double expected_s(const suites::BlockPlan& block, const Allowance& allowance) const;
  using PointTime = double (*)(const suites::PointPlan& point, const Allowance& allowance,
                               const MeasuringRule& rule);
  [[nodiscard]] double sum_s(const suites::BlockPlan& block, const Allowance& allowance,
                             PointTime of_point) const;
  [[nodiscard]] Allowance allowance(std::size_t index, const Order& order) const;
  void note_time(std::size_t index, const Order& order, double taken_s);
  [[nodiscard]] bool stopped_before_quiet();
  void tell_wait(double seconds);
  void meet() const;
  void tell(const std::vector<measure::EngineNotice>& notices);
  void tell_begin(std::int64_t task);
  [[nodiscard]] bool stop_request();
  [[nodiscard]] RunResult conclude(StopCause& cause);
  [[nodiscard]] int code_after(StopCause cause) const;
  [[nodiscard]] RunResult finish(StopCause cause);
  [[nodiscard]] record::EndRecord end_record(std::string_view cause, int exit_code) const;
  [[nodiscard]] double engine_ratio() const;
  [[nodiscard]] bool all_done() const { return final_counts().left == 0 && !recorder_.interrupted(); }
  [[nodiscard]] record::Counts final_counts() const;
  [[nodiscard]] bool root() const { return world_.is_root(); }

  const mpi::Communicator& world_;
  const Plan& plan_;
  const RunOptions& options_;
  const Outputs outputs_;  // empty but on rank 0
  const ResumeState resume_;
  StopWatch watch_;
  RemainingWork remaining_;
  Recorder recorder_;
  Reporter reporter_;
  Teams teams_;
  Surroundings surroundings_;
  Instruments instruments_;
  std::unique_ptr<measure::Engine> engine_;
  std::optional<NodeWatch> node_watch_;
  PageWatch page_watch_;
  measure::KeptMemory kept_;  // from block to block of a suite
  std::string keeps_for_;
  bool given_up_ = false;
  std::unique_ptr<Watchdog> watchdog_;
  std::unique_ptr<Alarm> alarm_;
  PointFrame frame_;
  record::Document noise_;
  const BlockRunner* running_ = nullptr;
  BlockLog* in_flight_ = nullptr;  // of the block that is measured; changed under Recorder::alone()
  double noise_s_ = 0;             // spent on the noise record
  double quiet_left_s_ = 0;
  double blocks_s_ = 0;  // wall time of the blocks so far
  double last_tick_s_ = 0;
  std::vector<record::SuiteTime> suite_times_;
  Habits habits_;
  std::size_t recorded_ = 0;  // points of this session
};

}  // namespace steelyard::campaign
