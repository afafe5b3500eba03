// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "commands/commands.hpp"
#include "measuring/measuring.hpp"
#include "mpi/environment.hpp"
#include "process/errors.hpp"
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

int explain_failure(const std::string& help_of, bool others_wait) {
  return others_wait && !mpi::was_started() ? fail_with_others(help_of) : explain_current_exception(help_of);
}

}  // namespace steelyard::cli
