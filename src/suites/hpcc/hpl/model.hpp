// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "suites/hpcc/hpl/options.hpp"
#include "suites/rates.hpp"

/// Model of the time that the linear solver takes on a machine whose rates are known, and of N and NB that
/// follow. Pure. Plans use it; no result does.
namespace steelyard::hpcc::hpl {

using suites::PanelRate;

/// Block with which a factorisation of order n takes least by these rates: 2/3 N^3 operations of updates and
/// N^2 NB / 2 of panels. Of the blocks within 1 % of that, the narrowest, which spreads best. Only blocks of
/// which eight fit into n count; the narrowest of all if none does. 192 if there are no rates.
[[nodiscard]] std::int64_t best_block(std::span<const PanelRate> rates, std::int64_t n);
/// A sentence: why that block, with the rates of all. Empty if there are no rates.
[[nodiscard]] std::string block_reason(std::span<const PanelRate> rates, std::int64_t n);

/// Seconds of one solution: updates, panels as far as they do not hide behind updates, panels and rows that
/// travel, short messages. The rates must have panels.
[[nodiscard]] double solve_s(const Variant& variant, const suites::Rates& rates);
/// Part of the rate of the products of all processes that a solution is expected to reach.
[[nodiscard]] double expected_efficiency(const Variant& variant, const suites::Rates& rates);

/// The order whose matrix takes half of so much memory of all processes together, a multiple of 2 NB.
[[nodiscard]] std::int64_t half_memory_order(std::int64_t memory_byte, std::int64_t block);
/// The least order, a multiple of 2 NB, that is expected to reach this part of the efficiency at `largest`.
[[nodiscard]] std::int64_t least_order(Variant variant, std::int64_t largest, double part,
                                       const suites::Rates& rates);

}  // namespace steelyard::hpcc::hpl
