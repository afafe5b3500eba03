// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.hpp"

/// Pieces of the page. Of this room alone.
namespace steelyard::report {

/// Title, and what was run where: machine, processes, MPI, preset, date, id; at most six results.
[[nodiscard]] std::string head_html(const Material& material, const std::string& title,
                                    const PageOptions& options);
/// Figures of merit as cards, each a link to its part.
[[nodiscard]] std::string cards_html(const std::vector<Card>& cards);

}  // namespace steelyard::report
