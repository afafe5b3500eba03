// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "record/file.hpp"
#include "words/values.hpp"

namespace steelyard::cli {

/// `export --to hpcc|hpl|hpccinf`: the text of one run. Throws UsageError for several runs and for records
/// that lack something (unless --partial).
[[nodiscard]] std::string export_hpcc(std::span<const record::Run> runs, const Values& values);

/// Whether a word of --to is one of these.
[[nodiscard]] bool is_hpcc_format(std::string_view format);

}  // namespace steelyard::cli
