// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/option_table.hpp"

namespace steelyard::cli {

/// Groups of `run`, in the order of its help.
[[nodiscard]] std::span<const Group> run_options();

extern const Command run_command;

}  // namespace steelyard::cli
