// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.hpp"

/// Pieces of the page. Of this room alone.
namespace steelyard::report {

/// Title, and what was run where: machine, processes, MPI, preset, date, id; at most six results.
struct Head {
  std::string title, facts;
};
[[nodiscard]] Head head_html(const ReportInput& input, const std::string& title, const PageOptions& options);
/// How many errors and warnings bear on validity, as a link to them; empty without any.
[[nodiscard]] std::string validity_line(const Part& verdict);
/// Figures of merit as cards, each a link to its part.
[[nodiscard]] std::string cards_html(const std::vector<Card>& cards);

/// A table of what bears on validity: each row a link to its part and, for scripts, to its points.
[[nodiscard]] std::string validity_html(const analysis::Section& section);
/// What bears on the validity of a part, with the way back to all of it.
[[nodiscard]] std::string warnings_html(const std::vector<Warning>& warnings);

}  // namespace steelyard::report
