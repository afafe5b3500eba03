// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "suites/hpcc/definition.hpp"

/// From which size on the figure of a test stands for the machine, whatever the published rules ask for. Pure.
namespace steelyard::hpcc {

/// The condition in words, for the catalogue; empty where none is asked.
[[nodiscard]] std::string_view condition(Test test);

/// The least size that meets it, in the unit of PointSpec: order, elements, bits of a table. 0 where none is
/// asked, and for the linear solver, whose least order depends on the machine (least_solver_order).
[[nodiscard]] std::int64_t least_size(const Benchmark& benchmark, const Settings& settings, int processes);

/// The least order, a multiple of 2 NB, that is expected to reach the efficiency that counts; `part` of that
/// at half of the memory. The rates must have panels.
inline constexpr double representative_efficiency = 0.85;
[[nodiscard]] std::int64_t least_solver_order(const hpl::Variant& variant, const Settings& settings,
                                              const suites::Rates& rates,
                                              double part = representative_efficiency);

/// The part of the rate of its products that a solution is expected to reach, a sentence. Empty: another test, or
/// nothing was measured.
[[nodiscard]] std::string expectation(const PointSpec& spec, const Settings& settings,
                                      const suites::World& world);
/// Why the figure of a point does not stand for the machine: "order 320 where 4800 or more ...". Empty: it
/// does.
[[nodiscard]] std::string doubt(const PointSpec& spec, const Settings& settings, const suites::World& world);

// How much of the memory a test uses, and whether the published rules for entries of class 2 ask for more: a
// matrix of the linear solver of half the memory, a table of RandomAccess as large as a power of two up to
// half of it can be, vectors of STREAM and FFT that together take a quarter. Pure.

/// Part of a process's share of its node's memory that the matrices, tables or vectors of a point take;
/// nothing where the share is not known or the point has none.
[[nodiscard]] std::optional<double> memory_share(const PointSpec& spec, const Settings& settings);

/// Whether the rules ask for more; false where they ask for nothing or the share is not known.
[[nodiscard]] bool smaller_than_the_rules_ask(const PointSpec& spec, const Settings& settings);

}  // namespace steelyard::hpcc
