// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace steelyard::imb {

/// Products y += A x in single precision, A square: what a processor does while a transfer goes on. Pure.
/// Source: 001_04218b74f686a5f6.txt section 4.2.5.1.
class MatrixVector {
 public:
  explicit MatrixVector(int order);
  /// Always a call of this one function: a copy that a compiler has laid out for one caller would take another
  /// time than that of the next, and an overlap is a difference of such times.
  void multiply(std::uint64_t products) noexcept;
  [[nodiscard]] double operations_of_one() const;
  /// Of everything that was computed: whoever asks has made it necessary.
  [[nodiscard]] double sum() const;

 private:
  std::size_t order_;
  std::vector<float> matrix_, x_, y_;
};

}  // namespace steelyard::imb
