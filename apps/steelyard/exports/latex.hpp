// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/report.hpp"

namespace steelyard::cli {

/// The report as `file` (.tex) with the tables that are read at once, and beside it one file of columns
/// (NAME-01-messages.dat) for each long table and each figure of the balance; all are replaced. "-": the
/// document alone, on standard output. Throws Refused where one cannot be written.
/// A body has no document around it, for \input, and after its tables the curves over lengths as figures of pgfplots.
enum class LatexForm { document, body };
void write_latex(const report::ReportInput& material, const std::string& title, const std::string& file,
                 LatexForm form = LatexForm::document);

}  // namespace steelyard::cli
