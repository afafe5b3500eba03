// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/engine.hpp"
#include "measure/failure.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/foundation/named_buffer.hpp"
#include "suites/hpcc/summary_keys.hpp"
#include "suites/hpcc/tests.hpp"
#include "suites/suite.hpp"

namespace steelyard::hpcc {

/// State shared by all points of a session.
struct Frame {
  const Settings* settings = nullptr;
  const mpi::Communicator* world = nullptr;
  int single_rank = 0;
  std::function<bool()> stop = {};  // on rank 0: whether to end a long operation before its end
  [[nodiscard]] bool alone(Mode mode) const { return mode == Mode::single; }
  /// Whether figures are those of the first execution, as in the published suite.
  [[nodiscard]] bool strict() const { return settings->limit == LengthLimit::strict; }
  /// Whether this rank computes in that mode.
  [[nodiscard]] bool computes(Mode mode) const { return !alone(mode) || world->rank() == single_rank; }
};

/// One point while it is measured: makes its workloads and, on rank 0, its record.
class Experiment {
 public:
  Experiment(const Frame& frame, PointSpec spec) : frame_(frame), spec_(std::move(spec)) {}
  virtual ~Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  /// Makes the workload. Collective, outside timed regions.
  [[nodiscard]] virtual std::unique_ptr<measure::Workload> open() = 0;
  /// Adds metrics, the Summary's keys and flags. On rank 0.
  virtual void describe(const measure::Outcome& outcome, record::PointRecord& record) const = 0;
  [[nodiscard]] int passes() const { return spec_.passes; }
  /// Notice of the run about the record, on rank 0; nullopt if there is none.
  [[nodiscard]] virtual std::optional<measure::EngineNotice> notice(const record::PointRecord&) const {
    return std::nullopt;
  }
  [[nodiscard]] virtual int placements() const { return 1; }
  /// Progress of a long operation, on rank 0; nullopt for short ones.
  [[nodiscard]] virtual std::optional<suites::BlockProgress> progress() const { return std::nullopt; }

  [[nodiscard]] const PointSpec& spec() const { return spec_; }

 protected:
  Frame frame_;
  PointSpec spec_;
};

/// The experiments of the points of one block, in their order. Collective over the world of the frame.
[[nodiscard]] Experiments make_experiments(const Frame& frame, std::span<const PointSpec> specs);

// Parts that the experiments share.

/// The calls of one operation and of one check.
struct Calls {
  std::function<int()> run;
  std::function<std::optional<measure::CheckResult>()> verify;
};
/// Workload of these calls. In Single mode the other ranks sleep while one works, looking every millisecond:
/// a spinning neighbour would change the number.
[[nodiscard]] std::unique_ptr<measure::Workload> make_workload(const Frame& frame, Mode mode, Calls calls);

/// Processor time of this process in the executions of a point, which the published text
/// tells beside the wall time.
class CpuTimes {
 public:
  /// Returns the call with its processor time taken, at the cost of two system calls. Refers to this object.
  [[nodiscard]] std::function<int()> timed(std::function<int()> run);
  /// Processor time of the last execution; 0 before the first.
  [[nodiscard]] double last_s() const { return seconds_.empty() ? 0 : seconds_.back(); }
  /// Adds the median over executions as classic value `cpu_s`, on a process that has executed.
  void put(record::PointRecord& record) const;

