// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/schedule.hpp"

namespace steelyard::hpcc::hpl {

/// Transfer of one member, which carries out its steps without ever waiting: each look begins what can begin.
/// Buffers must stay until done(). All members of the communicator travel along the same schedule.
class AsyncTransfer {
 public:
  /// Data of a transfer. `ranks`: of the members by distance. An element of the schedule
  /// is `unit` doubles at data.
  struct Load {
    MPI_Comm comm = MPI_COMM_NULL;
    std::vector<int> ranks;
    int tag = 0;
    double* data = nullptr;
    std::int64_t unit = 1;
  };

  AsyncTransfer() = default;
  ~AsyncTransfer() = default;
  AsyncTransfer(const AsyncTransfer&) = delete;
  AsyncTransfer& operator=(const AsyncTransfer&) = delete;

  /// Begins the first step. The transfer before must have ended. Throws mpi::Error, std::overflow_error.
  void start(Steps steps, Load load);
  /// Takes over one operation that has begun already, as the only step.
  void follow(MPI_Request request);
  /// Looks once; returns true when all steps have ended. Throws mpi::Error.
  bool advance();
  /// Looks until all steps have ended, and calls `between` after every look in vain.
  void finish(const std::function<void()>& between = {});
  [[nodiscard]] bool done() const { return at_ == steps_.size(); }

 private:
  void begin_step();

  Steps steps_;
  Load load_;
  std::size_t at_ = 0;
  std::vector<MPI_Request> requests_;
};

/// Waits for all requests, calling `between` after every look in vain; gives the processor away meanwhile, as
/// others may have to share it. Throws mpi::Error.
void wait_for(std::span<MPI_Request> requests, const std::function<void()>& between = {});

/// Ranks of `size` members by their distance from `first`.
[[nodiscard]] std::vector<int> ranks_from(int first, int size);

}  // namespace steelyard::hpcc::hpl
