// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace steelyard::cli {

/// What the end of a run says of the machine: ratios (unless it is to be brief), figures of merit with what makes
/// them doubtful, what was measured and says nothing, and last the verdict, of the last run in DIR/result.jsonl:
/// the tables of `balance`, as text. Empty where no ratio can be computed. Throws record::ReadError.
[[nodiscard]] std::string closing_text(const std::filesystem::path& directory, bool brief);

}  // namespace steelyard::cli
