// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/experiment.hpp"

#include <algorithm>

#include "machine/source.hpp"
#include "record/point_view.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/dgemm/core_peak.hpp"
#include "suites/hpcc/dgemm/dgemm.hpp"

namespace steelyard::hpcc {
namespace {

using measure::Outcome;
using record::PointRecord;

/// DGEMM beside the peak of the cores that it runs on.
class DgemmExperiment final : public Local<Dgemm> {
 public:
  using Local::Local;

  void describe(const Outcome& outcome, PointRecord& record) const override {
    record.classic.emplace_back("DGEMM_N", spec_.length);
    record.classic.emplace_back("Sy_BLAS", blas_.name());
    record.classic.emplace_back("Sy_BLAS_kernel", blas_.identity().kernel);
    if (const auto tried = rates_of_trial(); !tried.empty())
      record.classic.emplace_back("Sy_BLAS_trial", tried);
    put_memory(record);
    const auto found = rates(outcome, spec_.benchmark.mode, counted_work(spec_), frame_.strict());
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    put_figure(record, key(spec_, "_Gflops"), found->value);
    put_share(record, *found, waited(outcome));
  }

  std::optional<measure::EngineNotice> notice(const PointRecord& record) const override {
    const auto said = record::word_of(record::find(record.classic, "Sy_BLAS_advice"));
    if (said.empty()) return std::nullopt;
    return measure::EngineNotice{"blas_environment", said};
  }

 protected:
  void prepare() override {
    const int threads = frame_.settings->threads;
    const bool computes = frame_.computes(spec_.benchmark.mode);
    // All ranks that compute measure at the same time, as DGEMM itself runs; the others sleep.
    frame_.world->barrier();
    const double own = computes ? measured_peak(threads) : 0;
    frame_.world->sleepy_barrier();
    peak_flop_s_ = frame_.world->sum(own) / static_cast<double>(frame_.world->sum(std::int64_t{computes}));
  }
  std::unique_ptr<Dgemm> make() const override {
    const auto rank = static_cast<std::uint64_t>(frame_.world->rank());
    return std::make_unique<Dgemm>(spec_.length, frame_.settings->seed + rank, blas_,
                                   frame_.settings->threads);
  }
  measure::CheckResult check(Dgemm& kernel) const override {
    return kernel.verify(frame_.settings->threshold);
  }

 private:
  /// Adds the share of the peak. The best execution decides whether the library is to blame:
  /// others' work slows the rest. The complaint tells the share of the rate that is shown.
  void put_share(PointRecord& record, const Rates& found, double waited) const {
    const PeakShares shares{
        .best = found.most / peak_flop_s_, .shown = found.value / peak_flop_s_, .waited = waited};
    put_figure(record, "Sy_core_peak_Gflops", peak_flop_s_);
    record.classic.emplace_back("Sy_DGEMM_peak_share", shares.shown);
    machine::Source source{machine::Roots{}};
    const auto complaint =
        blas_complaint(blas_.identity(), machine::vector_units(source), chosen(), shares, spec_.length);
    if (!complaint) return;
    record.flags.emplace_back("blas_below_peak");
    record.classic.emplace_back("Sy_BLAS_advice", *complaint);
  }

  /// Part of the time of the executions in which a process waited for a processor.
  static double waited(const Outcome& outcome) {
    double all_s = 0;
    for (const auto& pass : outcome.passes) all_s += pass.ranks.max_s;
    return all_s > 0 ? std::clamp(outcome.preempted_s.value_or(0) / all_s, 0.0, 1.0) : 0;
  }

  [[nodiscard]] BlasChosen chosen() const {
    if (!blas_.is_linked()) return BlasChosen::other;
    const auto& in_use = frame_.settings->blas_in_use;
    const bool tried = in_use && in_use->findings.wish.kind == BlasWish::Kind::fastest;
    return tried ? BlasChosen::linked_as_fastest : BlasChosen::linked;
  }

  [[nodiscard]] std::string rates_of_trial() const {
    const auto& in_use = frame_.settings->blas_in_use;
    return in_use ? trial_rates(in_use->findings) : "";
  }

  const BlasLibrary blas_ = blas_of(*frame_.settings);
  double peak_flop_s_ = 0;  // of a process with all its threads
};

}  // namespace

std::unique_ptr<Experiment> make_dgemm(const Frame& frame, const PointSpec& spec) {
  return std::make_unique<DgemmExperiment>(frame, spec);
}

}  // namespace steelyard::hpcc
