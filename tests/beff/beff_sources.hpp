// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "beff_points.hpp"
#include "formats/beff/files.hpp"

namespace steelyard::formats {

using analysis::beff_points;
using analysis::beff_run_record;

/// The files of a made-up run that took 100 s, from its records alone.
[[nodiscard]] BeffFiles files_of(const analysis::BeffExperiment& experiment,
                                 const BeffFilesOptions& options = {});

/// The same with other records.
[[nodiscard]] BeffFiles files_of(const record::RunRecord& head,
                                 const std::vector<record::PointRecord>& points,
                                 const BeffFilesOptions& options = {});

/// A system of which every name is full of characters that mean something to gnuplot or LaTeX, or are not
/// ASCII.
[[nodiscard]] record::RunRecord hostile(record::RunRecord head);

}  // namespace steelyard::formats
