// SPDX-License-Identifier: Apache-2.0
#include "beff/words.hpp"
#include "errors.hpp"
#include "measuring/prepared.hpp"
#include "suites/beff/definition.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

void refuse_single_process(int processes) {
  if (processes > 1) return;
  throw Refused("b_eff needs at least 2 processes, started with 1 (mpiexec -n N, or -n N)");
}

void refuse_unknown_memory(const beff::Settings& settings) {
  if (settings.memory_mebibyte >= 1) return;
  throw Refused("the memory per process cannot be found out here; -mem tells it");
}

// Two buffers per process, nothing else: more memory than there is may be claimed as long as they fit.
void refuse_buffers_beyond_memory(const beff::Settings& settings, std::int64_t memory_byte) {
  const Bytes buffers = 2 * beff::buffer_size(beff::longest(settings));
  if (memory_byte == 0 || buffers.count() <= memory_byte) return;
  throw UsageError("messages of " + units::format_size(beff::longest(settings)) + " need buffers of " +
                       units::format_size(buffers) + " per process, and a process may use " +
                       units::format_size(Bytes{memory_byte}),
                   "-mem and -lmax choose a shorter longest message");
}

}  // namespace

Prepared prepare_beff(const Invocation& invocation, const Place& place) {
  refuse_single_process(place.processes);
  Prepared prepared;
  const auto settings = beff_settings(invocation.values, Bytes{place.node_share_byte} / mebi);
  refuse_unknown_memory(settings);
  refuse_buffers_beyond_memory(settings, place.memory_byte);
  prepared.suites.push_back(beff::measurable_suite(settings));
  const campaign::Selected selected[] = {{prepared.suites.front().get(), std::string(beff::benchmark_name)}};
  prepared.options.processes = place.processes;
  prepared.options.memory_byte = place.memory_byte;
  prepared.options.seed = settings.seed;
  prepared.plan = campaign::make_plan(selected, prepared.options, "b_eff");
  return prepared;
}

}  // namespace steelyard::cli
