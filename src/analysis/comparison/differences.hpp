// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/comparison/launches.hpp"

/// What is not alike on both sides. Of this folder alone.
namespace steelyard::comparison {

using MatchedByKey = std::vector<std::pair<std::string, Matched>>;

/// Reasons not to compare at all, one a line; empty: there are none. What is unlike at some points only, or
/// was decided by the measurement and not by the user, is none.
[[nodiscard]] std::vector<std::string> obstacles(std::span<const record::Run> base,
                                                 std::span<const record::Run> now,
                                                 const MatchedByKey& matched, const Options& options);

/// How a point that both sides have was not measured alike, "timing (--timing): batch and each"; empty: it
/// was.
[[nodiscard]] std::string unlike(const Matched& both, const Options& options);

/// Program, MPI, machine, libraries, environment, and probes that differ by more than 3 %.
[[nodiscard]] std::vector<Difference> differences(std::span<const record::Run> base,
                                                  std::span<const record::Run> now,
                                                  const MatchedByKey& matched, const Options& options);

}  // namespace steelyard::comparison
