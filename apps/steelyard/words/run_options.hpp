// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "words/option_table.hpp"

namespace steelyard::cli {

/// Groups of `run`: What, How, Results, Start and talk.
[[nodiscard]] std::span<const Group> run_options();

}  // namespace steelyard::cli
