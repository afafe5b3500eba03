// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/experiment.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "measure/failure.hpp"
#include "suites/hpcc/fft/distributed_fft.hpp"
#include "suites/hpcc/fft/local_fft.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

/// Adds the name of the transforms that compute an FFT, and the parameters of its passes.
void put_transforms(record::PointRecord& record, std::string_view transforms) {
  record.classic.emplace_back("FFT_API", std::string(transforms));
  record.classic.emplace_back("Sy_FFT", std::string(transforms));
  record.classic.emplace_back("FFTEnblk", pass_columns);
  record.classic.emplace_back("FFTEnp", pass_padding);
  record.classic.emplace_back("FFTEl2size", pass_cache_byte);
}

/// Adds the seconds beside the runs; those that are not known of this process are left out.
void put_beside(record::PointRecord& record, const FftSeconds& seconds) {
  const auto put = [&](const char* name, double value) {
    if (value >= 0) record.classic.emplace_back(name, value);
  };
  put("generation_s", seconds.generation);
  put("planning_s", seconds.planning);
  put("inverse_s", seconds.inverse);
}

/// Largest error, without the scaling of the check.
double max_error(double worst, std::int64_t length) {
  return worst * half_epsilon * std::max(std::log(static_cast<double>(length)), 1.0);
}

class LocalFftExperiment final : public Local<LocalFft> {
 public:
  using Local::Local;
  void describe(const Outcome& outcome, PointRecord& record) const override {
    record.classic.emplace_back("FFT_N", spec_.length);
    put_transforms(record, frame_.settings->form == Form::base ? fourier::library(fourier::Planning::tried)
                                                               : fourier::own_transforms);
    if (kernel() != nullptr) put_beside(record, kernel()->beside());
    if (outcome.check && outcome.check->worst)
      record.classic.emplace_back("max_error", max_error(*outcome.check->worst, spec_.length));
    put_memory(record);
    const auto found = rates(outcome, spec_.benchmark.mode, counted_work(spec_), frame_.strict());
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    put_figure(record, key(spec_, "_Gflops"), found->value);
  }

 protected:
  std::unique_ptr<LocalFft> make() const override {
    return std::make_unique<LocalFft>(spec_.length, frame_.settings->form, frame_.settings->threads);
  }
  CheckResult check(LocalFft& kernel) const override { return kernel.verify(frame_.settings->threshold); }
};

class DistributedFftExperiment final : public Experiment {
 public:
  using Experiment::Experiment;

  std::unique_ptr<measure::Workload> open() override {
    fft_.reset();
    comm_ = first_ranks(*frame_.world, spec_.processes);
    measure::all_or_none(*frame_.world, [&] {
      if (comm_.valid()) fft_ = std::make_unique<DistributedFft>(comm_, spec_.length, frame_.settings->form);
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
    put_transforms(record, fourier::own_transforms);
    put_stages(record);
    put_memory_use(record, spec_, *frame_.settings, buffers_);
    if (fft_) put_beside(record, fft_->beside());
    if (outcome.check && outcome.check->worst)
      record.classic.emplace_back("MPIFFT_maxErr", max_error(*outcome.check->worst, spec_.length));
    const auto found = rates(outcome, Mode::global, counted_work(spec_), frame_.strict());
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    put_figure(record, "MPIFFT_Gflops", found->value);
  }

 private:
  /// Adds the stage times of rank 0 in the last execution; the first and the last of the reference's seven
  /// intervals do not exist here.
  void put_stages(PointRecord& record) const {
    record.classic.emplace_back("MPIFFT_time0", 0.0);
    if (fft_) record.classic.emplace_back("Sy_MPIFFT_way", std::string(text(fft_->way())));
    for (std::size_t i = 0; i < DistributedFft::stage_count; ++i)
      record.classic.emplace_back("MPIFFT_time" + std::to_string(i + 1), fft_ ? fft_->stage_times()[i] : 0.0);
    record.classic.emplace_back("MPIFFT_time6", 0.0);
  }

  mpi::Communicator comm_;
  std::unique_ptr<DistributedFft> fft_;
  std::vector<BufferUse> buffers_;
};

}  // namespace

std::unique_ptr<Experiment> make_fft(const Frame& frame, const PointSpec& spec) {
  if (spec.benchmark.mode == Mode::global) return std::make_unique<DistributedFftExperiment>(frame, spec);
  return std::make_unique<LocalFftExperiment>(frame, spec);
}

}  // namespace steelyard::hpcc
