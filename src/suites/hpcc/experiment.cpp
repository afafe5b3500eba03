// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/experiment.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "measure/workload.hpp"
#include "stats/order.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"

namespace steelyard::hpcc {
namespace {

std::unique_ptr<Experiment> make_experiment(const Frame& frame, const PointSpec& spec) {
  switch (spec.benchmark.test) {
    case Test::random_access:
      return make_random_access(frame, spec);
    case Test::ptrans:
      return make_ptrans(frame, spec);
    case Test::dgemm:
      return make_dgemm(frame, spec);
    case Test::fft:
      return make_fft(frame, spec);
    case Test::latency_bandwidth:
      return make_latency_bandwidth(frame, spec);
    case Test::solver:
      return make_solver(frame, spec);
    case Test::stream:
      break;
  }
  throw std::logic_error("a test whose points are made together");
}

class Together final : public measure::Workload {
 public:
  explicit Together(Calls calls) : calls_(std::move(calls)) {}

  int run(std::uint64_t, std::uint64_t count) noexcept override {
    int error = MPI_SUCCESS;
    for (std::uint64_t i = 0; i < count; ++i) measure::keep_first(error, calls_.run());
    return error;
  }
  std::optional<measure::CheckResult> verify(std::uint64_t) override { return calls_.verify(); }

 private:
  Calls calls_;
};

class OneAlone final : public measure::Workload {
 public:
  OneAlone(const mpi::Communicator& world, int rank, Calls calls)
      : comm_(world.get()), works_(world.rank() == rank), calls_(std::move(calls)) {}
  OneAlone(const OneAlone&) = delete;
  OneAlone& operator=(const OneAlone&) = delete;
  ~OneAlone() override { MPI_Wait(&done_, MPI_STATUS_IGNORE); }

  int run(std::uint64_t, std::uint64_t count) noexcept override {
    MPI_Wait(&done_, MPI_STATUS_IGNORE);
    int error = MPI_SUCCESS;
    for (std::uint64_t i = 0; works_ && i < count; ++i) measure::keep_first(error, calls_.run());
    measure::keep_first(error, MPI_Ibarrier(comm_, &done_));
    // The one leaves the end of the barrier to its next call: waiting for the sleepers would be timed.
    for (int woken = works_ ? 1 : 0; woken == 0 && error == MPI_SUCCESS;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      error = MPI_Test(&done_, &woken, MPI_STATUS_IGNORE);
    }
    return error;
  }
  std::optional<measure::CheckResult> verify(std::uint64_t) override {
    return works_ ? calls_.verify() : std::nullopt;
  }

 private:
  MPI_Comm comm_;
  bool works_;
  Calls calls_;
  MPI_Request done_ = MPI_REQUEST_NULL;
};

}  // namespace

std::vector<std::unique_ptr<Experiment>> make_experiments(const Frame& frame,
                                                          std::span<const PointSpec> specs) {
  std::vector<std::unique_ptr<Experiment>> all;
  if (specs.empty()) return all;
  if (specs.front().benchmark.test == Test::stream) return make_stream(frame, specs);
  for (const auto& spec : specs) all.push_back(make_experiment(frame, spec));
  return all;
}

std::unique_ptr<measure::Workload> make_workload(const Frame& frame, Mode mode, Calls calls) {
  if (!frame.alone(mode)) return std::make_unique<Together>(std::move(calls));
  return std::make_unique<OneAlone>(*frame.world, frame.single_rank, std::move(calls));
}

std::function<int()> CpuTimes::timed(std::function<int()> run) {
  constexpr std::size_t executions = 64;  // more of them may allocate behind the operation
  seconds_.reserve(executions);
  return [this, run = std::move(run)] {
    const CpuStopwatch watch;
    const int code = run();
    seconds_.push_back(watch.seconds());
    return code;
  };
}

void CpuTimes::put(record::PointRecord& record) const {
  if (!seconds_.empty()) record.classic.emplace_back("cpu_s", stats::median(seconds_));
}

mpi::Communicator first_ranks(const mpi::Communicator& world, int used) {
  return world.split(world.rank() < used ? 0 : -1, world.rank());
}

std::optional<Rates> rates(const measure::Outcome& outcome, Mode mode, double count) {
  std::vector<double> seconds, speeds, least, most;
  for (const auto& pass : outcome.passes) {
    if (!(pass.ranks.min_s > 0) && mode != Mode::global) continue;
    seconds.push_back(pass.ranks.max_s);
    speeds.push_back(count * (mode == Mode::star ? pass.ranks.mean_rate_op_s : 1 / pass.ranks.max_s));
    least.push_back(count / pass.ranks.max_s);
    most.push_back(mode == Mode::star ? count / pass.ranks.min_s : speeds.back());
  }
  if (speeds.empty()) return std::nullopt;
  const double typical_s = stats::median(seconds);
  return Rates{mode == Mode::star ? stats::median(speeds) : count / typical_s, std::ranges::min(least),
               std::ranges::max(most), typical_s};
}

void put_passes(record::PointRecord& record, const measure::Outcome& outcome) {
  std::vector<double> seconds;
  for (const auto& pass : outcome.passes) seconds.push_back(pass.ranks.max_s);
  if (!seconds.empty()) record.classic.emplace_back("passes_s", std::move(seconds));
}

void put_primary(record::PointRecord& record, const measure::Outcome& outcome, std::string_view metric,
                 double rate) {
  record.metrics.emplace_back(metric, rate);
  record.metrics.emplace_back("time_s", outcome.time);
  record.primary = metric;
  record.lower_is_better = false;
}

void put_rate(record::PointRecord& record, const measure::Outcome& outcome, std::string_view metric,
              const Rates& found) {
  put_primary(record, outcome, metric, found.value);
  put_passes(record, outcome);
  record.classic.emplace_back("least_rate", found.least);
  record.classic.emplace_back("most_rate", found.most);
}

}  // namespace steelyard::hpcc
