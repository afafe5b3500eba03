// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "suites/hpcc/foundation/threads.hpp"
#include "suites/hpcc/random_access/update_stream.hpp"

/// What all updates of a table leave in it, told without the table: the check of RandomAccess reads memory in its order
/// instead of repeating every update.
namespace steelyard::hpcc {

/// Sum over GF(2) of values, and of what bits drawn by their words leave of them. That of the changes of a table is the
/// sum of those of its updates, in any order. One value that is lost, wrong or taken twice always changes it, one in
/// another word save for one case in 2^32, and one bit that is wrong in two words save for one in 2^27.
struct Fingerprint {
  std::uint64_t values = 0, places = 0;

  __attribute__((always_inline)) void add(std::size_t word, std::uint64_t value) noexcept {
    values ^= value;
    places ^= spread(value) & mask(word);
  }
  Fingerprint& operator^=(const Fingerprint& other) noexcept {
    values ^= other.values;
    places ^= other.places;
    return *this;
  }
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;

 private:
  /// Linear and without loss: a bit becomes 27, two become 22 at least, three 19.
  __attribute__((always_inline)) static std::uint64_t spread(std::uint64_t value) noexcept {
    value ^= std::rotl(value, 2) ^ std::rotl(value, 10);
    value ^= std::rotl(value, 12) ^ std::rotl(value, 53);
    return value ^ std::rotl(value, 17) ^ std::rotl(value, 24);
  }
  /// Bits drawn by a word's index.
  __attribute__((always_inline)) static std::uint64_t mask(std::uint64_t word) noexcept {
    word = (word + 1) * 0x9e3779b97f4a7c15U;
    word = (word ^ (word >> 32)) * 0xd6e8feb86659fd93U;
    return word ^ (word >> 32);
  }
};

/// That of the updates number part.begin + 1 .. part.end of the sequence, on a table of 2^bits words.
[[nodiscard]] Fingerprint fingerprint_of_updates(Generator generator, int bits, Share part) noexcept;

/// That of what has changed in words that are numbered from `first` on and held their numbers.
[[nodiscard]] Fingerprint fingerprint_of_changes(std::span<const std::uint64_t> words,
                                                 std::uint64_t first = 0) noexcept;

}  // namespace steelyard::hpcc
