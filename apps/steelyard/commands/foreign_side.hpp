// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "record/file.hpp"

/// Sides of a comparison that other programs wrote: hpccoutf.txt has figures, not points with intervals.
namespace steelyard::cli {

/// Whether a file is a hpccoutf.txt.
[[nodiscard]] bool is_foreign(const std::string& file);

/// A run with a point for each figure of its Summary. Throws record::ReadError.
[[nodiscard]] record::Run run_of_hpcc_output(const std::string& file);

/// The same of a run of our own, to be compared with such: the figures of its Summary instead of its points.
[[nodiscard]] record::Run figures_of(record::Run run);

}  // namespace steelyard::cli
