// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace steelyard::cli {

/// What the end of a run says of the machine: ratios (unless it is to be brief), figures of merit with what makes
/// them doubtful, what was measured and says nothing, and last the verdict, of the last run in DIR/result.jsonl:
/// the tables of `balance`, as text. Empty where no ratio can be computed. Throws record::ReadError.
[[nodiscard]] std::string closing_text(const std::filesystem::path& directory, bool brief);

/// Fills material.judged: repeated systems become one, references get their part of the ring between nodes.
void judge(report::ReportInput& material, std::vector<balance::System> systems,
           std::vector<balance::System> references);

/// Where the only run of the material belongs to a series: all of its launches that are in that input.
void add_launches(report::ReportInput& material, const std::string& input);

/// Reads DIR/result.jsonl (its last run) and writes the HTML report DIR/report.html beside it, over an older
/// one. For the end of `run --report`: one process calls it, when the end record is in the file. Needs no
/// MPI. Returns the path of what was written. Throws record::ReadError and Refused.
std::filesystem::path write_report(const std::filesystem::path& directory);

/// The report as `file` (.tex) with the tables that are read at once, and beside it one file of columns
/// (NAME-01-messages.dat) for each long table and each figure of the balance; all are replaced. "-": the
/// document alone, on standard output. Throws Refused where one cannot be written.
/// A body has no document around it, for \input, and after its tables the curves over lengths as figures of pgfplots.
enum class LatexForm { document, body };
void write_latex(const report::ReportInput& material, const std::string& title, const std::string& file,
                 LatexForm form = LatexForm::document);

}  // namespace steelyard::cli
