// SPDX-License-Identifier: Apache-2.0
// One experiment per test: which kernel runs, what it counts for, which keys of the Summary it gives.
#include <algorithm>
#include <string>
#include <utility>

#include "suites/hpcc/blas.hpp"
#include "suites/hpcc/dgemm.hpp"
#include "suites/hpcc/distributed_fft.hpp"
#include "suites/hpcc/distributed_updates.hpp"
#include "suites/hpcc/experiment.hpp"
#include "suites/hpcc/local_fft.hpp"
#include "suites/hpcc/local_updates.hpp"
#include "suites/hpcc/ptrans.hpp"
#include "suites/hpcc/ring_times.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

constexpr double giga = 1e9;

std::string key(const PointSpec& spec, std::string_view end) {
  return std::string(spec.benchmark.name) + std::string(end);
}

void put_rate(PointRecord& record, const Outcome& outcome, std::string_view metric, const Rates& found) {
  record.metrics.emplace_back(metric, found.value);
  record.metrics.emplace_back("time_s", outcome.time);
  record.primary = metric;
  record.lower_is_better = false;
  record.classic.emplace_back("least_rate", found.least);
  record.classic.emplace_back("most_rate", found.most);
}

/// A kernel of one process, in Single or Star mode.
template <class Kernel>
class Local : public Experiment {
 public:
  using Experiment::Experiment;

  std::unique_ptr<measure::Workload> open() override {
    kernel_.reset();
    if (stage_.computes(spec_.benchmark.mode)) kernel_ = make();
    return make_workload(stage_, spec_.benchmark.mode,
                         {[this] {
                            kernel_->run();
                            return MPI_SUCCESS;
                          },
                          [this]() -> std::optional<CheckResult> { return check(*kernel_); }});
  }

 protected:
  [[nodiscard]] virtual std::unique_ptr<Kernel> make() const = 0;
  [[nodiscard]] virtual CheckResult check(Kernel& kernel) const = 0;

 private:
  std::unique_ptr<Kernel> kernel_;
};

class LocalUpdatesExperiment final : public Local<LocalUpdates> {
 public:
  using Local::Local;
  void describe(const Outcome& outcome, PointRecord& record) const override {
    const auto words = std::int64_t{1} << spec_.bits;
    const bool lcg = spec_.benchmark.generator == Generator::congruential;
    record.classic.emplace_back(lcg ? "RandomAccess_LCG_N" : "RandomAccess_N", words);
    const auto found = rates(outcome, spec_.benchmark.mode, 4.0 * static_cast<double>(words));
    if (!found) return;
    put_rate(record, outcome, "update_rate_update_s", *found);
    record.classic.emplace_back(key(spec_, "_GUPs"), found->value / giga);
  }

 protected:
  std::unique_ptr<LocalUpdates> make() const override {
    return std::make_unique<LocalUpdates>(spec_.benchmark.generator, spec_.bits, stage_.settings->form);
  }
  CheckResult check(LocalUpdates& kernel) const override { return kernel.verify(); }
};

class DgemmExperiment final : public Local<Dgemm> {
 public:
  using Local::Local;
  void describe(const Outcome& outcome, PointRecord& record) const override {
    record.classic.emplace_back("DGEMM_N", spec_.length);
    record.classic.emplace_back("Sy_BLAS", blas::library());
    record.classic.emplace_back("Sy_BLAS_kernel", blas::kernel());
    const auto n = static_cast<double>(spec_.length);
    const auto found = rates(outcome, spec_.benchmark.mode, 2 * n * n * n);
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    record.classic.emplace_back(key(spec_, "_Gflops"), found->value / giga);
  }

 protected:
  std::unique_ptr<Dgemm> make() const override {
    blas::set_threads(1);
    const auto rank = static_cast<std::uint64_t>(stage_.world->rank());
    return std::make_unique<Dgemm>(spec_.length, stage_.settings->seed + rank);
  }
  CheckResult check(Dgemm& kernel) const override { return kernel.verify(stage_.settings->threshold); }
};

