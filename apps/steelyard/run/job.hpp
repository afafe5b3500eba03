// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "options/resolve.hpp"

namespace steelyard::cli {

/// Measures a new run, or the rest of an interrupted one; returns the exit code. Collective. Throws as measure() does.
int run_job(const Invocation& given);

/// Result directory of this invocation: the series', --out, or one in steelyard-results that is named after the run.
[[nodiscard]] std::filesystem::path result_directory(const Invocation& invocation, const std::string& run);

}  // namespace steelyard::cli
