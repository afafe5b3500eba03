// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "suites/hpcc/random_access/update_stream.hpp"

namespace steelyard::hpcc {

/// Finds the owner of a word without a division: exact where the number of processes is a power of two, else
/// an estimate that is put right by the bounds of the part.
class OwnerFinder {
 public:
  explicit OwnerFinder(const TableParts& parts)
      : parts_(parts),
        even_(std::has_single_bit(static_cast<unsigned>(parts.processes()))),
        shift_(even_ ? parts.bits() - std::countr_zero(static_cast<unsigned>(parts.processes())) : 0),
        share_(static_cast<double>(parts.processes()) / static_cast<double>(parts.words())) {}

  [[nodiscard]] __attribute__((always_inline)) int operator()(std::size_t index) const noexcept {
    if (even_) return static_cast<int>(index >> shift_);
    int rank = static_cast<int>(static_cast<double>(index) * share_);
    if (static_cast<std::int64_t>(index) < parts_.start(rank)) --rank;
    if (static_cast<std::int64_t>(index) >= parts_.start(rank + 1)) ++rank;
    return rank;
  }

 private:
  TableParts parts_;
  bool even_;
  int shift_;
  double share_;
};

}  // namespace steelyard::hpcc
