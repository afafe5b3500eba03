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
/// Adds numa: nodes with processors and memory, distances.
void describe_numa(Source& source, Json& machine);
/// Adds limits, soft and hard; null = no limit.
void describe_limits(Source& source, Json& machine);

/// Soft limit of /proc/self/limits by its name there ("Max address space"); nullopt if there is no limit.
[[nodiscard]] std::optional<std::int64_t> soft_limit(Source& source, std::string_view name);
/// MemAvailable; on older kernels free memory and memory that can be freed at once.
[[nodiscard]] std::optional<std::int64_t> available_memory(Source& source);

}  // namespace steelyard::machine
