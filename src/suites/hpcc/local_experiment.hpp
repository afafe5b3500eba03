// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/failure.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/experiment.hpp"
#include "suites/hpcc/foundation/huge_memory.hpp"

/// What the big buffers of a test take, and how much of them the system holds in huge pages.
namespace steelyard::hpcc {

/// Of one name: the largest buffer of a process, the least share of huge pages.
struct BufferUse {
  std::string name;
  double byte = 0, huge_share = 0;
};

/// Collective: the buffers in the order of the first process that has any; none of a process that does not
/// compute. All processes that have some name them alike. Reads the system's list of mappings on every
/// process.
[[nodiscard]] std::vector<BufferUse> buffer_use(const mpi::Communicator& world,
                                                const std::vector<NamedBuffer>& buffers);

/// Adds buffers, buffer_byte, buffer_huge_share and Sy_huge_page_share (of all bytes) to the classic values;
/// where the node's memory is known memory_share, and the flag smaller_than_the_rules_ask where it applies.
void put_memory_use(record::PointRecord& record, const PointSpec& spec, const Settings& settings,
                    const std::vector<BufferUse>& use);

/// A kernel of one process, in Single or Star mode. `Kernel` has run() and buffers().
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
    return make_workload(frame_, spec_.benchmark.mode,
                         {cpu_.timed([this] {
                            kernel_->run();
                            return MPI_SUCCESS;
                          }),
                          [this]() -> std::optional<measure::CheckResult> { return check(*kernel_); }});
  }

 protected:
  /// Collective, before the kernel is made.
  virtual void prepare() {}
  [[nodiscard]] virtual std::unique_ptr<Kernel> make() const = 0;
  [[nodiscard]] virtual measure::CheckResult check(Kernel& kernel) const = 0;
  /// The kernel of this process after open(), nullptr on ranks that wait.
  [[nodiscard]] const Kernel* kernel() const { return kernel_.get(); }
  void put_cpu_time(record::PointRecord& record) const { cpu_.put(record); }
  /// What the buffers take.
  void put_memory(record::PointRecord& record) const {
    put_memory_use(record, spec_, *frame_.settings, buffers_);
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  std::vector<BufferUse> buffers_;
  CpuTimes cpu_;
};

}  // namespace steelyard::hpcc
