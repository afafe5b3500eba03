// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring/measuring.hpp"

namespace steelyard::cli {

/// How every seed front-end runs: the seed's own schedule and nothing but it, samples only for a result file.
[[nodiscard]] campaign::RunOptions front_end_run(const Values& values);

/// The result file of --out, whose stop file `options` is told, and the progress. Rank 0. Throws what
/// record::Writer throws.
[[nodiscard]] Destinations front_end_destinations(const Values& values, campaign::RunOptions& options);

}  // namespace steelyard::cli
