// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/noted.hpp"

namespace steelyard::measure {

/// Keeps the first code of a series of calls that is no success, for regions that neither throw nor end
/// early. As in MPI, 0 is success. Of each error is heard at once.
inline void keep_first(int& error, int code) noexcept {
  if (code == 0) [[likely]]
    return;
  mpi::tell_listener(code, "");
  error = error == 0 ? code : error;
}

}  // namespace steelyard::measure
