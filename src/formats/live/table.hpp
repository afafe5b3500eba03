// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <ostream>

#include "formats/writer.hpp"

namespace steelyard::formats {

struct TableStyle {
  bool colour = false;
  bool utf8 = false;
};

/// steelyard's own table: one per benchmark and process number, fixed columns, four significant digits
/// (interface: "Terminal, live table"). Of an experiment of thousands of points, b_eff, it shows what went
/// wrong and the summary.
[[nodiscard]] std::unique_ptr<Writer> live_table(std::ostream& out, TableStyle style = {});

}  // namespace steelyard::formats
