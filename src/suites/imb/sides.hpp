// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "measure/buffers.hpp"
#include "suites/imb/settings.hpp"

/// Sides of a point in memory, and data that show every error of a transfer: they depend on rank, position and
/// repetition, and are compared exactly.
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

/// Byte that stands wherever nothing may arrive; never among the bytes of a message.
inline constexpr std::byte untouched{0xA5};

/// Fills `out` with bytes first .. first + out.size() - 1 of what `rank` sends in `repetition`.
void fill_bytes(int rank, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out);

/// Fills in the contents of IMB-IO's buffers and files: the 4-byte element of number i is 10000000 (1 + rank)
/// + i mod 10000000 modulo 2^32 (IMB 3.1 User's Guide, 5.2.5). Bytes first .. first + out.size() - 1. Files
/// that are read hold those of rank 0.
void fill_elements(int rank, std::int64_t first, std::span<std::byte> out);

/// Elements whose sum over some ranks is exact in every order: whole numbers (7 k + 13 element + 29
/// repetition) modulo M = 1024, less for very many ranks, with k = rank modulo M / 16: over all remainders
/// the sum would be the same for every element. 8-bit sums stay below 128, because libraries differ in what
/// they do beyond: numbers below 7 from at most 16 ranks to each element, from others 0.
class Summands {
 public:
  /// Sums over ranks first_rank .. first_rank + ranks - 1; the modulus is that of `processes` ranks.
  Summands(DataType type, int processes, int first_rank, int ranks);
  /// Fills `out` with the bytes of elements first_element, ... as the sum must be; out.size() may
  /// cut the last element.
  void fill(std::uint64_t repetition, std::int64_t first_element, std::span<std::byte> out) const;

 private:
  template <class T>
  void fill_as(std::uint64_t repetition, std::int64_t first_element, std::span<std::byte> out) const;
  [[nodiscard]] std::int64_t sum(std::uint64_t repetition, std::int64_t element) const;
  [[nodiscard]] std::int64_t small_sum(std::int64_t repetition, std::int64_t element) const;

  DataType type_;
  std::int64_t first_, last_;  // ranks
  std::int64_t turns_;         // 8 bit: a rank contributes to every turns_-th element
  std::int64_t modulus_;
  std::vector<std::int64_t> sums_;  // by (13 element + 29 repetition) modulo modulus_
};

/// Deviation |found - expected| / max(|expected|, 1) of one element.
[[nodiscard]] double deviation(DataType type, const std::byte* found, const std::byte* expected);

}  // namespace steelyard::imb
