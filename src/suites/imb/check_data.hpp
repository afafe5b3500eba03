// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "suites/imb/settings.hpp"

/// Data that show every error of a transfer: they depend on rank, position and repetition, and are compared
/// exactly.
namespace steelyard::imb {

/// Byte that stands wherever nothing may arrive; never among the bytes of a message.
inline constexpr std::byte untouched{0xA5};

/// Fills `out` with bytes first .. first + out.size() - 1 of what `rank` sends in `repetition`.
void fill_bytes(int rank, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out);

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
