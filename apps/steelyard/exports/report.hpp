// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace steelyard::cli {

/// Text about the machine at the end of a run, from the last run in DIR/result.jsonl: the tables of `balance` with
/// ratios (unless `brief`), figures of merit and their doubts, what was measured and says nothing, and last the
/// verdict. Empty if no ratio can be computed, nullopt if `balance` would refuse the run; of so many columns at most. Throws record::ReadError.
[[nodiscard]] std::optional<std::string> closing_text(const std::filesystem::path& directory, bool brief,
                                                      std::size_t columns);

/// Fills material.judged: systems of one campaign become one, references get their part of the ring between nodes.
/// `of_runs`: places among the systems of those of the material's runs, in their order; others keep their names.
void judge(report::ReportInput& material, std::vector<balance::System> systems,
           std::vector<balance::System> references, std::span<const std::size_t> of_runs);

/// Adds all launches in `input` of the series to which the only run of the material belongs; changes nothing for
/// several runs, or a run of no series.
void add_launches(report::ReportInput& material, const std::string& input);

/// Reads DIR/result.jsonl (its last run) and writes the HTML report DIR/report.html beside it, over an older
/// one. For the end of `run --report`: one process calls it, when the end record is in the file. Needs no
/// MPI. Returns the path of what was written. Throws record::ReadError and Refused.
std::filesystem::path write_report(const std::filesystem::path& directory);

/// Form of a LaTeX text. A body has no document around it, to be read in by another one, and after its tables the
/// curves over lengths as figures of pgfplots.
enum class LatexForm { document, body };
/// Writes the report as `file` (.tex) with the short tables, and beside it one file of columns (NAME-01-messages.dat)
/// for each long table and each figure of the balance; all are replaced. "-": the document alone, on standard output.
/// Throws Refused if one cannot be written.
void write_latex(const report::ReportInput& material, const std::string& title, const std::string& file,
                 LatexForm form = LatexForm::document);

}  // namespace steelyard::cli
