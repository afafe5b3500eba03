// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "suites/hpcc/settings.hpp"

namespace steelyard::hpcc {

/// A problem derived from the largest memory per process, at most `most_mebibyte`, with which these
/// benchmarks are expected to take at most `seconds`; grids and blocks are those of the settings. Where even
/// the least memory takes longer, vectors of STREAM may fit into the cache.
[[nodiscard]] Settings fitted(Settings settings, std::span<const std::string> benchmarks, int processes,
                              std::int64_t most_mebibyte, double seconds);

}  // namespace steelyard::hpcc
