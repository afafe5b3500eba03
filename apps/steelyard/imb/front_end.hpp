// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/resolve.hpp"

namespace steelyard::cli {

// Common part of the commands imb-mpi1, imb-ext and their kin.

inline constexpr Positional imb_positional{"NAME", Kind::text, Repeat::many,
                                           "benchmarks, separated by blanks or commas, in any case"};
inline constexpr int imb_exit_codes[] = {0, 1, 2, 4, 5, 70};

/// Runs the command, whose name is that of a part of IMB: -list, a launch, or the measurement. Returns the exit code.
int run_imb(const Invocation& invocation);

}  // namespace steelyard::cli
