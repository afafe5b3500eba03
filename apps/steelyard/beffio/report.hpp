// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

#include "formats/beffio/files.hpp"
#include "record/records.hpp"

namespace steelyard::cli {

/// The files of b_eff_io, as the front-end makes them at the end of a run and export later: directory, hint
/// file and colours are those of the run's own words. `end` may be null. Throws std::invalid_argument if
/// there is no point of suite b-eff-io.
[[nodiscard]] formats::BeffioFiles beffio_report(const record::RunRecord& head,
                                                 std::span<const record::PointRecord> points,
                                                 const record::EndRecord* end,
                                                 const std::filesystem::path& prefix);

}  // namespace steelyard::cli
