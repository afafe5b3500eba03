// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/records.hpp"

/// What the record of a point of b_eff holds, one pattern with one method and length: written by the session, read by
/// summaries and texts. Pure.
namespace steelyard::beff {

/// Lists have an element for each repetition that was measured: its number, from 1, the operations of its loop and their
/// time by the slowest process, and the bandwidth of a process, least, mean and most. They are empty where none was.
struct LoopFigures {
  std::string pattern_name, set;
  std::optional<std::int64_t> slots, messages, used;
  std::vector<double> repetition, looplength, repeats_s, min_byte_s, avg_byte_s, max_byte_s;
  std::optional<double> best_s, bandwidth_byte_s;
};

/// Adds the figures to the classic values.
void put_figures(const LoopFigures& figures, record::PointRecord& record);
[[nodiscard]] LoopFigures figures_of(const record::PointRecord& point);
/// Whether any repetition of the point was measured.
[[nodiscard]] bool has_figures(const record::PointRecord& point);

}  // namespace steelyard::beff
