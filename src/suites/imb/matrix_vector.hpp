// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace steelyard::imb {

/// Products y += A x in single precision, A square: the computation beside a transfer. Pure.
/// Source: IMB 3.1 User's Guide, 4.2.5.1.
class MatrixVector {
 public:
  explicit MatrixVector(int order);
  /// Computes products. Always a call of this one function: a copy that a compiler has laid out for one
  /// caller would take another time than that of the next, and an overlap is a difference of such times.
  void multiply(std::uint64_t products) noexcept;
  [[nodiscard]] double operations_of_one() const;
  /// Sum of everything that was computed: whoever asks for it makes the computation necessary.
  [[nodiscard]] double sum() const;

 private:
  std::size_t order_;
  std::vector<float> matrix_, x_, y_;
};

}  // namespace steelyard::imb
