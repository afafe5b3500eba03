// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "measure/buffers.hpp"
#include "suites/imb/settings.hpp"

namespace steelyard::imb {

/// Side of a point in memory: `length` bytes a repetition uses, laid out in slots.
struct SideLayout {
  std::int64_t length = 0;
  measure::SlotLayout slots;
};

/// Both sides of one point on one process. For Uniband and Biband a slot is a position in the window, and the
/// length is that of one message; for all others a slot belongs to a repetition.
struct Sides {
  SideLayout send, receive;
  bool overlapping_receives = false;  // message rates above separate_receives_limit
  [[nodiscard]] std::int64_t memory_byte() const { return send.slots.bytes + receive.slots.bytes; }
};

/// Layout for `operations` repetitions, with cache avoidance and the doubled extents of `-contig_type`; in
/// aggregate mode of one-sided communication as many sections as Together says.
/// Source: IMB 3.1 User's Guide, 4.2.2.2.2, 5.1.2.4 and 5.1.2.7 (Table 20).
[[nodiscard]] Sides sides(const Settings& settings, const Definition& definition, Bytes size, int processes,
                          std::uint64_t operations, Mode mode = Mode::none);

/// Side of a point where it lies in memory.
struct Area {
  std::byte* base = nullptr;
  SideLayout layout;
  [[nodiscard]] measure::SlotCursor cursor() const { return {base, layout.slots}; }
};

/// Fills in what IMB sends: element i of rank r is the float 0.1 (r + 1) + i, the same in every slot;
/// sections without a gap are one array (IMB 3.1 User's Guide, 5.2.5).
void fill_send(const Area& area, int rank);
/// Fills in zeros.
void fill_receive(const Area& area);

}  // namespace steelyard::imb
