// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "formats/imb/setup.hpp"

namespace steelyard::formats {

/// Everything before the first table: title, machine, command, lengths, types, benchmarks to run. The
/// throughput line, avoided caches, changed rules and checking are lines of ours. The date is that of the run
/// record in UTC.
[[nodiscard]] std::string imb_head(const record::RunRecord& run, const ImbSetup& setup);

/// "2026-11-20T08:36:21Z" -> "Fri Nov 20 08:36:21 2026"; a text that is no such time stays as it is.
[[nodiscard]] std::string asctime_form(const std::string& utc);

}  // namespace steelyard::formats
