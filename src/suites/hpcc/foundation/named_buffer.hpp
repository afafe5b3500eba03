// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "machine/pages.hpp"

namespace steelyard::hpcc {

/// A buffer under its name in a record, one word, with its bytes and those of them that lie in huge pages.
struct NamedBuffer {
  NamedBuffer(std::string_view word, const machine::HugeMemory& memory)
      : NamedBuffer(word, memory.size(), memory.in_huge_pages()) {}
  NamedBuffer(std::string_view word, std::int64_t all, std::int64_t huge)
      : name(word), bytes(all), huge_bytes(huge) {}
  std::string_view name;
  std::int64_t bytes, huge_bytes;
};

}  // namespace steelyard::hpcc
