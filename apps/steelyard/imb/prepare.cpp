// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "errors.hpp"
#include "imb/words.hpp"
#include "measuring/prepared.hpp"
#include "suites/imb/mpi4/functions.hpp"
#include "suites/imb/own/compared.hpp"
#include "suites/imb/own/neighbours.hpp"
#include "suites/imb/suite.hpp"

namespace steelyard::cli {

void set_library(const imb::Part& part, imb::Settings& settings) {
  if (&part != &imb::mpi4() && &part != &imb::own_mpi4()) return;
  using enum imb::Family;
  settings.persistent_form = imb::persistent_form();
  settings.obstacles[persistent_collectives] = imb::persistent_obstacle();
  if (&part == &imb::mpi4()) return;
  settings.obstacles[persistent_neighbours] = imb::persistent_neighbours_obstacle();
  settings.obstacles[partitioned] = imb::partitioned_obstacle();
  settings.sides_of_grid = imb::sides_of_grid;
}

namespace {

// Who names a benchmark that the library lacks is refused; of the default set it is left out, which the head tells.
std::vector<std::string> without_lacking(const imb::Part& part, const Values& values,
                                         std::vector<std::string> names, imb::Settings& settings) {
  std::map<std::string, std::string> lacking;  // by reason
  for (const auto& name : names) {
    const auto why = imb::obstacle(settings, *imb::find(part, name));
    if (!why.empty()) lacking[why] += (lacking[why].empty() ? "" : " ") + name;
  }
  const auto lacks = [&](const std::string& name) {
    return !imb::obstacle(settings, *imb::find(part, name)).empty();
  };
  const bool all = std::ranges::all_of(names, lacks);
  if (!lacking.empty() && (all || names_given(values)))
    throw UsageError(std::string(part.name) + ": " + lacking.begin()->first + " (" + lacking.begin()->second +
                     ")");
  std::erase_if(names, lacks);
  for (const auto& [why, list] : lacking)
    settings.left_out.push_back("Left out, because " + why + ": " + list);
  return names;
}

}  // namespace

Prepared prepare_imb(const Invocation& invocation, const Place& place) {
  const imb::Part& part = imb_part(invocation);
  Prepared prepared;
  imb::Settings settings = imb_settings(part, invocation.values, place.cache);
  check_map_fits(settings, place.processes, "-map");
  check_stride_fits(settings, place.processes);
  set_library(part, settings);
  const auto names = without_lacking(part, invocation.values,
                                     imb_names(part, invocation.values, settings.version), settings);
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
