// SPDX-License-Identifier: Apache-2.0
#include "compute_threads.hpp"
#include "hpcc_job.hpp"
#include "hpcc_words.hpp"
#include "hpl_words.hpp"
#include "suites/hpcc/definition.hpp"

namespace steelyard::cli {
namespace {

hpcc::Settings settings_of(const Values& values, const HpccInput& input, std::int64_t block,
                           const Place& place) {
  hpcc::Settings settings = input.settings(place, block);
  set_problem(values, place.processes, settings.problem);
  set_solver(values, settings);
  set_conduct(values, place, settings);
  return hpcc::as_built(std::move(settings));
}

}  // namespace

Prepared prepare_hpcc(const Values& values, const HpccInput& input, const std::vector<std::string>& chosen,
                      std::int64_t block, const Place& place) {
  Prepared prepared;
  prepared.suites.hpcc = settings_of(values, input, block, place);
  const hpcc::Definition suite(prepared.suites.hpcc);
  std::vector<campaign::Selected> selected;
  for (const auto& name : chosen) selected.push_back({&suite, name});
  prepared.options.processes = place.processes;
  prepared.options.threads = compute_threads(values);
  prepared.options.memory_byte = usable_byte(place);  // whoever names a problem may use all that there is
  prepared.options.seed = prepared.suites.hpcc.seed;
  prepared.plan = campaign::make_plan(selected, prepared.options, "hpcc");
  return prepared;
}

}  // namespace steelyard::cli
