// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "mpi/communicator.hpp"
#include "suites/ftio/closed_form.hpp"

/// The result against the closed form. Source: 003_8b37d3299e4ec872.txt section 3.7; the bound is ours.
namespace steelyard::ftio {

/// What the elements of one process, or of all, are off by.
struct Difference {
  double total = 0, largest = 0;     // of the elements that are numbers
  std::int64_t column = 0, row = 0;  // of the largest
  std::int64_t wrong = 0;            // elements beyond the bound, or no numbers at all
  std::int64_t not_numbers = 0;
  std::string first;  // words for the first wrong one; of one process
};

/// Compares row after row with what it must be.
class Comparison {
 public:
  /// Columns first .. first + columns - 1 of a matrix of that order.
  Comparison(std::int64_t order, std::int64_t first);
  void row(std::int64_t row, std::span<const Complex> found, std::span<const Complex> expected);
  [[nodiscard]] const Difference& difference() const { return difference_; }

 private:
  void wrong(std::int64_t column, std::int64_t row, Complex found, Complex expected);

  double bound_;
  std::int64_t first_;
  Difference difference_;
};

/// Collective: over all processes, the same on all of them but for the words.
[[nodiscard]] Difference merged(const Difference& own, const mpi::Communicator& team);

}  // namespace steelyard::ftio
