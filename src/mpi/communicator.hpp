// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "mpi/error.hpp"
#include "mpi/handle.hpp"

namespace steelyard::mpi {

/// Permission for MPI to number the processes of a grid anew.
enum class RankOrder { may_change, kept };

/// Communicator that returns errors and frees itself. Communicator::world(), self() and borrowed() own nothing.
class Communicator {
 public:
  Communicator() = default;  // MPI_COMM_NULL
  Communicator(Communicator&&) noexcept = default;
  Communicator& operator=(Communicator&& other) noexcept;
  ~Communicator() {
    if (is_abandoned()) owned_.leave();
  }
  [[nodiscard]] static Communicator world();
  [[nodiscard]] static Communicator self();
  /// Wraps a communicator that the caller frees, later than this one ends. Throws mpi::Error.
  [[nodiscard]] static Communicator borrowed(MPI_Comm comm);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool is_root() const { return rank_ == 0; }
  [[nodiscard]] bool valid() const { return get() != MPI_COMM_NULL; }
  [[nodiscard]] MPI_Comm get() const { return owned_.get() != MPI_COMM_NULL ? owned_.get() : borrowed_; }

  /// Splits this communicator. Collective over it. color < 0 takes no part and gets an invalid communicator.
  [[nodiscard]] Communicator split(int color, int key) const;
  /// Communicator of the ranks that share memory (one node). Collective.
  [[nodiscard]] Communicator split_shared() const;
  [[nodiscard]] Communicator duplicate() const;
  /// Cartesian grid of these extents, all directions cyclic or none. Ranks beyond the grid get an invalid
  /// communicator. Collective.
  [[nodiscard]] Communicator cartesian(const std::vector<int>& extents, bool cyclic,
                                       RankOrder order = RankOrder::may_change) const;

  /// Prevents that this communicator, or any that was or will be made of it, is freed: a message that nobody
  /// receives any more may lie in them, and the library uses the numbers of freed ones again. Local.
  void abandon() const {
    if (origin_) origin_->abandoned = true;
  }

  void barrier() const;
  /// Barrier in which the calling process sleeps `nap_s` between looks instead of spinning.
  void sleepy_barrier(double nap_s = 1e-3) const;

  template <class T>
  void broadcast(std::span<T> values, int root = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    broadcast_bytes(values.data(), values.size_bytes(), root);
  }
  template <class T>
  [[nodiscard]] T broadcast(T value, int root = 0) const {
    broadcast(std::span<T>(&value, 1), root);
    return value;
  }
  [[nodiscard]] std::string broadcast(std::string text, int root = 0) const;

  /// Reductions whose result all ranks get.
  [[nodiscard]] double max(double value) const;
  [[nodiscard]] double min(double value) const;
  [[nodiscard]] double sum(double value) const;
  [[nodiscard]] std::int64_t max(std::int64_t value) const;
  [[nodiscard]] std::int64_t min(std::int64_t value) const;
  [[nodiscard]] std::int64_t sum(std::int64_t value) const;
  [[nodiscard]] bool all(bool value) const { return min(std::int64_t{value}) != 0; }
  [[nodiscard]] bool any(bool value) const { return max(std::int64_t{value}) != 0; }

  /// Texts of all ranks, on the root in rank order (empty elsewhere). O(P) on the root: only for things
  /// done once a run.
  [[nodiscard]] std::vector<std::string> gather(const std::string& text, int root = 0) const;

 private:
  void broadcast_bytes(void* data, std::size_t bytes, int root) const;
  [[nodiscard]] Communicator adopt(MPI_Comm comm) const;

  // One for each owned communicator; the one it was made of may end before it.
  struct Origin {
    std::shared_ptr<const Origin> made_of;
    bool abandoned = false;
  };
  [[nodiscard]] bool is_abandoned() const;

  CommHandle owned_;
  std::shared_ptr<Origin> origin_;
  MPI_Comm borrowed_ = MPI_COMM_NULL;
  int rank_ = -1;
  int size_ = 0;
};

/// Reduction of a plain structure over ranks with a function of our own: `merge(in, into)` must be associative
/// and commutative. The structure travels as one element, so no library splits it. O(log P) messages.
/// Construction is local and throws Error; the ranks of one reduction must run the same program image.
template <class T, void (*merge)(const T& in, T& into)>
class Reduction {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  Reduction() {
    check(MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, type_.put()), "MPI_Type_contiguous");
    check(MPI_Type_commit(type_.put()), "MPI_Type_commit");
    check(MPI_Op_create(&Reduction::call, 1, op_.put()), "MPI_Op_create");
  }

  /// Merged value on the root, this rank's own value elsewhere. Collective.
  [[nodiscard]] T to_root(T value, const Communicator& comm, int root = 0) const {
    T result = value;
    check(MPI_Reduce(&value, &result, 1, type_.get(), op_.get(), root, comm.get()), "MPI_Reduce");
    return comm.rank() == root ? result : value;
  }

 private:
  static void call(void* in, void* into, int* length, MPI_Datatype*) {
    for (int i = 0; i < *length; ++i) merge(static_cast<const T*>(in)[i], static_cast<T*>(into)[i]);
  }

  DatatypeHandle type_;
  OpHandle op_;
};

}  // namespace steelyard::mpi
