// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "machine/processors.hpp"
#include "machine/source.hpp"

namespace steelyard::machine {

/// Adds memory_byte, available_byte, swap_byte, swap_used_byte, page_byte, huge_pages, write_back.
void describe_memory(Source& source, Json& machine);
/// Adds caches: one entry per distinct kind, with the number of them and of processors that share one.
void describe_caches(Source& source, const Cores& cores, Json& machine);
/// Processors of every NUMA domain, ascending, by its number; empty if they are not known.
[[nodiscard]] std::map<int, std::vector<int>> domains(Source& source);
/// Number of NUMA domains with processors or memory. Kernels of superchips show further ones, for parts of
/// accelerators that may be made later.
[[nodiscard]] int numa_nodes(Source& source);
/// Memory in the NUMA domains that a cpuset leaves to this process: all of it, and what is free or can be freed
/// at once.
struct DomainMemory {
  std::int64_t all_byte = 0, available_byte = 0;
};
/// Nullopt if this process may use every domain with memory, or if the kernel does not tell. The other figures
/// count the memory of all domains.
[[nodiscard]] std::optional<DomainMemory> memory_of_cpuset(Source& source);
/// Adds numa: nodes with processors and memory, distances.
void describe_numa(Source& source, Json& machine);
/// Adds limits, soft and hard; null = no limit.
void describe_limits(Source& source, Json& machine);

/// Soft limit of /proc/self/limits by its name there ("Max address space"); nullopt if there is no limit.
[[nodiscard]] std::optional<std::int64_t> soft_limit(Source& source, std::string_view name);
/// MemAvailable; on older kernels free memory and memory that can be freed at once.
[[nodiscard]] std::optional<std::int64_t> available_memory(Source& source);

}  // namespace steelyard::machine
