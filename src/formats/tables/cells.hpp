// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/tables.hpp"

/// Cells as texts. Of this room alone.
namespace steelyard::formats {

/// "0.394", "(295)", "-" for an empty number, "[V1]" for flags.
[[nodiscard]] std::string eye_text(const analysis::Cell& cell, analysis::ColumnKind kind);
/// Columns that the eye sees.
[[nodiscard]] std::vector<std::size_t> eye_columns(const analysis::Table& table);
/// Rows that the eye sees.
[[nodiscard]] std::vector<std::size_t> eye_rows(const analysis::Table& table);
/// Title and unit.
[[nodiscard]] std::string heading(const analysis::Column& column);

}  // namespace steelyard::formats
