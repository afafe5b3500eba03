// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/records.hpp"

namespace steelyard::formats {

/// What all rows of a table have in common: "imb-mpi1/Allreduce   4 processes   MPI_FLOAT, MPI_SUM".
/// Sizes and the number of a group are no part of it. Points with different texts stand in different tables.
[[nodiscard]] std::string live_subject(const record::PointRecord& point);

/// What the numbers are: "time per operation, max over ranks"; empty if the point has no primary metric.
[[nodiscard]] std::string live_quantity(const record::PointRecord& point);

/// Parameters that all rows of a table have in common, in words; "type" and "op" first.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> live_parameters(
    const record::PointRecord& point);

/// Nominal size of the point: message_byte or chunk_byte; nullptr without one.
[[nodiscard]] const record::Value* live_size(const record::PointRecord& point);

/// The primary metric as statistics (a plain number becomes its median); nothing if it is absent or null.
[[nodiscard]] std::optional<record::Statistics> live_primary(const record::PointRecord& point);

}  // namespace steelyard::formats
