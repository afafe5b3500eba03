// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "record/file.hpp"
#include "words/values.hpp"

namespace steelyard::cli {

/// `export --to b-eff-io`: the four files of one run, prefix by --output. Throws UsageError for several runs,
/// for records that lack something (unless --partial) and for a prefix that names no file; record::WriteError
/// for files that exist or cannot be written.
void export_beffio(std::span<const record::Run> runs, const Values& values);

}  // namespace steelyard::cli
