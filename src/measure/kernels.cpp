// SPDX-License-Identifier: Apache-2.0
#include "measure/kernels.hpp"

#include <chrono>
#include <cmath>

namespace steelyard::measure {
namespace {

using Steady = std::chrono::steady_clock;

double since(Steady::time_point start) {
  return std::chrono::duration<double>(Steady::now() - start).count();
}

constexpr double window_s = 5e-3;
constexpr double agreement = 0.01;
constexpr double longest_s = 0.2;
constexpr std::int64_t work_steps = 20000;

// Seconds per piece of work, over one window.
double window_mean() {
  const auto start = Steady::now();
  int pieces = 0;
  std::uint64_t value = 1;
  for (; since(start) < window_s; ++pieces) value = dependent_chain(value, work_steps);
  keep(value);
  return since(start) / pieces;
}

}  // namespace

std::uint64_t dependent_chain(std::uint64_t start, std::int64_t steps) noexcept {
  std::uint64_t x = start | 1U;
  for (std::int64_t i = 0; i < steps; ++i) x = x * 6364136223846793005U + 1442695040888963407U;
  return x;
}

std::uint64_t independent_mix(const WideTable& table, std::int64_t steps) noexcept {
  std::uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
  for (std::int64_t i = 0; i < steps; ++i) {
    const auto at = static_cast<std::size_t>(i);
    a += table[at % 1024];
    b ^= table[(at + 341) % 1024];
    c -= table[(at + 682) % 1024];
    d = (d << 1U) ^ at;
    e += at;
    f ^= at + 7U;
  }
  return a ^ b ^ c ^ d ^ e ^ f;
}

double spin_up() {
  const auto start = Steady::now();
  double before = window_mean();
  while (since(start) < longest_s - window_s) {
    const double now = window_mean();
    if (std::abs(now - before) <= agreement * before) break;
    before = now;
  }
  return since(start);
}

}  // namespace steelyard::measure
