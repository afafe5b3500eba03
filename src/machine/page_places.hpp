// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "machine/environment.hpp"

namespace steelyard::machine {

/// Memory of this process by the NUMA domain where it lies.
struct PagePlaces {
  std::int64_t byte = 0;         // in use, of areas of at least a mebibyte that belong to no file
  std::int64_t remote_byte = 0;  // of these in other domains than the one that was asked for
};

/// own_domain() on a node with several; else nullopt, as nothing can be elsewhere.
[[nodiscard]] std::optional<int> one_domain_of_several(const Roots& roots = {});
/// Where the memory of this process lies, beside `domain`. The kernel walks all its pages: some 10 ms for a GiB of
/// small ones. Nothing is told of a system that does not list them.
[[nodiscard]] PagePlaces page_places(int domain, const Roots& roots = {});

}  // namespace steelyard::machine
