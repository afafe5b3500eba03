// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "commands/commands.hpp"
#include "run/measured_suites.hpp"
#include "run/options.hpp"

namespace steelyard::cli {
namespace {

std::vector<const Command*> with_front_ends() {
  std::vector<const Command*> all{&run_command, &selftest_command};
  for (const MeasuredSuite* suite : measured_suites())
    all.insert(all.end(), suite->front_ends.begin(), suite->front_ends.end());
  all.insert(all.end(), {&probe_command, &blas_child_command});
  return all;
}

}  // namespace

std::span<const Command* const> measuring_commands() {
  static const std::vector<const Command*> all = with_front_ends();
  return all;
}

}  // namespace steelyard::cli
