// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "record/file.hpp"

namespace steelyard::cli {

/// `export --to ftio`: the front-end's report of each run. Throws UsageError for a run without points of
/// ftio.
[[nodiscard]] std::string export_ftio(std::span<const record::Run> runs);

}  // namespace steelyard::cli
