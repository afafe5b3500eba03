// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "report/report.hpp"

namespace steelyard::cli {

/// Fills material.judged: repeated systems become one, references get their part of the ring between nodes.
void judge(report::ReportInput& material, std::vector<balance::System> systems,
           std::vector<balance::System> references);

/// Where the only run of the material belongs to a series: all of its launches that are in that input.
void add_launches(report::ReportInput& material, const std::string& input);

/// Reads DIR/result.jsonl (its last run) and writes the HTML report DIR/report.html beside it, over an older
/// one. For the end of `run --report`: one process calls it, when the end record is in the file. Needs no
/// MPI. Returns the path of what was written. Throws record::ReadError and Refused.
std::filesystem::path write_report(const std::filesystem::path& directory);

}  // namespace steelyard::cli
