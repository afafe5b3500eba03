// SPDX-License-Identifier: Apache-2.0
#include "measure/mpi_memory.hpp"

#include <mpi.h>

#include "mpi/error.hpp"

namespace steelyard::measure {

RawMemory mpi_memory() {
  const auto take = [](std::int64_t bytes) {
    void* memory = nullptr;
    mpi::check(MPI_Alloc_mem(bytes, MPI_INFO_NULL, static_cast<void*>(&memory)), "MPI_Alloc_mem");
    return static_cast<std::byte*>(memory);
  };
  return {take, [](std::byte* memory, std::int64_t) { MPI_Free_mem(memory); }};
}

}  // namespace steelyard::measure
