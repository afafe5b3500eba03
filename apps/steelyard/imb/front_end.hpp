// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/commands.hpp"

namespace steelyard::cli {

// What the commands imb-mpi1, imb-ext and their kin have in common.

inline constexpr Positional imb_positional{"NAME", Kind::text, Repeat::many,
                                           "benchmarks, separated by blanks or commas, in any case"};
inline constexpr int imb_exit_codes[] = {0, 1, 2, 4, 5, 70};

/// Runs the command, whose name is that of a part of IMB: -list, a launch, or the measurement. Exit code.
int run_imb(const Invocation& invocation);

}  // namespace steelyard::cli