 private:
  std::vector<double> seconds_;
};

/// Ranks 0 .. used - 1 as a communicator of their own, invalid on the others. Collective.
[[nodiscard]] mpi::Communicator first_ranks(const mpi::Communicator& world, int used);

/// One execution of the test of a 64th of the size, which a strict run makes before the first one that counts; returns
/// the point that it was, nullopt if there is none. Collective over the world of the frame.
std::optional<PointSpec> warm_up(const Frame& frame, const PointSpec& spec);

/// Rates of one point over its passes. The rate of a pass is the mean over processes (Star), or
/// that of the slowest process.
struct Rates {
  double value = 0;            // median over passes, or that of the first
  double least = 0, most = 0;  // of a process (Star) or a pass
  double seconds = 0;          // that belong to value
  bool of_first = false;       // whether value is that of the first pass
};
/// Rates of a point; `count`: the work that one operation of a process counts for; `of_first`: the first pass gives the
/// value. Returns nullopt if no pass was measured.
[[nodiscard]] std::optional<Rates> rates(const measure::Outcome& outcome, Mode mode, double count,
                                         bool of_first = false);

/// Adds the time of each pass, by its slowest process, in the order of time, as classic value `passes_s`.
void put_passes(record::PointRecord& record, const measure::Outcome& outcome);

/// Key of the Summary that begins with the benchmark's name.
[[nodiscard]] inline std::string key(const PointSpec& spec, std::string_view end) {
  return std::string(spec.benchmark.name) + std::string(end);
}

/// Adds the primary metric (more is better) and the time of an operation.
void put_primary(record::PointRecord& record, const measure::Outcome& outcome, std::string_view metric,
                 double rate);
/// Adds the primary metric with the least and the largest rate, and the passes, which show its spread; where the first of
/// them gives the rate, its time as classic value `figure_s`.
void put_rate(record::PointRecord& record, const measure::Outcome& outcome, std::string_view metric,
              const Rates& found);

// Memory of the big buffers of a test, and the part of it that the system holds in huge pages.

/// Buffers of one name on all processes: the largest size, the least share of huge pages.
struct BufferUse {
  std::string name;
  double byte = 0, huge_share = 0;
};

/// Use of the buffers, in the order of the first process that has any; a process that does not compute
/// has none. All processes that have some name them alike. Collective; reads the system's list of
/// mappings on every process.
[[nodiscard]] std::vector<BufferUse> buffer_use(const mpi::Communicator& world,
                                                const std::vector<NamedBuffer>& buffers);

/// Adds buffers, buffer_byte, buffer_huge_share and Sy_huge_page_share (of all bytes) to the classic values,
/// memory_share where the node's memory is known, and the flag smaller_than_the_rules_ask where it applies.
void put_memory_use(record::PointRecord& record, const PointSpec& spec, const Settings& settings,
                    const std::vector<BufferUse>& use);

/// Kernel of one process, in Single or Star mode. `Kernel` has run() and buffers().
template <class Kernel>
class Local : public Experiment {
 public:
  using Experiment::Experiment;

  std::unique_ptr<measure::Workload> open() override {
    kernel_.reset();
    prepare();
    const bool computes = frame_.computes(spec_.benchmark.mode);
    measure::all_or_none(*frame_.world, [&] {
      if (computes) kernel_ = make();
    });
    buffers_ = buffer_use(*frame_.world, kernel_ ? kernel_->buffers() : std::vector<NamedBuffer>{});
    explore(kernel_.get());
    return make_workload(frame_, spec_.benchmark.mode,
                         {cpu_.timed([this] {
                            kernel_->run();
                            return MPI_SUCCESS;
                          }),
                          [this]() -> std::optional<measure::CheckResult> { return check(*kernel_); }});
  }

 protected:
  /// Called collectively before the kernel is made.
  virtual void prepare() {}
  /// Called collectively before the first pass; `kernel`: nullptr on ranks that wait.
  virtual void explore(Kernel* kernel) { static_cast<void>(kernel); }
  [[nodiscard]] virtual std::unique_ptr<Kernel> make() const = 0;
  [[nodiscard]] virtual measure::CheckResult check(Kernel& kernel) const = 0;
  /// The kernel of this process after open(), nullptr on ranks that wait.
  [[nodiscard]] const Kernel* kernel() const { return kernel_.get(); }
  void put_cpu_time(record::PointRecord& record) const { cpu_.put(record); }
  void put_memory(record::PointRecord& record) const {
    put_memory_use(record, spec_, *frame_.settings, buffers_);
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  std::vector<BufferUse> buffers_;
  CpuTimes cpu_;
};

}  // namespace steelyard::hpcc
