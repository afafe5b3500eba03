// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "suites/beffio/patterns.hpp"

/// Which parts of a file are read back to be compared. Pure.
namespace steelyard::beffio {

/// sample: the first two, a middle and the last two calls, of each the first, a middle and the last chunk, of
/// each at most three times 64 kB; all: everything.
enum class ReadBack { sample, all };

/// Words `first` .. first + count - 1 of a chunk.
struct Part {
  std::uint64_t call = 0;
  std::int64_t chunk = 0, first = 0, count = 0;
};
[[nodiscard]] std::vector<Part> parts_to_read(const Pattern& pattern, std::uint64_t calls, ReadBack how);

}  // namespace steelyard::beffio
