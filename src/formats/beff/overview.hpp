// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "formats/beff/sections.hpp"

/// The table of results, for the text and for LaTeX. Of this room alone.
namespace steelyard::formats::beff {

/// One column: what stands above it, and its cells, "" where a row has none.
struct OverviewColumn {
  std::array<std::string_view, 4> heading;
  std::string_view unit;
  int gap = 0, width = 0;  // blanks before the cell, width of the cell
  std::string accumulated, per_process;
};

/// number of processes, b_eff, Lmax, b_eff at Lmax (all; rings), latency (all; rings; ping-pong), ping-pong
/// bandwidth.
[[nodiscard]] std::vector<OverviewColumn> overview_columns(const Source& source);

}  // namespace steelyard::formats::beff
