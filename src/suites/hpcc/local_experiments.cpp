// SPDX-License-Identifier: Apache-2.0
// The tests of one process: which kernel runs, what it counts for, which keys of the Summary it gives.
#include <mpi.h>

#include <utility>

#include "suites/hpcc/blas.hpp"
#include "suites/hpcc/dgemm.hpp"
#include "suites/hpcc/experiment_parts.hpp"
#include "suites/hpcc/local_fft.hpp"
#include "suites/hpcc/local_updates.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

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

}  // namespace

std::unique_ptr<Experiment> make_local_experiment(const Stage& stage, const PointSpec& spec) {
  if (spec.benchmark.test == Test::random_access)
    return std::make_unique<LocalUpdatesExperiment>(stage, spec);
  if (spec.benchmark.test == Test::fft) return std::make_unique<LocalFftExperiment>(stage, spec);
  if (spec.benchmark.test == Test::dgemm) return std::make_unique<DgemmExperiment>(stage, spec);
  return std::move(make_stream_experiments(stage, {&spec, 1}).front());
}

}  // namespace steelyard::hpcc
