// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::cli {

/// The whole program: from the words to the exit code.
[[nodiscard]] int run_program(std::vector<std::string> argv);

}  // namespace steelyard::cli
