// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "machine/cgroup.hpp"
#include "machine/environment.hpp"
#include "machine/memory.hpp"
#include "machine/privacy.hpp"
#include "machine/processors.hpp"
#include "machine/scratch_parts.hpp"
#include "machine/system.hpp"

namespace steelyard::machine {

record::Document describe_machine(const Roots& roots) {
  Source source(roots);
  const Cores cores(source);
  Json machine = Json::object();
  describe_kernel(source, machine);
  describe_processor(source, cores, machine);
  describe_frequency(source, cores, machine);
  describe_caches(source, cores, machine);
  describe_memory(source, machine);
  describe_numa(source, machine);
  describe_limits(source, machine);
  describe_virtualisation(source, machine);
  describe_network(source, machine);
  describe_power(source, cores, machine);
  describe_time(source, machine);
  describe_topology(source, machine);
  machine["missing"] = source.missing();
  // Firmware writes its vendor's name in whatever encoding it likes.
  change_strings(machine, valid_utf8);
  return machine;
}

std::string machine_identity(const Roots& roots) {
  Source source(roots);
  return scratch::host_name() + ", " + processor_name(source);
}

Affinity affinity(const Roots& roots) {
  Source source(roots);
  const Cores cores(source);
  auto processors = allowed_processors(source, cores);
  auto own = cores.cores_of(processors);
  return {.processors = std::move(processors), .cores = std::move(own)};
}

int usable_cores(const Roots& roots) {
  Source source(roots);
  const Cores cores(source);
  const auto own = static_cast<double>(cores.cores_of(allowed_processors(source, cores)).size());
  const auto quota = ControlGroups(source).quota_cores().value_or(own);
  return static_cast<int>(std::max(1.0, std::floor(std::min(own, quota))));
}

}  // namespace steelyard::machine
