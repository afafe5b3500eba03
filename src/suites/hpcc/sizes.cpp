// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/sizes.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t strict_most = std::int64_t{1} << 30;
constexpr double most_memory_byte = 0x1p47;  // what a process can address
constexpr int most_table_bits = 58;          // whose bytes can be counted

/// floor(log2 v), 0 for v < 1.
int log2_floor(std::int64_t v) {
  return v < 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(v))) - 1;
}

std::int64_t largest_smooth(std::int64_t limit) {
  std::int64_t best = 0;
  for (std::int64_t fives = 1; fives <= limit; fives *= 5)
    for (std::int64_t threes = fives; threes <= limit; threes *= 3)
      best = std::max(best, threes << log2_floor(limit / threes));
  return best;
}

/// Whether PTRANS of this order uses at least 90 % of the linear solver's memory.
bool uses_most(const Problem& problem, std::int64_t ptrans_order) {
  constexpr double at_least = 0.9486 * 0.5;  // sqrt(0.9) of half the order
  return static_cast<double>(ptrans_order) >=
         at_least * static_cast<double>(std::ranges::max(problem.orders));
}

}  // namespace

std::int64_t memory_per_process(const Problem& problem) {
  if (problem.orders.empty() || problem.grids.empty())
    throw std::invalid_argument("a problem needs at least one order and one grid");
  const auto order = static_cast<double>(std::ranges::max(problem.orders));
  const auto processes = std::ranges::min(problem.grids, {}, &Grid::processes).processes();
  return static_cast<std::int64_t>(
      std::min(8.0 * order * order / static_cast<double>(processes), most_memory_byte));
}

std::int64_t largest(Smoothness smoothness, std::int64_t limit) {
  if (limit < 1) return 0;
  if (smoothness == Smoothness::any) return limit;
  if (smoothness == Smoothness::two) return std::int64_t{1} << log2_floor(limit);
  return largest_smooth(limit);
}

std::int64_t vector_length(std::int64_t memory_byte, int vectors, int element_byte, Smoothness smoothness,
                           LengthLimit limit) {
  const std::int64_t fits = memory_byte / element_byte / vectors;
  if (limit == LengthLimit::strict && log2_floor(fits) > 30) return strict_most;
  if (smoothness == Smoothness::two) return std::int64_t{1} << log2_floor(fits);
  return largest(smoothness, fits);
}

std::int64_t dgemm_order(std::int64_t memory_byte) {
  const auto elements = static_cast<double>(memory_byte / 8 / 3);
  return static_cast<std::int64_t>(std::sqrt(elements + 0.25) - 0.5);
}

std::int64_t stream_length(std::int64_t memory_byte, LengthLimit limit) {
  return vector_length(memory_byte, 3, 8, Smoothness::any, limit);
}

int random_access_bits(std::int64_t memory_byte) {
  return log2_floor(memory_byte / 8);
}

int random_access_bits(std::int64_t memory_byte, int processes) {
  if (memory_byte / 8 > (std::int64_t{1} << most_table_bits) / processes) return most_table_bits;
  return log2_floor(memory_byte / 8 * processes + memory_byte % 8 * processes / 8);
}

std::int64_t fft_length(std::int64_t memory_byte, Smoothness smoothness, LengthLimit limit) {
  const int vectors = smoothness == Smoothness::two ? 2 : 3;
  return vector_length(memory_byte, vectors, 16, smoothness, limit);
}

GlobalFft global_fft(std::int64_t memory_byte, int world, Smoothness smoothness, LengthLimit limit) {
  for (auto p = largest(smoothness, world); p >= 1; p = largest(smoothness, p - 1)) {
    const auto factor = vector_length(memory_byte, static_cast<int>(4 * p), 16, smoothness, limit);
    if (factor >= 1) return {static_cast<int>(p), factor * p * p};
  }
  return {};
}

std::vector<std::int64_t> ptrans_orders(const Problem& problem, std::span<const std::int64_t> extra) {
  std::vector<std::int64_t> orders;
  for (const auto n : extra)
    if (uses_most(problem, n)) orders.push_back(n);
  for (const auto n : problem.orders) orders.push_back(n / 2);
  return orders;
}

std::vector<std::int64_t> dropped_ptrans_orders(const Problem& problem, std::span<const std::int64_t> extra) {
  std::vector<std::int64_t> orders;
  for (const auto n : extra)
    if (!uses_most(problem, n)) orders.push_back(n);
  return orders;
}

std::vector<std::int64_t> ptrans_blocks(const Problem& problem, std::span<const std::int64_t> extra) {
  std::vector<std::int64_t> blocks(extra.begin(), extra.end());
  blocks.insert(blocks.end(), problem.blocks.begin(), problem.blocks.end());
  return blocks;
}

Grid default_grid(int processes) {
  constexpr int prime_may_stay = 20;
  for (int rows = static_cast<int>(std::sqrt(static_cast<double>(processes))); rows > 1; --rows)
    if (processes % rows == 0) return {rows, processes / rows};
  if (processes < prime_may_stay) return {1, processes};
  return default_grid(processes - 1);
}

std::int64_t default_order(double memory_mebibyte, const Grid& grid) {
  constexpr std::int64_t step = 2 * default_block;
  const double words =
      static_cast<double>(grid.processes()) * std::floor(memory_mebibyte * static_cast<double>(1 << 20) / 8);
  return static_cast<std::int64_t>(std::sqrt(0.8 * words)) / step * step;
}

std::int64_t rounded_order(std::int64_t order, std::int64_t block) {
  const auto rounded = order / (2 * block) * (2 * block);
  return rounded > 0 ? rounded : order;
}

Problem default_problem(double memory_mebibyte, int processes) {
  const Grid grid = default_grid(processes);
  return {{default_order(memory_mebibyte, grid)}, {default_block}, {grid}};
}

}  // namespace steelyard::hpcc
