// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "units/quantity.hpp"

/// Sizes of the out-of-core transform. Source: 003_8b37d3299e4ec872.txt sections 3.4 to 3.6 and 5.5. Pure.
namespace steelyard::ftio {

using Complex = std::complex<double>;
inline constexpr std::int64_t element_byte = sizeof(Complex);

/// A matrix of N x N elements with N = i^2 c on c processes. Process p holds the columns p B .. p B + B - 1
/// of all rows: c Squares of B x B, each made of Mini-Squares of i x i.
struct Shape {
  int processes = 1;                                                         // c
  std::int64_t parameter = 2;                                                // i
  [[nodiscard]] std::int64_t band() const { return parameter * parameter; }  // B
  [[nodiscard]] std::int64_t order() const { return band() * processes; }    // N
  [[nodiscard]] std::int64_t part() const {
    return band() / processes;
  }  // what one exchange sends to another
  [[nodiscard]] std::int64_t elements() const { return order() * order(); }
  [[nodiscard]] Bytes section() const { return Bytes{element_byte * band()}; }  // of one row
  [[nodiscard]] Bytes file() const { return order() * section(); }              // of one process
  [[nodiscard]] Bytes matrix() const { return processes * file(); }
};

/// Every valid parameter is a multiple of it: c divides i^2.
[[nodiscard]] std::int64_t parameter_step(int processes);
/// Whether c divides i^2; i is at least 2, and the bytes of the matrix can be counted.
[[nodiscard]] bool valid_parameter(int processes, std::int64_t parameter);
/// The lowest valid i of at least sqrt(c) + 1.
[[nodiscard]] std::int64_t default_parameter(int processes);
/// The first `count` valid ones from `least` on.
[[nodiscard]] std::vector<std::int64_t> valid_parameters(int processes, std::int64_t least,
                                                         std::size_t count);
/// Valid ones next to one that is not: the one below, if there is one, and the one above.
[[nodiscard]] std::vector<std::int64_t> nearest_parameters(int processes, std::int64_t parameter);
/// The lowest valid i whose matrix is at least twice this memory: no page cache can hold it.
[[nodiscard]] std::int64_t parameter_beyond(int processes, Bytes memory);

/// The parameter of the seed's own results, valid for most numbers of processes.
inline constexpr std::int64_t paper_parameter = 24;

}  // namespace steelyard::ftio
