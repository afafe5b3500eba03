// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "machine/findings.hpp"
#include "words/resolve.hpp"

namespace steelyard::cli {

/// Section "launcher" of doctor: what was found, without starting it.
[[nodiscard]] std::vector<machine::Finding> launcher_findings(const Values& values);

/// What the processes that doctor started have found.
struct Probe {
  std::vector<machine::Finding> findings;
  bool failed = false;  // two processes could not be started
};

/// Starts two measuring processes and says what they found. Throws Refused in a build without MPI.
[[nodiscard]] Probe probed(const Invocation& invocation);

/// Of this process.
[[nodiscard]] bool standard_output_is_terminal();

}  // namespace steelyard::cli
