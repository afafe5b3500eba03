// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "words/option_table.hpp"

namespace steelyard::cli {

/// Words of `run` for screen.
[[nodiscard]] Group screen_group();

}  // namespace steelyard::cli
