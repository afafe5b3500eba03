// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "analysis/beff_run.hpp"

/// Time that the loops of b_eff took. Of this room alone.
namespace steelyard::formats::beff {

/// The loops of all repetitions of one pattern at one length by one method.
struct Loop {
  std::size_t length, pattern;
  int method;
};

/// Calls `visit(const Loop&)` for all, in the order of the table of values: length, method, pattern.
template <class Visit>
void for_each_loop(const analysis::BeffRun& run, Visit visit) {
  const auto& cube = run.cube();
  for (std::size_t k = 0; k < cube.lengths().size(); ++k)
    for (int m = 0; m < cube.methods(); ++m)
      for (std::size_t p = 0; p < cube.patterns().size(); ++p) visit(Loop{k, p, m});
}

/// Seconds of the slowest process, all repetitions together, warm-up included.
[[nodiscard]] double spent_s(const analysis::BeffRun& run, const Loop& at);

/// As if every repetition had been as fast as the fastest.
[[nodiscard]] double fastest_spent_s(const analysis::BeffRun& run, const Loop& at);

}  // namespace steelyard::formats::beff
