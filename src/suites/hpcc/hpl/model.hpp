// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "suites/hpcc/hpl/options.hpp"
#include "suites/rates.hpp"

/// Model of the time that the linear solver takes on a machine whose rates are known, and of N and NB that
/// follow. Pure. Plans use it; no result does.
namespace steelyard::hpcc::hpl {

/// Phases of a process while it solves. `columns` is part of `eliminate`, `pivot` of `columns`;
/// `travel` goes on beside all others, from the start of a panel's way along its process row
/// until it is here and passed on.
enum class Phase {
  eliminate,
  columns,
  pivot,
  update,
  interchange,
  solve,
  multiply,
  wait,
  substitute,
  travel
};
inline constexpr std::size_t phases = 10;

using suites::PanelRate;

/// Block with which a factorisation of order n takes least by these rates: 2/3 N^3 operations, of them
/// N^2 NB / 2 of panels, the others of updates. Of the blocks within 1 % of that, the narrowest, which spreads best. Only blocks of
/// which eight fit into n count; the narrowest of all if none does. 192 if there are no rates.
[[nodiscard]] std::int64_t best_block(std::span<const PanelRate> rates, std::int64_t n);
/// A sentence: why that block, with the rates of all. Empty if there are no rates.
[[nodiscard]] std::string block_reason(std::span<const PanelRate> rates, std::int64_t n);

/// Where the time of a solution goes, in seconds: of each part the process's that has most of it, as measured parts are
/// told (Phase). `pivots_s`: their exchange, and waiting there for the process row with more rows; `interchange_s`:
/// of rows, between process rows too; `wait_s`: for panels. `all_s`: the solution; less than the sum of the parts where
/// one process waits while another works.
struct SolveParts {
  double panels_s = 0, pivots_s = 0, interchange_s = 0, solve_s = 0, multiply_s = 0, wait_s = 0,
         substitute_s = 0;
  double all_s = 0;
};

/// Expected parts of one solution: a sum over its steps, each as long as that of the process that has most to do in it by
/// the block-cyclic distribution, unless others take over rows of its products. A process column that may share memory is
/// taken to lie on one node, a process row where that is the only one. The rates must have panels.
[[nodiscard]] SolveParts solve_parts(const Variant& variant, const suites::Rates& rates);
/// Seconds of one solution by these.
[[nodiscard]] double solve_s(const Variant& variant, const suites::Rates& rates);
/// Part of the rate of the products of all processes that a solution is expected to reach.
[[nodiscard]] double expected_efficiency(const Variant& variant, const suites::Rates& rates);

/// The order whose matrix takes half of so much memory of all processes together, a multiple of 2 NB.
[[nodiscard]] std::int64_t half_memory_order(std::int64_t memory_byte, std::int64_t block);
/// The least order, a multiple of 2 NB, that is expected to reach this part of the efficiency at `largest`.
[[nodiscard]] std::int64_t least_order(Variant variant, std::int64_t largest, double part,
                                       const suites::Rates& rates);

}  // namespace steelyard::hpcc::hpl
