// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "record/records.hpp"

/// Records of a b_eff_io that nobody has measured.
namespace steelyard::beffio_points {

/// Bandwidth of a pattern type in byte/s: access 0, 1, 2 and type 0 .. 4.
using TypeRate = std::function<double(std::size_t access, std::size_t type)>;

/// All patterns of the definition in one partition, chunks up to 4 MB, as the session records them: each type moves its bytes
/// at `rate`, opening and closing included.
[[nodiscard]] std::vector<record::PointRecord> partition(int processes, const TypeRate& rate);
/// The patterns of random access, likewise: type 5.
[[nodiscard]] std::vector<record::PointRecord> random_access(int processes, const TypeRate& rate);

/// The totals by type of a published run of release 2.1 with 4 processes, in MB/s.
inline constexpr std::array<std::array<double, 5>, 3> published = {
    {{58.579, 48.697, 77.944, 77.036, 73.113},
     {63.841, 61.525, 89.142, 89.221, 81.972},
     {300.390, 811.358, 1073.572, 1088.574, 575.428}}};
[[nodiscard]] std::vector<record::PointRecord> published_run();

/// A run record whose configuration has these members under b-eff-io beside the usual ones.
[[nodiscard]] record::RunRecord head(const record::Members& more = {});

/// Replaces a member of classic.
void set(record::PointRecord& point, std::string_view name, record::Value value);

}  // namespace steelyard::beffio_points
