// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "suites/hpcc/form.hpp"

/// How transforms are divided, and what of them lies between their passes. Pure.
namespace steelyard::hpcc {

/// A length n = n1 n2.
struct Factors {
  std::int64_t n1 = 1, n2 = 1;
  friend bool operator==(const Factors&, const Factors&) = default;
};
/// Factors of n with n1 the largest divisor not above the square root; `multiple` divides both. Throws
/// std::invalid_argument if there are none.
[[nodiscard]] Factors two_factors(std::int64_t n, std::int64_t multiple = 1);

/// Largest number up to `most` that divides n.
[[nodiscard]] std::int64_t largest_divisor(std::int64_t n, std::int64_t most);

/// Transforms that a cell holds an element of.
inline constexpr std::int64_t lanes = 8;
/// Groups of eight, the last of which may be smaller.
[[nodiscard]] constexpr std::int64_t lane_groups(std::int64_t count) {
  return (count + lanes - 1) / lanes;
}
/// The same of rows in parts of `height`, each of which begins a group.
[[nodiscard]] constexpr std::int64_t lane_groups(std::int64_t rows, std::int64_t height) {
  return rows / height * lane_groups(height);
}

/// Columns of the widest pass.
inline constexpr std::int64_t pass_columns = 32;
/// Columns or rows of one part, whole passes of `pass`: about an eighth of all of them, or less, as long as
/// messages, which take `length` elements of each, do not become short, nor what lies together in memory.
[[nodiscard]] std::int64_t part_size(std::int64_t all, std::int64_t pass, std::int64_t length, Form form);
/// Rows of one part of m1 rows, whose messages take m2 elements of each.
[[nodiscard]] std::int64_t part_height(std::int64_t m1, std::int64_t m2, Form form);

/// Elements that the cells between the passes have room for, on each process: more than there are where the
/// rows of a part fill no eights. All rows of one process are a part in base form. Throws like two_factors.
[[nodiscard]] std::int64_t elements_between(std::int64_t n, std::int64_t processes, Form form);

}  // namespace steelyard::hpcc
