// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/comparison/launches.hpp"

/// Differences between both sides. Internal to this folder.
namespace steelyard::comparison {

/// Heads of the launches of a side.
using Heads = std::span<const record::RunRecord>;

/// Reasons not to compare at all, one a line; empty if there are none. What is unlike at some points only, or
/// was decided by the measurement and not by the user, is no reason.
[[nodiscard]] std::vector<std::string> obstacles(Heads base, Heads now, std::span<const Matched> matched,
                                                 const Options& options);

/// Words for how a point that both sides have was not measured alike, "timing (--timing): batch and
/// each"; empty if it was.
[[nodiscard]] std::string unlike(const Matched& both, Heads base, Heads now, const Options& options);

/// Differences in program, MPI, machine, libraries, environment, rules of a suite, and in probes by more than
/// 3 %.
[[nodiscard]] std::vector<Difference> differences(Heads base, Heads now, std::span<const Matched> matched,
                                                  const Options& options);

}  // namespace steelyard::comparison
