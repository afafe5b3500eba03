// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "record/file.hpp"
#include "words/values.hpp"

namespace steelyard::cli {

/// Whether --select has taken benchmarks away, so that what is missing says nothing.
enum class ImbChoice { all, selected };

/// `export --to imb`: the text of each run. Throws UsageError for records without points of IMB and for those
/// that lack something (unless --partial or selected).
[[nodiscard]] std::string export_imb(std::span<const record::Run> runs, const Values& values,
                                     ImbChoice choice);

}  // namespace steelyard::cli
