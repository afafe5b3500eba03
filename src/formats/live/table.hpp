// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <ostream>

#include "formats/live/verdict.hpp"
#include "formats/writer.hpp"

namespace steelyard::formats {

struct TableStyle {
  bool colour = false;
  bool utf8 = false;
  bool brief = false;                   // a row per benchmark instead of one per point
  std::size_t columns = brief_columns;  // of a line of the brief form; remarks go below where it has fewer
};

/// steelyard's own tables. Long: one per benchmark and process number, a row per point, fixed columns, four
/// significant digits. Brief: one per suite, a row per benchmark, written when the suite ends. For an
/// experiment of thousands of points, b_eff, both show failures and the summary. Sizes that were left out are
/// one line a table; a doubt stands in the row that it is about.
[[nodiscard]] std::unique_ptr<Writer> live_table(std::ostream& out, TableStyle style = {});

}  // namespace steelyard::formats