class LocalFftExperiment final : public Local<LocalFft> {
 public:
  using Local::Local;
  void describe(const Outcome& outcome, PointRecord& record) const override {
    record.classic.emplace_back("FFT_N", spec_.length);
    const auto found = rates(outcome, spec_.benchmark.mode, fft_operations(spec_.length));
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    record.classic.emplace_back(key(spec_, "_Gflops"), found->value / giga);
  }

 protected:
  std::unique_ptr<LocalFft> make() const override {
    return std::make_unique<LocalFft>(spec_.length, stage_.settings->form);
  }
  CheckResult check(LocalFft& kernel) const override { return kernel.verify(stage_.settings->threshold); }
};

class DistributedUpdatesExperiment final : public Experiment {
 public:
  using Experiment::Experiment;

  std::unique_ptr<measure::Workload> open() override {
    updates_.reset();
    updates_ = std::make_unique<DistributedUpdates>(*stage_.world, spec_.benchmark.generator, spec_.bits,
                                                    stage_.settings->form);
    updates_->limit(updates_->updates_within(stage_.settings->update_bound_s));
    executed_ = updates_->updates();
    return make_workload(stage_, Mode::global,
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
    keys.emplace_back(key(spec_, "_TimeBound"), stage_.settings->update_bound_s);
    keys.emplace_back(key(spec_, "_Algorithm"),
                      std::int64_t{updates_ ? updates_->exchange().algorithm() : -1});
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
    const bool used = stage_.world->rank() < spec_.processes;
    comm_ = stage_.world->split(used ? 0 : -1, stage_.world->rank());
    if (used) fft_ = std::make_unique<DistributedFft>(comm_, spec_.length, stage_.settings->form);
    return make_workload(stage_, Mode::global,
                         {[this] { return fft_ ? fft_->run() : MPI_SUCCESS; },
                          [this]() -> std::optional<CheckResult> {
                            if (!fft_) return std::nullopt;
                            return fft_->verify(stage_.settings->threshold);
                          }});
  }

  void describe(const Outcome& outcome, PointRecord& record) const override {
    record.classic.emplace_back("MPIFFT_N", spec_.length);
    record.classic.emplace_back("MPIFFT_Procs", std::int64_t{spec_.processes});
    if (outcome.check && outcome.check->worst)
      record.classic.emplace_back("MPIFFT_maxErr", max_error(*outcome.check));
    const auto found = rates(outcome, Mode::global, fft_operations(spec_.length));
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    record.classic.emplace_back("MPIFFT_Gflops", found->value / giga);
  }

 private:
  [[nodiscard]] double max_error(const record::Check& check) const {
    return *check.worst * half_epsilon * std::max(std::log(static_cast<double>(spec_.length)), 1.0);
  }

  mpi::Communicator comm_;
  std::unique_ptr<DistributedFft> fft_;
};

/// Every visit has another placement of the grid's processes.
class PtransExperiment final : public Experiment {
 public:
  using Experiment::Experiment;
  [[nodiscard]] int passes() const override { return ptrans_placements; }
  [[nodiscard]] int placements() const override { return ptrans_placements; }

  std::unique_ptr<measure::Workload> open() override {
    keep_findings();
    ptrans_.reset();
    const auto order = random_placement(stage_.world->size(), stage_.settings->seed + opened_++);
    comm_ = first_of(*stage_.world, order, spec_.processes);
    if (comm_.valid()) ptrans_ = std::make_unique<Ptrans>(comm_, spec_.matrix, stage_.settings->form);
    return make_workload(stage_, Mode::global,
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
    const auto one = ptrans_->verify(stage_.settings->threshold);
    found_.errors += one.errors;
    found_.worst = std::max(found_.worst, one.worst);
    if (found_.first.empty()) found_.first = one.first;
  }

  mpi::Communicator comm_;
  std::unique_ptr<Ptrans> ptrans_;
  CheckResult found_;
  std::uint64_t opened_ = 0;
};

/// Ping-pong and rings with one message length; one operation is the whole procedure.
class MessagesExperiment final : public Experiment {
 public:
  using Experiment::Experiment;
  [[nodiscard]] int passes() const override { return 1; }

