// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"
#include "ftio/words.hpp"
#include "suites/ftio/definition.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

void refuse_beyond_memory(const ftio::Settings& settings, const Place& place) {
  for (const auto parameter : settings.parameters) {
    const Bytes needed = ftio::memory_bound({place.processes, parameter}, settings.batches);
    if (place.memory_byte == 0 || needed.count() <= place.memory_byte) continue;
    throw UsageError("the input parameter " + std::to_string(parameter) + " takes " +
                     units::format_size(needed) + " per process, and a process may use " +
                     units::format_size(Bytes{place.memory_byte}));
  }
}

}  // namespace

Prepared prepare_ftio(const Invocation& invocation, const Place& place) {
  Prepared prepared;
  const auto settings = ftio_settings(invocation.values, place);
  refuse_beyond_memory(settings, place);
  prepared.suites.push_back(ftio::measurable_suite(settings));
  const campaign::Selected selected[] = {{prepared.suites.front().get(), std::string(ftio::benchmark_name)}};
  prepared.options.processes = place.processes;
  prepared.options.memory_byte = place.memory_byte;
  prepared.plan = campaign::make_plan(selected, prepared.options, "ftio");
  return prepared;
}

}  // namespace steelyard::cli
