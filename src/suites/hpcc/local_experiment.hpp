// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "measure/failure.hpp"
#include "suites/hpcc/experiment_parts.hpp"
#include "suites/hpcc/memory_use.hpp"

namespace steelyard::hpcc {

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
