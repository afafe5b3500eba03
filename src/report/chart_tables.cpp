// SPDX-License-Identifier: Apache-2.0
#include "report/chart_tables.hpp"

#include <algorithm>

namespace steelyard::report {

using analysis::Column;
using analysis::ColumnKind;
using analysis::Section;

Section chart_section(const char* id, const char* title, std::vector<Column> columns) {
  return {id, title, {}, {id, std::move(columns), {}, {}}, {}};
}

Column text_column(const char* key, const char* title) {
  return {key, title, "", ColumnKind::text};
}

Column number_column(const char* key, const char* title, const char* unit) {
  return {key, title, unit, ColumnKind::number};
}

Section thinned(Section section, std::size_t most) {
  auto& rows = section.table.rows;
  const std::size_t size = rows.size();
  if (size <= most) return section;
  std::vector<std::vector<analysis::Cell>> kept;
  for (const std::size_t i : evenly(size, most)) kept.push_back(std::move(rows[i]));
  rows = std::move(kept);
  section.notes.push_back(std::to_string(most) + " of " + std::to_string(size) + " rows, evenly thinned");
  return section;
}

analysis::Tables chart_tables(const Source& source) {
  analysis::Tables all;
  for (auto* make : {beff_tables, io_tables, time_tables})
    std::ranges::move(make(source), std::back_inserter(all));
  return all;
}

}  // namespace steelyard::report
