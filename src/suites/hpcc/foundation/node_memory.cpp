// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/foundation/node_memory.hpp"

#include <algorithm>

#include "machine/directory.hpp"
#include "machine/pages.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t line_byte = 64;

/// First whole line of a part, which libraries begin anywhere. All processes map the memory at whole pages,
/// so that they find the same line.
std::byte* at_line(std::byte* part) {
  const auto address = reinterpret_cast<std::uintptr_t>(part);
  return part + (line_byte - address % line_byte) % line_byte;
}

/// Info that lets each process's part lie on pages of its own.
mpi::InfoHandle apart() {
  mpi::InfoHandle info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "alloc_shared_noncontig", "true");
  return info;
}

}  // namespace

NodeMemory::NodeMemory(const mpi::Communicator& comm, std::int64_t bytes) : node_(comm.split_shared()) {
  if (!comm.any(node_.size() > 1)) return;
  std::byte* own = nullptr;
  if (!comm.all(node_.sum(bytes) < machine::shared_memory_left().value_or(0) / 10 * 9)) return;
  if (!comm.all(allocate(node_, bytes, &own))) return;
  const int rank = comm.rank();
  std::vector<int> ranks(static_cast<std::size_t>(node_.size()));
  mpi::check(MPI_Allgather(&rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, node_.get()), "MPI_Allgather");
  parts_.assign(static_cast<std::size_t>(comm.size()), nullptr);
  own_ = static_cast<std::size_t>(rank);
  bytes_ = bytes;
  views_.resize(parts_.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    MPI_Aint size = 0;
    int unit = 0;
    std::byte* part = nullptr;
    mpi::check(MPI_Win_shared_query(window_.get(), static_cast<int>(i), &size, &unit, &part),
               "MPI_Win_shared_query");
    look_at(static_cast<std::size_t>(ranks[i]), at_line(part), static_cast<std::int64_t>(size) - line_byte);
  }
}

void NodeMemory::look_at(std::size_t rank, std::byte* part, std::int64_t bytes) {
  views_[rank] = HugeView(part, bytes);
  parts_[rank] = views_[rank].data() != nullptr ? views_[rank].data() : part;
}

bool NodeMemory::allocate(const mpi::Communicator& node, std::int64_t bytes, std::byte** own) {
  const auto info = apart();
  const int code = MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes + line_byte), 1, info.get(),
                                           node.get(), own, window_.put());
  if (code != MPI_SUCCESS) return false;
  mpi::return_errors(window_.get());
  return true;
}

bool NodeMemory::whole() const {
  return available() && std::ranges::find(parts_, nullptr) == parts_.end();
}

void NodeMemory::publish() const {
  views_[own_].collapse();
  mpi::check(MPI_Win_fence(0, window_.get()), "MPI_Win_fence");
}

std::int64_t NodeMemory::in_huge_pages() const {
  return available() ? machine::in_huge_pages(parts_[own_], bytes_) : 0;
}

}  // namespace steelyard::hpcc
