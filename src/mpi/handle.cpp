// SPDX-License-Identifier: Apache-2.0
#include "mpi/handle.hpp"

#include <algorithm>
#include <climits>
#include <stdexcept>
#include <string>

#include "mpi/error.hpp"

namespace steelyard::mpi {

void return_errors(MPI_Win window) {
  check(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
}

int to_int(std::int64_t value) {
  if (value < 0 || value > INT_MAX)
    throw std::overflow_error("count " + std::to_string(value) + " is outside MPI's 0.." +
                              std::to_string(INT_MAX));
  return static_cast<int>(value);
}

Transfer::Transfer(std::int64_t elements, MPI_Datatype type, std::int64_t longest) : type_(type) {
  if (elements <= longest) {
    count_ = to_int(elements);
    return;
  }
  const std::int64_t block = std::min(std::int64_t{1} << 20, longest);
  const int blocks = to_int(elements / block);
  const int rest = static_cast<int>(elements % block);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  DatatypeHandle one_block;
  DatatypeHandle many;
  check(MPI_Type_contiguous(static_cast<int>(block), type, one_block.put()), "MPI_Type_contiguous");
  check(MPI_Type_contiguous(blocks, one_block.get(), many.put()), "MPI_Type_contiguous");
  const int lengths[] = {1, rest};
  const MPI_Aint starts[] = {0, blocks * block * extent};
  const MPI_Datatype types[] = {many.get(), type};
  check(MPI_Type_create_struct(2, lengths, starts, types, owned_.put()), "MPI_Type_create_struct");
  check(MPI_Type_commit(owned_.put()), "MPI_Type_commit");
  count_ = 1;
}

}  // namespace steelyard::mpi
