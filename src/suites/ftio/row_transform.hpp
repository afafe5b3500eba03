// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "fourier/transforms.hpp"
#include "mpi/communicator.hpp"
#include "mpi/handle.hpp"
#include "suites/ftio/column_file.hpp"

/// The forward transform of rows that are distributed over processes in blocks, in natural order before and
/// after. Source: FTIO paper, 3.2.2 and 3.5; docs/suites/ftio.md, "Transform of a row".
namespace steelyard::ftio {

/// Transform of a fixed number of rows at a time: three exchanges of all processes with all, between them
/// transforms of length c and of length B.
class RowTransform {
 public:
  /// Plans without trying. `here` and `there`: memory of that many row sections each, used from now on. What
  /// one process sends another in an exchange is one element of a derived type where it is more than `longest`
  /// numbers. Throws what fourier::Transforms throws, mpi::Error.
  RowTransform(const mpi::Communicator& team, const Shape& shape, std::int64_t rows, Complex* here,
               Complex* there, std::int64_t longest = std::numeric_limits<int>::max());

  /// Transforms the rows in `here`; returns where the result lies. Collective. Throws mpi::Error.
  [[nodiscard]] Complex* forward(Meter& meter);

  /// Library of the serial transforms, whose plan is guessed as in the original.
  [[nodiscard]] static std::string_view kernel() { return fourier::library(manner.planning); }

 private:
  static constexpr fourier::Transforms::Manner manner{fourier::Planning::guessed, fourier::Input::used_up};

  void exchange(Meter& meter);
  void regroup(std::int64_t outer, std::int64_t inner);
  void transform_across();
  void transform_pairs();
  void twiddle(Complex* values) const;
  void interleave();
  void turn() { std::swap(from_, to_); }

  const mpi::Communicator& team_;
  std::int64_t c_, rows_, part_;
  mpi::Transfer sent_;  // to one process in an exchange
  Complex *here_, *there_;
  Complex *from_, *to_;            // where the data lie, and where the next step puts them
  std::vector<Complex> twiddles_;  // [c][part]: exp(-2 pi sqrt(-1) k1 n2 / N)
  std::vector<Complex> work_;      // of the serial transforms
  std::optional<fourier::Transforms> across_, along_;
};

}  // namespace steelyard::ftio