  std::unique_ptr<measure::Workload> open() override {
    return make_workload(stage_, Mode::global,
                         {[this] { return play(); },
                          [this]() -> std::optional<CheckResult> {
                            const bool root = stage_.world->is_root();
                            CheckResult result;
                            if (root) result.errors = pairs_.wrong + rings_.wrong;
                            return result;
                          }});
  }

  void describe(const Outcome&, PointRecord& record) const override {
    record.classic.emplace_back("pairs", pairs_.pairs);
    record.classic.emplace_back("possible_pairs", pairs_.possible);
    if (pairs_.pairs == 0) return;
    if (is_latency())
      put_latencies(record);
    else
      put_bandwidths(record);
  }

 private:
  [[nodiscard]] bool is_latency() const { return spec_.length == stage_.settings->latency.message_byte; }

  int play() noexcept {
    try {
      const auto& rule = is_latency() ? stage_.settings->latency : stage_.settings->bandwidth;
      pairs_ = ping_pong(*stage_.world, rule);
      rings_ = ring_times(*stage_.world, rule, stage_.settings->seed);
      return MPI_SUCCESS;
    } catch (...) {
      return MPI_ERR_OTHER;
    }
  }

  void put_latencies(PointRecord& record) const {
    constexpr double micro = 1e6;
    record.metrics.emplace_back("pingpong_max_latency_s", pairs_.max_s);
    record.metrics.emplace_back("natural_ring_latency_s", rings_.natural_s);
    record.metrics.emplace_back("random_ring_latency_s", rings_.random_s);
    record.primary = "random_ring_latency_s";
    record.classic.emplace_back("MaxPingPongLatency_usec", pairs_.max_s * micro);
    record.classic.emplace_back("RandomlyOrderedRingLatency_usec", rings_.random_s * micro);
    record.classic.emplace_back("MinPingPongLatency_usec", pairs_.min_s * micro);
    record.classic.emplace_back("AvgPingPongLatency_usec", pairs_.mean_s * micro);
    record.classic.emplace_back("NaturallyOrderedRingLatency_usec", rings_.natural_s * micro);
  }

  void put_bandwidths(PointRecord& record) const {
    const auto bytes = static_cast<double>(spec_.length);
    record.metrics.emplace_back("pingpong_min_byte_s", bytes / pairs_.max_s);
    record.metrics.emplace_back("natural_ring_byte_s", bytes / rings_.natural_s);
    record.metrics.emplace_back("random_ring_byte_s", bytes / rings_.random_s);
    record.primary = "random_ring_byte_s";
    record.lower_is_better = false;
    record.classic.emplace_back("MinPingPongBandwidth_GBytes", bytes / pairs_.max_s / giga);
    record.classic.emplace_back("NaturallyOrderedRingBandwidth_GBytes", bytes / rings_.natural_s / giga);
    record.classic.emplace_back("RandomlyOrderedRingBandwidth_GBytes", bytes / rings_.random_s / giga);
    record.classic.emplace_back("MaxPingPongBandwidth_GBytes", bytes / pairs_.min_s / giga);
    record.classic.emplace_back("AvgPingPongBandwidth_GBytes", bytes / pairs_.mean_s / giga);
  }

  PingPongTimes pairs_;
  RingTimes rings_;
};

}  // namespace

std::unique_ptr<Experiment> make_experiment(const Stage& stage, const PointSpec& spec) {
  const bool together = spec.benchmark.mode == Mode::global;
  switch (spec.benchmark.test) {
    case Test::random_access:
      if (together) return std::make_unique<DistributedUpdatesExperiment>(stage, spec);
      return std::make_unique<LocalUpdatesExperiment>(stage, spec);
    case Test::fft:
      if (together) return std::make_unique<DistributedFftExperiment>(stage, spec);
      return std::make_unique<LocalFftExperiment>(stage, spec);
    case Test::dgemm:
      return std::make_unique<DgemmExperiment>(stage, spec);
    case Test::ptrans:
      return std::make_unique<PtransExperiment>(stage, spec);
    case Test::latency_bandwidth:
      return std::make_unique<MessagesExperiment>(stage, spec);
    case Test::stream:
      break;
  }
  return std::move(make_stream_experiments(stage, {&spec, 1}).front());
}

}  // namespace steelyard::hpcc
