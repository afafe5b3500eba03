// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "record/file.hpp"
#include "words/values.hpp"

namespace steelyard::cli {

/// `export --to ftio`: the front-end's report of each run. Throws UsageError for a run without points of
/// ftio, and for one that lacks some of them (unless --partial).
[[nodiscard]] std::string export_ftio(std::span<const record::Run> runs, const Values& values);

}  // namespace steelyard::cli
