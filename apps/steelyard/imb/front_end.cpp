// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"

#include <algorithm>
#include <iostream>

#include "errors.hpp"
#include "imb/job.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

void refuse_other_memory(const Values& values) {
  const auto memory = values.word("mem_alloc_type");
  if (memory && *memory != "cpu")
    throw Refused("-mem_alloc_type " + *memory + ": no GPU support in this build");
}

// Which of them run where none is named depends on the rules.
int print_list(const imb::Part& part, imb::Version version) {
  if (!speaks_for_all()) return exit_code::done;
  const auto usual = imb::default_set(part, version);
  for (const imb::Definition& definition : part.benchmarks) {
    const bool runs = std::ranges::find(usual, definition.name) != usual.end();
    std::cout << definition.name << (runs ? "" : " (non-default)") << '\n';
  }
  std::cout << std::flush;
  return exit_code::done;
}

}  // namespace

int run_imb(const Invocation& invocation) {
  const Values& values = invocation.values;
  const imb::Part& part = imb_part(invocation);
  if (values.on("list")) return print_list(part, rule_set(values));
  refuse_other_memory(values);
  // Names and files are looked at before anything is started.
  static_cast<void>(imb_names(part, values, imb_settings(part, values, {}).version));
  return run_front_end<ImbJob>(invocation);
}

}  // namespace steelyard::cli
