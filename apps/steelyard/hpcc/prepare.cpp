// SPDX-License-Identifier: Apache-2.0
#include "hpcc/hpl_words.hpp"
#include "hpcc/job.hpp"
#include "hpcc/words.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/definition.hpp"

namespace steelyard::cli {
namespace {

hpcc::Settings settings_of(const Values& values, const HpccInput& input,
                           std::span<const suites::PanelRate> rates, const Place& place) {
  hpcc::Settings settings = input.settings(place, rates);
  set_problem(values, place.processes, settings.problem);
  set_solver(values, settings);
  set_conduct(values, place, settings);
  settings.blas_wish = blas_wish(values, hpcc::BlasWish::Kind::as_linked);
  return hpcc::as_built(std::move(settings));
}

}  // namespace

std::vector<suites::PanelRate> tried_blocks(const Values& values, const HpccInput& input,
                                            const mpi::Communicator& world,
                                            const std::shared_ptr<const hpcc::BlasInUse>& blas) {
  if (!input.is_derived() || values.said("hpcc-nb")) return {};
  const auto grid = hpcc::default_grid(world.size());
  return hpcc::panel_rates(world, grid,
                           blas ? hpcc::blas::Routines::of(blas->library) : hpcc::blas::Routines::linked());
}

namespace {

Prepared planned(const hpcc::Settings& settings, const std::vector<std::string>& chosen, const Place& place) {
  Prepared prepared;
  prepared.suites.push_back(hpcc::measurable_suite(settings));
  prepared.blas = settings.blas_in_use;
  std::vector<campaign::Selected> selected;
  for (const auto& name : chosen) selected.push_back({prepared.suites.front().get(), name});
  prepared.options.processes = place.processes;
  prepared.options.threads = settings.threads;
  prepared.options.memory_byte = usable_byte(place);  // whoever names a problem may use all that there is
  prepared.options.seed = settings.seed;
  prepared.plan = campaign::make_plan(selected, prepared.options, "hpcc");
  return prepared;
}

}  // namespace

Prepared prepare_hpl(const Values& values, const HpccInput& input, std::span<const suites::PanelRate> rates,
                     const Place& place) {
  hpcc::Settings settings = input.settings(place, rates);
  set_problem(values, place.processes, settings.problem);
  set_solver(values, settings);
  set_solver_conduct(values, place, settings);
  settings.blas_wish = blas_wish(values, hpcc::BlasWish::Kind::as_linked);
  return planned(hpcc::as_built(std::move(settings)), {"HPL"}, place);
}

Prepared prepare_hpcc(const Values& values, const HpccInput& input, const std::vector<std::string>& chosen,
                      std::span<const suites::PanelRate> rates, const Place& place) {
  return planned(settings_of(values, input, rates, place), chosen, place);
}

}  // namespace steelyard::cli
