// SPDX-License-Identifier: Apache-2.0
#include "screening/local.hpp"

#include "machine/environment.hpp"
#include "measuring/place.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "suites/hpcc/blas/library.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/foundation/threads.hpp"
#include "suites/screen/kernels.hpp"

namespace steelyard::cli {
namespace {

using screen::Test;
using screen::TestSpec;

screen::Settings local_settings(const Values& values) {
  screen::Settings settings;
  settings.visits = screen::least_visits;
  const auto threads = values.count("threads");
  settings.threads = threads ? static_cast<int>(*threads) : hpcc::has_threads() ? machine::usable_cores() : 1;
  const Place place = node_place(1, settings.threads);
  const auto memory = values.size("memory");
  settings.memory_byte = memory ? memory->count() : place.memory_byte;
  settings.cache = place.cache_share;
  settings.core_cache_byte = place.cache.cache_byte;
  const auto library = hpcc::BlasLibrary::linked();
  settings.blas_lack = hpcc::lack_of_room(library.identity().name, settings.threads);
  settings.blas = hpcc::as_built({}).blas && settings.blas_lack.empty();
  if (settings.blas) {  // it takes its room before the matrices do
    library.set_threads(settings.threads);
    library.work_once();
  }
  return settings;
}

std::vector<TestSpec> specs(const screen::Settings& settings, const std::vector<std::string>& names,
                            const suites::Rates& rates) {
  std::vector<TestSpec> list;
  for (const auto& block : screen::Definition(settings).plan(names, suites::World(1, rates)))
    for (const auto& point : block.points)
      if (point.measurable()) list.push_back(point.spec<TestSpec>());
  return list;
}

/// Result of one look; without a value if the look fails.
screen::Look look(const TestSpec& spec, const screen::Settings& settings) {
  try {
    const auto kernel = screen::make_kernel(spec, settings);
    kernel->warm();
    return screen::looked_at(*kernel);
  } catch (const std::exception&) {
    return {};
  }
}

/// Rates of this node, from which sizes follow, found by a look that does not count.
suites::Rates rates_here(const screen::Settings& settings, const std::vector<std::string>& names) {
  suites::Rates rates = suites::assumed_rates();
  for (const TestSpec& spec : specs(settings, names, rates)) {
    const double value = look(spec, settings).value;
    if (!(value > 0)) continue;
    if (spec.test == Test::dgemm) rates.product_flop_s = value;
    if (spec.test == Test::triad) rates.triad_byte_s = value;
    if (spec.test == Test::random_access) rates.access_update_s = value;
  }
  return rates;
}

/// Tests of nodes for which a value is expected. Throws UsageError if there is none.
std::vector<std::string> tests_of(const References& references) {
  std::vector<std::string> names;
  for (const auto& [name, expected] : references)
    if (!screen::quantity(name)->of_pairs && name != "disk" && name != "numa_triad") names.push_back(name);
  if (names.empty())
    throw UsageError(
        "--reference expects nothing of a node that --local measures: dgemm, fma, triad, random_access, chase");
  return names;
}

}  // namespace

screening::Measured measured_here(const Values& values, const References& references) {
  const auto names = tests_of(references);
  const auto settings = local_settings(values);
  const auto list = specs(settings, names, rates_here(settings, names));
  screening::Measured measured;
  measured.hosts = {machine::host_name()};
  measured.machines = {record::Json{{"processor", machine::processor_model()}}};
  measured.visits = static_cast<std::size_t>(settings.visits);
  for (const TestSpec& spec : list) {
    screening::NodeValues node;
    node.took_part = true;
    node.processes = 1;
    measured.nodes.push_back({std::string(spec.benchmark), {node}});
  }
  for (int visit = 0; visit < settings.visits; ++visit)
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto seen = look(list[k], settings);
      auto& node = measured.nodes[k].nodes.front();
      node.visits.push_back(seen.value);
      node.wrong |= seen.check.errors > 0;
    }
  return measured;
}

}  // namespace steelyard::cli
