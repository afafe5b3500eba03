// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::cli {

struct ProgramEnd {
  int code = 0;
  bool measured = false;  // the words asked for a measurement
};

/// The whole program: from the words to the exit code.
[[nodiscard]] ProgramEnd run_program(std::vector<std::string> argv);

}  // namespace steelyard::cli
