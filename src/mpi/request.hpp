// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/handle.hpp"

namespace steelyard::mpi {

struct RequestPolicy {
  using value_type = MPI_Request;
  static value_type null() { return MPI_REQUEST_NULL; }
  static void release(value_type* v) { MPI_Request_free(v); }
};
using RequestHandle = Handle<RequestPolicy>;

}  // namespace steelyard::mpi
