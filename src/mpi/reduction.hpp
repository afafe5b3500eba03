// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <type_traits>

#include "mpi/communicator.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"

namespace steelyard::mpi {

/// Reduces a plain structure over ranks with a function of our own: `merge(in, into)` must be associative and
/// commutative. The structure travels as one element, so no library splits it. O(log P) messages.
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

  /// Collective. The merged value on the root, this rank's own value elsewhere.
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
