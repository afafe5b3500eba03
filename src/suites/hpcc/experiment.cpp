// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/experiment.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "measure/workload.hpp"
#include "mpi/error.hpp"
#include "stats/order.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"
#include "suites/hpcc/test_rules.hpp"

namespace steelyard::hpcc {
namespace {

/// Experiments of a test whose points are made one by one.
template <std::unique_ptr<Experiment> (*make)(const Frame&, const PointSpec&)>
Experiments each(const Frame& frame, std::span<const PointSpec> specs) {
  Experiments all;
  for (const PointSpec& spec : specs) all.push_back(make(frame, spec));
  return all;
}

struct Maker {
  const TestRules& (*test)();
  Experiments (*make)(const Frame& frame, std::span<const PointSpec> specs);
};
constexpr auto makers = std::to_array<Maker>({{random_access_rules, each<make_random_access>},
                                              {ptrans_rules, each<make_ptrans>},
                                              {dgemm_rules, each<make_dgemm>},
                                              {stream_rules, make_stream},
                                              {fft_rules, each<make_fft>},
                                              {latency_bandwidth_rules, each<make_latency_bandwidth>},
                                              {solver_rules, each<make_solver>}});

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
    measure::keep_first(error, MPI_Ibarrier(comm_, &done_), "MPI_Ibarrier");
    // The working rank leaves the end of the barrier to its next call: waiting for
    // the sleepers would be timed.
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

Experiments make_experiments(const Frame& frame, std::span<const PointSpec> specs) {
  if (specs.empty()) return {};
  const auto maker = std::ranges::find(makers, specs.front().benchmark.test, &Maker::test);
  if (maker == makers.end()) throw std::logic_error("a test that nothing measures");
  return maker->make(frame, specs);
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

std::optional<PointSpec> warm_up(const Frame& frame, const PointSpec& spec) {
  const auto& test = spec.benchmark.test();
  if (!test.takes_one_execution()) return std::nullopt;
  const auto small = test.small_point(spec, *frame.settings, frame.world->size());
  if (!small) return std::nullopt;
  const auto experiments = make_experiments(frame, std::span(&*small, 1));
  mpi::check(experiments.front()->open()->run(0, 1), std::string(spec.benchmark.name).c_str());
  return small;
}

std::optional<Rates> rates(const measure::Outcome& outcome, Mode mode, double count, bool of_first) {
  std::vector<double> seconds, speeds, least, most;
  for (const auto& pass : outcome.passes) {
    if (!(pass.ranks.min_s > 0) && mode != Mode::global) continue;
    seconds.push_back(pass.ranks.max_s);
    speeds.push_back(count * (mode == Mode::star ? pass.ranks.mean_rate_op_s : 1 / pass.ranks.max_s));
    least.push_back(count / pass.ranks.max_s);
    most.push_back(mode == Mode::star ? count / pass.ranks.min_s : speeds.back());
  }
  if (speeds.empty()) return std::nullopt;
  const auto typical = [&](const std::vector<double>& values) {
    return of_first ? values.front() : stats::median(values);
  };
  const double typical_s = typical(seconds);
  return Rates{mode == Mode::star ? typical(speeds) : count / typical_s, std::ranges::min(least),
               std::ranges::max(most), typical_s, of_first};
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
  if (found.of_first) record.classic.emplace_back("figure_s", found.seconds);
  record.classic.emplace_back("least_rate", found.least);
  record.classic.emplace_back("most_rate", found.most);
}

// Memory of the big buffers of a test.

namespace {

double huge_share(const NamedBuffer& buffer) {
  return buffer.bytes > 0 ? static_cast<double>(buffer.huge_bytes) / static_cast<double>(buffer.bytes) : 0;
}

std::string joined_names(const std::vector<NamedBuffer>& buffers) {
  std::string names;
  for (const auto& buffer : buffers) names += (names.empty() ? "" : " ") + std::string(buffer.name);
  return names;
}

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < names.size();) {
    const auto end = std::min(names.find(' ', at), names.size());
    all.push_back(names.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

void put_buffers(record::PointRecord& record, const std::vector<BufferUse>& use) {
  if (use.empty()) return;
  std::string names;
  std::vector<double> bytes, shares;
  double all = 0, huge = 0;
  for (const auto& buffer : use) {
    names += (names.empty() ? "" : " ") + buffer.name;
    bytes.push_back(buffer.byte);
    shares.push_back(buffer.huge_share);
    all += buffer.byte;
    huge += buffer.byte * buffer.huge_share;
  }
  record.classic.emplace_back("buffers", names);
  record.classic.emplace_back("buffer_byte", bytes);
  record.classic.emplace_back("buffer_huge_share", shares);
  record.classic.emplace_back("Sy_huge_page_share", all > 0 ? huge / all : 0);
}

}  // namespace

std::vector<BufferUse> buffer_use(const mpi::Communicator& world, const std::vector<NamedBuffer>& buffers) {
  const auto first = world.min(std::int64_t{buffers.empty() ? world.size() : world.rank()});
  std::vector<BufferUse> use;
  if (first == world.size()) return use;
  for (const auto& name : split(world.broadcast(joined_names(buffers), static_cast<int>(first)))) {
    const bool has = use.size() < buffers.size();
    const double byte = has ? static_cast<double>(buffers[use.size()].bytes) : 0;
    const double share = has ? huge_share(buffers[use.size()]) : 1;
    use.push_back({name, world.max(byte), world.min(share)});
  }
  return use;
}

void put_memory_use(record::PointRecord& record, const PointSpec& spec, const Settings& settings,
                    const std::vector<BufferUse>& use) {
  put_buffers(record, use);
  if (const auto share = memory_share(spec, settings)) record.classic.emplace_back("memory_share", *share);
  if (smaller_than_the_rules_ask(spec, settings)) record.flags.emplace_back("smaller_than_the_rules_ask");
}

}  // namespace steelyard::hpcc
