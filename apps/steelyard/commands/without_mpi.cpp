// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"
#include "errors.hpp"
#include "screening/local.hpp"

namespace steelyard::cli {

std::span<const Command* const> measuring_commands() {
  return {};
}

screening::Measured measured_here(const Values&, const References&) {
  throw UsageError("--local: this program was built to read results and measures nothing");
}

}  // namespace steelyard::cli
