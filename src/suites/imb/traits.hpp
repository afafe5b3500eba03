// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/engine.hpp"
#include "suites/imb/settings.hpp"

namespace steelyard::imb {

/// Which rule decides how often: IMB's own, or one that the campaign chose.
enum class RuleOf { suite, campaign };

/// What stands before the clock. Source: -imb_barrier of the public releases, of collective benchmarks.
[[nodiscard]] measure::Meeting meeting(const Settings& settings, const Definition& definition);

/// How a benchmark is timed: as IMB does (one clock around the loop, or around each call with a barrier
/// between), or by the engine's defaults for its class (docs/methodology.md, "Synchronisation").
/// `owns_result`: of this rank, rank 0 of its group reports a ping-pong.
[[nodiscard]] measure::Traits traits(const Settings& settings, const Definition& definition, RuleOf rule,
                                     bool owns_result, Mode mode = Mode::none);

}  // namespace steelyard::imb
