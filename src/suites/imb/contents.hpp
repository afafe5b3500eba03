// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "suites/imb/sides.hpp"

namespace steelyard::imb {

/// One side of a point where it lies in memory.
struct Area {
  std::byte* base = nullptr;
  SideLayout layout;
  [[nodiscard]] measure::SlotCursor cursor() const { return {base, layout.slots}; }
};

/// What IMB sends: element i of rank r is the float 0.1 (r + 1) + i, the same in every slot; sections without
/// a gap are one array [001_04218b74f686a5f6.txt section 5.2.5].
void fill_send(const Area& area, int rank);
/// Zeros.
void fill_receive(const Area& area);

}  // namespace steelyard::imb
