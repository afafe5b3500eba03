// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "suites/hpcc/definition.hpp"

/// How much of the memory a test uses, and whether the published rules for entries of class 2 ask for more: a
/// matrix of the linear solver of half the memory, a table of RandomAccess as large as a power of two up to
/// half of it can be, vectors of STREAM and FFT that together take a quarter. Pure.
namespace steelyard::hpcc {

/// Part of a process's share of its node's memory that the matrices, tables or vectors of a point take;
/// nothing where the share is not known or the point has none.
[[nodiscard]] std::optional<double> memory_share(const PointSpec& spec, const Settings& settings);

/// Whether the rules ask for more; false where they ask for nothing or the share is not known.
[[nodiscard]] bool smaller_than_the_rules_ask(const PointSpec& spec, const Settings& settings);

}  // namespace steelyard::hpcc
