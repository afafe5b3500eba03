// SPDX-License-Identifier: Apache-2.0
// The tests of all processes together: which kernel runs, what it counts for, which keys of the Summary it
// gives.
#include <algorithm>
#include <cmath>

#include "measure/failure.hpp"
#include "suites/hpcc/experiment_parts.hpp"
#include "suites/hpcc/fft/distributed_fft.hpp"
#include "suites/hpcc/fft/local_fft.hpp"
#include "suites/hpcc/memory_use.hpp"
#include "suites/hpcc/ptrans/ptrans.hpp"
#include "suites/hpcc/random_access/distributed_updates.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

class DistributedUpdatesExperiment final : public Experiment {
 public:
  using Experiment::Experiment;

  std::unique_ptr<measure::Workload> open() override {
    updates_.reset();
    updates_ = std::make_unique<DistributedUpdates>(*frame_.world, spec_.benchmark.generator, spec_.bits,
                                                    frame_.settings->form);
    updates_->prepare();
    updates_->limit(updates_->updates_within(frame_.settings->update_bound_s));
    executed_ = updates_->updates();
    buffers_ = buffer_use(*frame_.world, updates_->buffers());
    return make_workload(frame_, Mode::global,
                         {[this] { return updates_->run(); }, [this] { return check(); }});
  }

  void describe(const Outcome& outcome, PointRecord& record) const override {
    const auto words = static_cast<double>(std::int64_t{1} << spec_.bits);
    const double errors = outcome.check ? static_cast<double>(outcome.check->errors) : -1;
    auto& keys = record.classic;
    keys.emplace_back(key(spec_, "_N"), std::int64_t{1} << spec_.bits);
    keys.emplace_back(key(spec_, "_CheckTime"), check_s_);
    keys.emplace_back(key(spec_, "_Errors"), errors);
    keys.emplace_back(key(spec_, "_ErrorsFraction"), errors < 0 ? -1 : errors / words);
    keys.emplace_back(key(spec_, "_ExeUpdates"), executed_);
    keys.emplace_back(key(spec_, "_TimeBound"), frame_.settings->update_bound_s);
    keys.emplace_back(key(spec_, "_Algorithm"),
                      std::int64_t{updates_ ? updates_->exchange().algorithm() : -1});
    if (updates_) keys.emplace_back("Sy_" + key(spec_, "_way"), std::string(text(updates_->way())));
    put_memory_use(record, spec_, *frame_.settings, buffers_);
    const auto found = rates(outcome, Mode::global, static_cast<double>(executed_));
    if (!found) return;
    put_rate(record, outcome, "update_rate_update_s", *found);
    keys.emplace_back(key(spec_, "_time"), found->seconds);
    keys.emplace_back(key(spec_, "_GUPs"), found->value / giga);
  }

 private:
  std::optional<CheckResult> check() {
    const double start = MPI_Wtime();
    const auto result = updates_->verify();
    check_s_ = MPI_Wtime() - start;
    return result;
  }

  std::unique_ptr<DistributedUpdates> updates_;
  std::vector<BufferUse> buffers_;
  std::int64_t executed_ = 0;
  double check_s_ = -1;
};

/// Ranks 0 .. used - 1 of an order of the world's ranks as a communicator of their own.
mpi::Communicator first_of(const mpi::Communicator& world, const std::vector<int>& order, int used) {
  const auto place = static_cast<int>(std::ranges::find(order, world.rank()) - order.begin());
  return world.split(place < used ? 0 : -1, place);
}

class DistributedFftExperiment final : public Experiment {
 public:
  using Experiment::Experiment;

  std::unique_ptr<measure::Workload> open() override {
    fft_.reset();
    const bool used = frame_.world->rank() < spec_.processes;
    comm_ = frame_.world->split(used ? 0 : -1, frame_.world->rank());
    measure::all_or_none(*frame_.world, [&] {
      if (used) fft_ = std::make_unique<DistributedFft>(comm_, spec_.length, frame_.settings->form);
    });
    if (fft_) fft_->prepare();
    buffers_ = buffer_use(*frame_.world, fft_ ? fft_->buffers() : std::vector<NamedBuffer>{});
    return make_workload(frame_, Mode::global,
                         {[this] { return fft_ ? fft_->run() : MPI_SUCCESS; },
                          [this]() -> std::optional<CheckResult> {
                            if (!fft_) return std::nullopt;
                            return fft_->verify(frame_.settings->threshold);
                          }});
  }

