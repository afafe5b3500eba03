// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/experiment.hpp"

#include <mpi.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "measure/failure.hpp"
#include "suites/hpcc/ptrans/ptrans.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

/// Ranks 0 .. used - 1 of an order of the world's ranks as a communicator of their own.
mpi::Communicator first_of(const mpi::Communicator& world, const std::vector<int>& order, int used) {
  const auto place = static_cast<int>(std::ranges::find(order, world.rank()) - order.begin());
  return world.split(place < used ? 0 : -1, place);
}

/// Experiment whose every visit has another placement of the grid's processes.
class PtransExperiment final : public Experiment {
 public:
  using Experiment::Experiment;
  [[nodiscard]] int placements() const override { return passes(); }

  std::unique_ptr<measure::Workload> open() override {
    if (opened_ > 0) keep_cpu_time();
    keep_findings();
    ptrans_.reset();
    const auto order = random_placement(frame_.world->size(), frame_.settings->seed + opened_++);
    comm_ = first_of(*frame_.world, order, spec_.processes);
    measure::all_or_none(*frame_.world, [&] {
      if (comm_.valid()) ptrans_ = std::make_unique<Ptrans>(comm_, spec_.matrix, frame_.settings->form);
    });
    if (ptrans_) ptrans_->prepare();
    if (ptrans_) way_ = ptrans_->way();
    return make_workload(frame_, Mode::global,
                         {cpu_.timed([this] { return ptrans_ ? ptrans_->run() : MPI_SUCCESS; }),
                          [this]() -> std::optional<CheckResult> {
                            keep_cpu_time();
                            keep_findings();
                            ptrans_.reset();
                            return found_;
                          }});
  }

  void describe(const Outcome& outcome, PointRecord& record) const override {
    const auto& [n, nb, grid] = spec_.matrix;
    record.classic.emplace_back("PTRANS_n", n);
    record.classic.emplace_back("PTRANS_nb", nb);
    record.classic.emplace_back("PTRANS_nprow", std::int64_t{grid.rows});
    record.classic.emplace_back("PTRANS_npcol", std::int64_t{grid.columns});
    if (outcome.check && outcome.check->worst)
      record.classic.emplace_back("PTRANS_residual",
                                  *outcome.check->worst * half_epsilon * static_cast<double>(n));
    if (!cpu_s_.empty()) record.classic.emplace_back("cpu_s", cpu_s_);
    if (way_) record.classic.emplace_back("Sy_PTRANS_way", std::string(text(*way_)));
    const double bytes = counted_work(spec_);
    const auto found = rates(outcome, Mode::global, bytes);
    if (!found) return;
    auto slowest = *found;
    slowest.value = found->least;
    put_rate(record, outcome, "bandwidth_byte_s", slowest);
    record.classic.emplace_back("PTRANS_time", bytes / found->least);
    put_figure(record, "PTRANS_GBs", found->least);
  }

 private:
  /// Keeps the processor time of the placement that ends, the longest of all processes.
  /// Collective over the world.
  void keep_cpu_time() { cpu_s_.push_back(frame_.world->max(cpu_.last_s())); }

  /// Keeps the findings of the placement that ends: every one is verified, unless the threshold says that none is.
  /// Collective over the world: processes that are not in the grid must hear of a check that failed for want of memory.
  void keep_findings() {
    const double threshold = frame_.settings->threshold;
    if (!(threshold > 0)) return;
    std::optional<CheckResult> one;
    const auto failure = measure::attempt([&] {
      if (ptrans_) one = ptrans_->verify(threshold);
    });
    if (const auto shared = measure::agree(*frame_.world, failure)) throw measure::SharedFailure(*shared);
    if (!one) return;
    if (!found_) found_.emplace();
    found_->errors += one->errors;
    found_->worst = std::max(found_->worst, one->worst);
    if (found_->first.empty()) found_->first = one->first;
  }

  mpi::Communicator comm_;
  std::unique_ptr<Ptrans> ptrans_;
  std::optional<CheckResult> found_;
  CpuTimes cpu_;
  std::vector<double> cpu_s_;  // of every placement
  std::uint64_t opened_ = 0;
  std::optional<Way> way_;  // of the last placement in which this process takes part
};

}  // namespace

std::unique_ptr<Experiment> make_ptrans(const Frame& frame, const PointSpec& spec) {
  return std::make_unique<PtransExperiment>(frame, spec);
}

}  // namespace steelyard::hpcc
