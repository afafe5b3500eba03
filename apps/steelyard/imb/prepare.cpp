// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "errors.hpp"
#include "imb/words.hpp"
#include "measuring/prepared.hpp"
#include "suites/imb/mpi4/functions.hpp"
#include "suites/imb/suite.hpp"

namespace steelyard::cli {

void set_library(const imb::Part& part, imb::Settings& settings) {
  if (&part != &imb::mpi4()) return;
  settings.persistent_form = imb::persistent_form();
  settings.obstacle = imb::persistent_obstacle();
}

Prepared prepare_imb(const Invocation& invocation, const Place& place) {
  const imb::Part& part = imb_part(invocation);
  Prepared prepared;
  imb::Settings settings = imb_settings(part, invocation.values, place.cache);
  check_map_fits(settings, place.processes, "-map");
  set_library(part, settings);
  if (!settings.obstacle.empty()) throw UsageError(std::string(part.name) + ": " + settings.obstacle);
  const auto names = imb_names(part, invocation.values, settings.version);
  settings.rate_first =
      std::ranges::any_of(names, [&](const std::string& name) { return imb::find(part, name)->overlapped; });
  prepared.suites.push_back(imb::measurable(part, settings));
  std::vector<campaign::Selected> selected;
  for (const std::string& name : names) selected.push_back({prepared.suites.front().get(), name});
  prepared.options.processes = place.processes;
  prepared.options.threads = settings.threads;
  prepared.options.memory_byte = place.memory_byte;
  prepared.plan = campaign::make_plan(selected, prepared.options, "imb");
  return prepared;
}

}  // namespace steelyard::cli