  void describe(const Outcome& outcome, PointRecord& record) const override {
    record.classic.emplace_back("MPIFFT_N", spec_.length);
    record.classic.emplace_back("MPIFFT_Procs", std::int64_t{spec_.processes});
    put_transforms(record);
    put_stages(record);
    put_memory_use(record, spec_, *frame_.settings, buffers_);
    if (outcome.check && outcome.check->worst)
      record.classic.emplace_back("MPIFFT_maxErr", max_error(*outcome.check));
    const auto found = rates(outcome, Mode::global, fft_operations(spec_.length));
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    record.classic.emplace_back("MPIFFT_Gflops", found->value / giga);
  }

 private:
  /// Of rank 0 and the last execution; the first and the last of the reference's seven intervals do not exist here.
  void put_stages(PointRecord& record) const {
    record.classic.emplace_back("MPIFFT_time0", 0.0);
    if (fft_) record.classic.emplace_back("Sy_MPIFFT_way", std::string(text(fft_->way())));
    for (std::size_t i = 0; i < DistributedFft::stage_count; ++i)
      record.classic.emplace_back("MPIFFT_time" + std::to_string(i + 1), fft_ ? fft_->stage_times()[i] : 0.0);
    record.classic.emplace_back("MPIFFT_time6", 0.0);
  }
  [[nodiscard]] double max_error(const record::Check& check) const {
    return *check.worst * half_epsilon * std::max(std::log(static_cast<double>(spec_.length)), 1.0);
  }

  mpi::Communicator comm_;
  std::unique_ptr<DistributedFft> fft_;
  std::vector<BufferUse> buffers_;
};

/// Every visit has another placement of the grid's processes.
class PtransExperiment final : public Experiment {
 public:
  using Experiment::Experiment;
  [[nodiscard]] int placements() const override { return ptrans_placements; }

  std::unique_ptr<measure::Workload> open() override {
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
                         {[this] { return ptrans_ ? ptrans_->run() : MPI_SUCCESS; },
                          [this]() -> std::optional<CheckResult> {
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
    if (way_) record.classic.emplace_back("Sy_PTRANS_way", std::string(text(*way_)));
    const auto found = rates(outcome, Mode::global, 8.0 * static_cast<double>(n) * static_cast<double>(n));
    if (!found) return;
    auto slowest = *found;
    slowest.value = found->least;
    put_rate(record, outcome, "bandwidth_byte_s", slowest);
    record.classic.emplace_back("PTRANS_time",
                                8.0 * static_cast<double>(n) * static_cast<double>(n) / found->least);
    record.classic.emplace_back("PTRANS_GBs", found->least / giga);
  }

 private:
  /// Of the placement that ends: every one is verified.
  void keep_findings() {
    if (!ptrans_) return;
    const auto one = ptrans_->verify(frame_.settings->threshold);
    found_.errors += one.errors;
    found_.worst = std::max(found_.worst, one.worst);
    if (found_.first.empty()) found_.first = one.first;
  }

  mpi::Communicator comm_;
  std::unique_ptr<Ptrans> ptrans_;
  CheckResult found_;
  std::uint64_t opened_ = 0;
  std::optional<Way> way_;  // of the last placement in which this process takes part
};

}  // namespace

std::unique_ptr<Experiment> make_global_experiment(const Frame& frame, const PointSpec& spec) {
  if (spec.benchmark.test == Test::random_access)
    return std::make_unique<DistributedUpdatesExperiment>(frame, spec);
  if (spec.benchmark.test == Test::fft) return std::make_unique<DistributedFftExperiment>(frame, spec);
  if (spec.benchmark.test == Test::ptrans) return std::make_unique<PtransExperiment>(frame, spec);
  if (spec.benchmark.test == Test::solver) return make_solver_experiment(frame, spec);
  return make_messages_experiment(frame, spec);
}

}  // namespace steelyard::hpcc
