// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

#include "formats/beff/files.hpp"
#include "record/records.hpp"

namespace steelyard::cli {

/// The six files of b_eff, as the front-end makes them at the end of a run and export later: range and
/// colours of the figures are those of the run's own words. `end` may be null. Throws std::invalid_argument
/// if there is no point of suite b-eff.
[[nodiscard]] formats::BeffFiles beff_report(const record::RunRecord& head,
                                             std::span<const record::PointRecord> points,
                                             const record::EndRecord* end,
                                             const std::filesystem::path& prefix);

}  // namespace steelyard::cli
