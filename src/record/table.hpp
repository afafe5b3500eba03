// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "record/records.hpp"

namespace steelyard::record {

/// Table in parts that each fit into a line of a result file, numbered part = 1 .. parts; a table that fits
/// is returned as it is. `columns` is an object of lists of equal length. Throws std::domain_error if it is
/// not, and WriteError (file.hpp) if a single row is too long.
[[nodiscard]] std::vector<TableRecord> split_table(const TableRecord& table);

/// Adds the rows of `more` behind those of `into`; returns false and adds nothing if one of them is no table
/// or their columns differ.
[[nodiscard]] bool append_rows(TableRecord& into, const TableRecord& more);

}  // namespace steelyard::record
