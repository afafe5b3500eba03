// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "formats/hpcc/text.hpp"
#include "record/records.hpp"

/// A canned run of HPC Challenge with two processes.
namespace steelyard::formats {

[[nodiscard]] steelyard::hpcc::Settings hpcc_settings();
[[nodiscard]] record::RunRecord hpcc_run(const steelyard::hpcc::Settings& settings = hpcc_settings());
/// Every benchmark in the order of the suite, two combinations of PTRANS and of the linear solver.
[[nodiscard]] std::vector<record::PointRecord> hpcc_points();
/// The same point without a result.
[[nodiscard]] record::PointRecord without_result(record::PointRecord point, const std::string& why);
[[nodiscard]] record::EndRecord hpcc_end(const std::string& status = "complete");
/// What the writer makes of points, their summary and the end, at one time of day.
[[nodiscard]] std::string hpcc_output(const std::vector<record::PointRecord>& points,
                                      const record::RunRecord& run = hpcc_run());
[[nodiscard]] std::string hpl_output(const std::vector<record::PointRecord>& points, HplVersion version,
                                     const record::RunRecord& run = hpcc_run());
}  // namespace steelyard::formats
