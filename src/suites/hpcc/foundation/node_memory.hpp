// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "suites/hpcc/foundation/huge_view.hpp"

namespace steelyard::hpcc {

/// Way of data to another process: in messages, or through memory that the processes of a node share.
enum class Way { messages, shared_memory };
[[nodiscard]] constexpr std::string_view text(Way way) {
  return way == Way::messages ? "messages" : "shared memory";
}

/// Seconds of the slowest process in run(), which returns MPI's code. Collective, the same on all ranks. Throws mpi::Error.
template <class Run>
[[nodiscard]] double slowest_run_s(const mpi::Communicator& comm, Run run) {
  comm.barrier();
  const double start = MPI_Wtime();
  mpi::check(run(), "trial of a way");
  return comm.max(MPI_Wtime() - start);
}

/// The same of the second of two runs: the first touches memory that no run has touched yet.
template <class Run>
[[nodiscard]] double second_run_s(const mpi::Communicator& comm, Run run) {
  static_cast<void>(slowest_run_s(comm, run));
  return slowest_run_s(comm, run);
}

/// The faster way, by the slowest process, of run(Way), which returns MPI's code: by second runs, of which shared memory needs
/// none where its first is faster. Collective, the same on all ranks. Throws mpi::Error.
template <class Run>
[[nodiscard]] Way faster_way(const mpi::Communicator& comm, Run run) {
  const double messages_s = second_run_s(comm, [&] { return run(Way::messages); });
  for (int trial = 0; trial < 2; ++trial)
    if (slowest_run_s(comm, [&] { return run(Way::shared_memory); }) < messages_s) return Way::shared_memory;
  return Way::messages;
}

/// Memory of one process that the others of its node can read: an MPI-3 shared window, seen through
/// views that can have huge pages.
class NodeMemory {
 public:
  NodeMemory() = default;
  /// Allocates so many bytes of this process, from the begin of a line of 64 byte on. Not available,
  /// on all ranks, if no two ranks share a node or a node does not have that much shared memory
  /// left. Collective over `comm`.
  NodeMemory(const mpi::Communicator& comm, std::int64_t bytes);

  [[nodiscard]] bool available() const { return !parts_.empty(); }
  /// Memory of the process with this rank in `comm`; nullptr if that is on another node.
  [[nodiscard]] std::byte* of(int rank) const { return parts_.at(static_cast<std::size_t>(rank)); }
  /// Whether all ranks share one node.
  [[nodiscard]] bool whole() const;
  /// Gets the pages of this process's memory at once, before it writes there; see HugeView::populate.
  void populate() const noexcept {
    if (available()) views_[own_].populate();
  }
  /// Makes what was written before readable by the others, in huge pages where the kernel has
  /// them. Collective over the node.
  void publish() const;
  /// Bytes of this process, and how many of them the kernel holds in huge pages at present.
  [[nodiscard]] std::int64_t size() const { return bytes_; }
  [[nodiscard]] std::int64_t in_huge_pages() const;

 private:
  void look_at(std::size_t rank, std::byte* part, std::int64_t bytes);
  [[nodiscard]] bool allocate(const mpi::Communicator& node, std::int64_t bytes, std::byte** own);

  mpi::Communicator node_;
  mpi::WindowHandle window_;
  std::vector<std::byte*> parts_;  // by rank of comm
  std::vector<HugeView> views_;    // of the parts
  std::size_t own_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace steelyard::hpcc
