// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>

#include "measure/workload.hpp"
#include "mpi/handle.hpp"
#include "suites/imb/settings.hpp"

namespace steelyard::imb {

/// The predefined MPI type; `reduction` chooses those that MPI can add.
[[nodiscard]] MPI_Datatype mpi_type(DataType type, bool reduction);

/// Form in which a message is handed over: as many elements where MPI's counts allow it, or always as one
/// element (for calls that count displacements in messages).
enum class Packing { free, one };

/// `elements` elements as count and datatype of an MPI call, laid out as `-contig_type` says. Beyond 2^31 - 1
/// elements it is one element of a derived type.
class Message {
 public:
  Message() = default;
  Message(DataType type, bool reduction, ContiguousType layout, std::int64_t elements,
          Packing packing = Packing::free);

  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }

 private:
  int count_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
  mpi::DatatypeHandle element_;  // with a doubled extent
  mpi::Transfer large_;
  mpi::DatatypeHandle whole_;
};

/// Sum of the elements of messages: MPI's own operation where the type is MPI's own.
class Sum {
 public:
  Sum(DataType type, ContiguousType layout);
  [[nodiscard]] MPI_Op get() const noexcept { return op_; }

 private:
  MPI_Op op_ = MPI_SUM;
  mpi::OpHandle own_;
};

/// Largest number of elements of one reduction when a longer vector must be cut.
inline constexpr std::int64_t reduction_piece = std::int64_t{1} << 30;

/// Whether a reduction of so many elements is cut into pieces.
[[nodiscard]] constexpr bool needs_pieces(std::int64_t elements) {
  return elements > std::numeric_limits<int>::max();
}

/// Vector that is reduced in one call, or in pieces if MPI cannot count its elements.
class Vector {
 public:
  /// Up to `longest` elements go into one call, more go into pieces of `piece`.
  Vector(DataType type, ContiguousType layout, std::int64_t elements,
         std::int64_t longest = std::numeric_limits<int>::max(), std::int64_t piece = reduction_piece);

  /// Makes call(offset in memory, message) for each piece; returns the first error code.
  template <class Call>
  int for_each_piece(Call call) const noexcept {
    int error = 0;
    measure::keep_first(error, call(std::int64_t{0}, first_));
    for (std::int64_t at = step_; at < bytes_; at += step_)
      measure::keep_first(error, call(at, at + step_ <= bytes_ ? first_ : last_));
    return error;
  }

 private:
  std::int64_t bytes_ = 0, step_ = 0;
  Message first_, last_;
};

}  // namespace steelyard::imb
