// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/rates.hpp"

namespace steelyard::survey {

/// Rates that stand in for a survey, of processes with so many threads: what threads do side by side goes as much
/// faster, arithmetic by all of them, what waits for memory by 32 at most, because a node has no more bandwidth than
/// so many take. An expectation, of origin assumed.
[[nodiscard]] suites::Rates assumed_rates(int threads);

}  // namespace steelyard::survey
