// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"
#include "imb_words.hpp"
#include "prepared.hpp"

namespace steelyard::cli {

Prepared prepare_imb_mpi1(const Invocation& invocation, const Place& place) {
  Prepared prepared;
  prepared.suites.imb = imb_settings(invocation.values, place.cache);
  check_map_fits(prepared.suites.imb, place.processes, "-map");
  const auto alive = definitions(prepared.suites);
  const suites::Suite* suite = alive.front().get();
  std::vector<campaign::Selected> selected;
  for (const std::string& name : imb_names(invocation.values, prepared.suites.imb.version))
    selected.push_back({suite, name});
  prepared.options.processes = place.processes;
  prepared.options.memory_byte = place.memory_byte;
  prepared.plan = campaign::make_plan(selected, prepared.options, "imb");
  return prepared;
}

}  // namespace steelyard::cli
