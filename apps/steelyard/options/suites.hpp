// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "suites/suite.hpp"

/// Suites of this program as readers of results need them: catalogues and names. Those that measure are in
/// run/measured_suites.hpp.
namespace steelyard::cli {

/// Every suite with its own settings, in the order in which suites are listed.
[[nodiscard]] std::vector<std::unique_ptr<suites::Suite>> definitions();

/// Pointers to suites, which stay with their owner.
[[nodiscard]] std::vector<const suites::Suite*> pointers(
    std::span<const std::unique_ptr<suites::Suite>> suites);

}  // namespace steelyard::cli
