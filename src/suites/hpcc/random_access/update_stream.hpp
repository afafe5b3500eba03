// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "suites/hpcc/congruence.hpp"

/// The two sequences of RandomAccess: x_0 = 1, the first value used is x_1. Pure.
namespace steelyard::hpcc {

enum class Generator { polynomial, congruential };

/// x <- x X modulo X^64 + X^2 + X + 1 over GF(2); the low bits address the table.
struct Polynomial {
  static constexpr std::int64_t period = 1317624576693539401;
  static constexpr std::uint64_t next(std::uint64_t x) {
    return (x << 1) ^ (static_cast<std::uint64_t>(static_cast<std::int64_t>(x) >> 63) & 7U);
  }
  /// Takes eight steps of a value or of a vector of them: bits that leave at the top
  /// come back times X^2 + X + 1.
  template <class Value>
  __attribute__((always_inline)) static constexpr void eight_on(Value& x) {
    const Value out = x >> 56;
    x = (x << 8) ^ (out << 2) ^ (out << 1) ^ out;
  }
  /// Value x_k; k is taken modulo the period, also if negative.
  [[nodiscard]] static std::uint64_t at(std::int64_t k);
  static constexpr std::size_t index(std::uint64_t x, int bits) {
    return static_cast<std::size_t>(x & ((std::uint64_t{1} << bits) - 1));
  }
};

/// x <- 6364136223846793005 x + 1 modulo 2^64; the high bits address the table.
struct Congruential {
  static constexpr std::uint64_t next(std::uint64_t x) { return wide_step(x); }
  static constexpr Affine eight_steps = wide_step.times(8);
  template <class Value>
  __attribute__((always_inline)) static constexpr void eight_on(Value& x) {
    x = eight_steps.multiplier * x + eight_steps.increment;
  }
  [[nodiscard]] static std::uint64_t at(std::int64_t k);
  static constexpr std::size_t index(std::uint64_t x, int bits) {
    return bits == 0 ? 0 : static_cast<std::size_t>(x >> (64 - bits));
  }
};

/// Calls the operator() of the body with Polynomial or Congruential as its argument: the one place that knows both.
template <class Body>
decltype(auto) with_stream(Generator generator, Body&& body) {
  if (generator == Generator::polynomial) return body.template operator()<Polynomial>();
  return body.template operator()<Congruential>();
}

/// Most values that the rules allow to look ahead: updates generated but neither applied nor sent, and
/// received ones not applied.
inline constexpr std::size_t most_ahead = 1024;
/// Share of wrong entries up to which a table passes.
inline constexpr double tolerated_share = 0.01;

/// The distributed table of 2^bits words in contiguous parts, one per process; the first parts are longer by
/// one word if the number of processes is no power of two.
class TableParts {
 public:
  TableParts(int bits, int processes);
  [[nodiscard]] std::int64_t start(int rank) const;
  [[nodiscard]] std::int64_t length(int rank) const { return start(rank + 1) - start(rank); }
  [[nodiscard]] int owner(std::int64_t index) const noexcept {
    const bool longer = index < longer_words_;
    return static_cast<int>(longer ? index / (short_ + 1) : (index - longer_parts_) / short_);
  }
  [[nodiscard]] std::int64_t words() const { return words_; }
  [[nodiscard]] int bits() const { return bits_; }
  [[nodiscard]] int processes() const { return processes_; }

 private:
  int bits_, processes_;
  std::int64_t words_, short_, longer_parts_, longer_words_;
};

/// Finds the owner of a word without a division: exact where the number of processes is a power of two, else
/// an estimate that is put right by the bounds of the parts: off by more than one where parts of few words differ
/// by one.
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
    while (static_cast<std::int64_t>(index) < parts_.start(rank)) --rank;
    while (static_cast<std::int64_t>(index) >= parts_.start(rank + 1)) ++rank;
    return rank;
  }

 private:
  TableParts parts_;
  bool even_;
  int shift_;
  double share_;
};

}  // namespace steelyard::hpcc
