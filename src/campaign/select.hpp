// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/usage_error.hpp"
#include "suites/suite.hpp"

/// From words to benchmarks. Pure.
namespace steelyard::campaign {

/// One selected benchmark of one suite, in the order of the run.
struct Selected {
  const suites::Suite* suite = nullptr;
  std::string benchmark;
};

/// PATTERNs ("suite", "suite/benchmark", globs * ? [abc], benchmark part in any case) against the catalogues.
/// All unknown patterns are reported together, each with its nearest valid word. Order: order of the
/// patterns, within a pattern the order of the catalogue; duplicates dropped. A bare suite name selects its
/// default set. Throws UsageError.
[[nodiscard]] std::vector<Selected> select(std::span<const std::string> patterns,
                                           std::span<const std::string> exclude,
                                           std::span<const suites::Suite* const> suites);

}  // namespace steelyard::campaign
