// SPDX-License-Identifier: Apache-2.0
#include <hwloc.h>

#include <memory>

#include "machine/topology.hpp"

namespace steelyard::machine {

namespace {

struct Destroy {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, Destroy>;

/// Restricts discovery to network devices: opening displays or accelerators to find others would take seconds.
void restrict_discovery(hwloc_topology_t topology) {
  hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  for (const char* slow : {"gl", "opencl", "cuda", "nvml", "rsmi", "levelzero"})
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, slow);
}

Topology load() {
  hwloc_topology_t handle = nullptr;
  if (hwloc_topology_init(&handle) != 0) return nullptr;
  Topology topology(handle);
  restrict_discovery(handle);
  return hwloc_topology_load(handle) == 0 ? std::move(topology) : nullptr;
}

}  // namespace

std::optional<std::string> topology_xml() {
  const auto topology = load();
  char* buffer = nullptr;
  int length = 0;
  if (!topology || hwloc_topology_export_xmlbuffer(topology.get(), &buffer, &length, 0) != 0)
    return std::nullopt;
  // The length counts the final zero.
  std::string xml(buffer, static_cast<std::size_t>(length > 0 ? length - 1 : 0));
  hwloc_free_xmlbuffer(topology.get(), buffer);
  return xml;
}

}  // namespace steelyard::machine
