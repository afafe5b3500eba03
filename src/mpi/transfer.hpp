// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>

#include "mpi/handle.hpp"

namespace steelyard::mpi {

/// Narrows to MPI's int. Throws std::overflow_error that names both numbers.
[[nodiscard]] int to_int(std::int64_t value);

/// `elements` of a type as what an MPI call takes: count and datatype. Up to 2^31 - 1 elements it is
/// (elements, type) itself; beyond, one element of a committed type of blocks of 2^20 elements and a
/// remainder.
class Transfer {
 public:
  Transfer() = default;
  Transfer(std::int64_t elements, MPI_Datatype type);
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return owned_.get() != MPI_DATATYPE_NULL ? owned_.get() : type_; }
  [[nodiscard]] bool derived() const { return owned_.get() != MPI_DATATYPE_NULL; }

 private:
  int count_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
  DatatypeHandle owned_;
};

}  // namespace steelyard::mpi
