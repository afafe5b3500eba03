// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"

#include <iostream>

#include "errors.hpp"
#include "imb/job.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

int print_list(const imb::Part& part) {
  if (!speaks_for_all()) return exit_code::done;
  for (const imb::Definition& definition : part.benchmarks) std::cout << definition.name << '\n';
  std::cout << std::flush;
  return exit_code::done;
}

}  // namespace

int run_imb(const Invocation& invocation) {
  const Values& values = invocation.values;
  const imb::Part& part = imb_part(invocation);
  if (values.on("list")) return print_list(part);
  // Names and files are looked at before anything is started.
  static_cast<void>(imb_names(part, values, imb_settings(part, values, {}).version));
  return run_front_end<ImbJob>(invocation);
}

}  // namespace steelyard::cli
