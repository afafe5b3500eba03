// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "mpi/communicator.hpp"

namespace steelyard::cli {

/// Does something on every rank and makes all ranks end alike if it throws anywhere: the lowest rank on which
/// it failed explains, then all throw Ended with the highest code. Collective.
void agreed(const mpi::Communicator& world, const std::string& help_of, const std::function<void()>& act);

/// The same for something that only rank 0 does.
void agreed_on_root(const mpi::Communicator& world, const std::string& help_of,
                    const std::function<void()>& act);

/// Ends all processes from another thread than the first one, which hangs in a call that does not come back. Ends this
/// process after some seconds anyway: `before` may hang if a file system is lost, and MPI_Abort if a host is.
void end_hanging(const std::function<void()>& before = {});

/// Explains the exception being handled, with the rank if it is not the first one. Returns its exit code.
[[nodiscard]] int explain_here(const mpi::Communicator& world, const std::string& help_of = {});

/// The same code, and nothing is said.
[[nodiscard]] int code_here();

/// "[rank 3 on node07] "; empty on rank 0.
[[nodiscard]] std::string place_of_error(const mpi::Communicator& world);

}  // namespace steelyard::cli
