// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "suites/hpcc/dgemm/core_peak.hpp"

namespace steelyard::hpcc {
namespace {

using Pair = double __attribute__((vector_size(16)));
using Chains = std::make_index_sequence<12>;

/// A start value that the compiler does not know: chains that it knew to be equal would become one.
template <std::size_t>
double unknown(const volatile double& value) noexcept {
  return value;
}

/// x <- x / 2 + 1 / 2 stays at 1; one instruction where the processor has it.
template <std::size_t... chain>
double run_chains(std::int64_t steps, std::index_sequence<chain...>) noexcept {
  const volatile double one = 1;
  const Pair half = {0.5, 0.5};
  Pair x[] = {Pair{unknown<chain>(one), unknown<chain>(one)}...};
  for (std::int64_t i = 0; i < steps; ++i) ((x[chain] = x[chain] * half + half), ...);
  return ((x[chain][0] + x[chain][1]) + ...) / (2 * sizeof...(chain));
}

double run(std::int64_t steps) noexcept {
  return run_chains(steps, Chains{});
}

}  // namespace

MultiplyAdds plain_multiply_adds() {
  return {run, 2.0 * 2 * Chains::size()};
}

}  // namespace steelyard::hpcc
