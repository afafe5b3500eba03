// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "record/file.hpp"
#include "words/values.hpp"

namespace steelyard::cli {

/// `export --to gnuplot -o DIR`: data and a script for every benchmark. Throws UsageError for several runs
/// and for records without message lengths, Refused where a file exists.
void export_gnuplot(std::span<const record::Run> runs, const Values& values);

}  // namespace steelyard::cli
