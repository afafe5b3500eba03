// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "record/records.hpp"
#include "suites/ftio/run_results.hpp"
#include "suites/ftio/settings.hpp"

namespace steelyard::ftio {

/// The record of one run. classic: docs/suites/ftio.md, "Records". On rank 0 only.
[[nodiscard]] record::PointRecord point_record(const Settings& settings, const Shape& shape,
                                               const RunResult& result, record::PointRecord base);

}  // namespace steelyard::ftio
