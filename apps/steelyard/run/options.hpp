// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/option_table.hpp"
#include "options/resolve.hpp"

namespace steelyard::cli {

/// Groups of `run`, in the order of its help.
[[nodiscard]] std::span<const Group> run_options();

/// Refuses combinations of options of `run` that make no sense, found without knowing the place. Throws UsageError.
void check_combinations(const Invocation& invocation);

extern const Command run_command;

}  // namespace steelyard::cli
