// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/experiment.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "suites/hpcc/foundation/stopwatch.hpp"
#include "suites/hpcc/random_access/distributed_updates.hpp"
#include "suites/hpcc/random_access/local_updates.hpp"
#include "suites/hpcc/random_access/size_trial.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

void put_speed_of_half(PointRecord& record, const PointSpec& spec, const Settings& settings, double speed) {
  record.classic.emplace_back("speed_of_half", speed);
  if (falls_with_size(speed)) record.flags.emplace_back("falls_with_size");
  auto doubt = doubt_of_size(speed, spec, settings);
  if (doubt.empty() || record::find(record.classic, "condition") != nullptr) return;
  record.flags.emplace_back("not_representative");
  record.classic.emplace_back("condition", std::move(doubt));
}

class LocalUpdatesExperiment final : public Local<LocalUpdates> {
 public:
  using Local::Local;
  void describe(const Outcome& outcome, PointRecord& record) const override {
    const auto words = std::int64_t{1} << spec_.bits;
    const bool lcg = spec_.benchmark.generator == Generator::congruential;
    record.classic.emplace_back(lcg ? "RandomAccess_LCG_N" : "RandomAccess_N", words);
    put_memory(record);
    const auto found = rates(outcome, spec_.benchmark.mode, counted_work(spec_), frame_.strict());
    if (!found) return;
    put_rate(record, outcome, "update_rate_update_s", *found);
    put_cpu_time(record);
    put_speed_of_half(record, spec_, *frame_.settings, speed_of_half_);
    put_figure(record, key(spec_, "_GUPs"), found->value);
  }

 protected:
  void explore(LocalUpdates* kernel) override {
    const double none = std::numeric_limits<double>::infinity();
    const double own = kernel != nullptr ? kernel->speed_of_half(MPI_Wtime) : none;
    // Ranks that wait sleep: they would disturb the one that computes.
    if (frame_.alone(spec_.benchmark.mode)) frame_.world->sleepy_barrier();
    const double found = frame_.world->min(own);
    speed_of_half_ = std::isfinite(found) ? found : 1;
  }
  std::unique_ptr<LocalUpdates> make() const override {
    return std::make_unique<LocalUpdates>(spec_.benchmark.generator, spec_.bits, frame_.settings->form,
                                          frame_.settings->threads, spec_.updates);
  }
  CheckResult check(LocalUpdates& kernel) const override { return kernel.verify(); }

 private:
  double speed_of_half_ = 1;  // least of the processes that compute
};

class DistributedUpdatesExperiment final : public Experiment {
 public:
  using Experiment::Experiment;

  std::unique_ptr<measure::Workload> open() override {
    updates_.reset();
    updates_ = std::make_unique<DistributedUpdates>(*frame_.world, spec_.benchmark.generator, spec_.bits,
                                                    frame_.settings->form);
    updates_->prepare();
    speed_of_half_ = updates_->speed_of_half(MPI_Wtime);
    updates_->limit(std::min(updates_->updates_within(frame_.settings->update_bound_s), updates_of_each()));
    executed_ = updates_->updates();
    buffers_ = buffer_use(*frame_.world, updates_->buffers());
    return make_workload(frame_, Mode::global,
                         {cpu_.timed([this] { return updates_->run(); }), [this] { return check(); }});
  }

  void describe(const Outcome& outcome, PointRecord& record) const override {
    const auto words = static_cast<double>(std::int64_t{1} << spec_.bits);
    const double errors = outcome.check ? static_cast<double>(outcome.check->errors) : -1;
    auto& keys = record.classic;
    keys.emplace_back(key(spec_, "_N"), std::int64_t{1} << spec_.bits);
    keys.emplace_back(key(spec_, "_CheckTime"), check_s_);
    keys.emplace_back("check_cpu_s", check_cpu_s_);
    cpu_.put(record);
    keys.emplace_back(key(spec_, "_Errors"), errors);
    keys.emplace_back(key(spec_, "_ErrorsFraction"), errors < 0 ? -1 : errors / words);
    keys.emplace_back(key(spec_, "_ExeUpdates"), executed_);
    keys.emplace_back(key(spec_, "_TimeBound"), frame_.settings->update_bound_s);
    keys.emplace_back(key(spec_, "_Algorithm"),
                      std::int64_t{updates_ ? updates_->exchange().algorithm() : -1});
    if (updates_) keys.emplace_back("Sy_" + key(spec_, "_way"), updates_->way_told());
    put_memory_use(record, spec_, *frame_.settings, buffers_);
    const auto found = rates(outcome, Mode::global, static_cast<double>(executed_), frame_.strict());
    if (!found) return;
    put_rate(record, outcome, "update_rate_update_s", *found);
    put_speed_of_half(record, spec_, *frame_.settings, speed_of_half_);
    keys.emplace_back(key(spec_, "_time"), found->seconds);
    put_figure(record, key(spec_, "_GUPs"), found->value);
  }

 private:
  /// Most updates that the plan leaves to a process. All of them together are no equal parts where the number of
  /// processes is no power of two: each executes four for every word that it has.
  [[nodiscard]] std::int64_t updates_of_each() const {
    const std::int64_t whole = std::int64_t{4} << spec_.bits;
    return spec_.updates == whole ? whole : std::max<std::int64_t>(spec_.updates / spec_.processes, 1);
  }

  std::optional<CheckResult> check() {
    const double start = MPI_Wtime();
    const CpuStopwatch cpu;
    const auto result = updates_->verify();
    check_s_ = MPI_Wtime() - start;
    check_cpu_s_ = cpu.seconds();
    return result;
  }

  std::unique_ptr<DistributedUpdates> updates_;
  std::vector<BufferUse> buffers_;
  std::int64_t executed_ = 0;
  CpuTimes cpu_;
  double check_s_ = -1, check_cpu_s_ = -1, speed_of_half_ = 1;
};

}  // namespace

std::unique_ptr<Experiment> make_random_access(const Frame& frame, const PointSpec& spec) {
  if (spec.benchmark.mode == Mode::global) return std::make_unique<DistributedUpdatesExperiment>(frame, spec);
  return std::make_unique<LocalUpdatesExperiment>(frame, spec);
}

}  // namespace steelyard::hpcc
