// SPDX-License-Identifier: Apache-2.0
// The tests of one process: which kernel runs, what it counts for, which keys of the Summary it gives.
#include <utility>

#include "suites/hpcc/fft/local_fft.hpp"
#include "suites/hpcc/local_experiment.hpp"
#include "suites/hpcc/random_access/local_updates.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

class LocalUpdatesExperiment final : public Local<LocalUpdates> {
 public:
  using Local::Local;
  void describe(const Outcome& outcome, PointRecord& record) const override {
    const auto words = std::int64_t{1} << spec_.bits;
    const bool lcg = spec_.benchmark.generator == Generator::congruential;
    record.classic.emplace_back(lcg ? "RandomAccess_LCG_N" : "RandomAccess_N", words);
    put_memory(record);
    const auto found = rates(outcome, spec_.benchmark.mode, 4.0 * static_cast<double>(words));
    if (!found) return;
    put_rate(record, outcome, "update_rate_update_s", *found);
    record.classic.emplace_back(key(spec_, "_GUPs"), found->value / giga);
  }

 protected:
  std::unique_ptr<LocalUpdates> make() const override {
    return std::make_unique<LocalUpdates>(spec_.benchmark.generator, spec_.bits, frame_.settings->form,
                                          frame_.settings->threads);
  }
  CheckResult check(LocalUpdates& kernel) const override { return kernel.verify(); }
};

class LocalFftExperiment final : public Local<LocalFft> {
 public:
  using Local::Local;
  void describe(const Outcome& outcome, PointRecord& record) const override {
    record.classic.emplace_back("FFT_N", spec_.length);
    put_transforms(record);
    put_memory(record);
    const auto found = rates(outcome, spec_.benchmark.mode, fft_operations(spec_.length));
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    record.classic.emplace_back(key(spec_, "_Gflops"), found->value / giga);
  }

 protected:
  std::unique_ptr<LocalFft> make() const override {
    return std::make_unique<LocalFft>(spec_.length, frame_.settings->form, frame_.settings->threads);
  }
  CheckResult check(LocalFft& kernel) const override { return kernel.verify(frame_.settings->threshold); }
};

}  // namespace

std::unique_ptr<Experiment> make_local_experiment(const Frame& frame, const PointSpec& spec) {
  if (spec.benchmark.test == Test::random_access)
    return std::make_unique<LocalUpdatesExperiment>(frame, spec);
  if (spec.benchmark.test == Test::fft) return std::make_unique<LocalFftExperiment>(frame, spec);
  if (spec.benchmark.test == Test::dgemm) return make_dgemm_experiment(frame, spec);
  return std::move(make_stream_experiments(frame, {&spec, 1}).front());
}

}  // namespace steelyard::hpcc
