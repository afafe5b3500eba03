// SPDX-License-Identifier: Apache-2.0
#include "beffio/words.hpp"
#include "errors.hpp"
#include "suites/beffio/definition.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

void refuse_unknown_memory(const beffio::Settings& settings) {
  if (settings.memory_mebibyte >= 1) return;
  throw Refused("the memory per process cannot be found out here; -MB tells it");
}

void refuse_buffer_beyond_memory(const beffio::Settings& settings, std::int64_t memory_byte) {
  const Bytes buffer = beffio::buffer_size(settings);
  if (memory_byte == 0 || buffer.count() <= memory_byte) return;
  throw UsageError("the largest chunk takes " + units::format_size(buffer) +
                       " per process, and a process may use " + units::format_size(Bytes{memory_byte}),
                   "-MB chooses a smaller memory");
}

void refuse_too_little_volume(const beffio::Settings& settings, int processes) {
  if (!settings.most_byte) return;
  const Bytes least = beffio::least_volume(settings, processes);
  if (*settings.most_byte >= least.count()) return;
  throw UsageError("-maxbytes: " + units::format_size(Bytes{*settings.most_byte}) +
                       " do not suffice for every pattern once, which takes " + units::format_size(least),
                   "fewer partitions (-N) or a smaller memory per process (-MB) take less");
}

}  // namespace

Prepared prepare_beffio(const Invocation& invocation, const Place& place) {
  Prepared prepared;
  const auto settings = beffio_settings(invocation.values, place);
  refuse_unknown_memory(settings);
  refuse_buffer_beyond_memory(settings, place.memory_byte);
  refuse_too_little_volume(settings, place.processes);
  prepared.suites.push_back(beffio::measurable_suite(settings));
  const campaign::Selected selected[] = {
      {prepared.suites.front().get(), std::string(beffio::benchmark_name)}};
  prepared.options.processes = place.processes;
  prepared.options.memory_byte = place.memory_byte;
  prepared.plan = campaign::make_plan(selected, prepared.options, "b_eff_io");
  return prepared;
}

}  // namespace steelyard::cli
