// SPDX-License-Identifier: Apache-2.0
#include "exports/latex.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "exports/output.hpp"
#include "formats/tables/tables.hpp"

namespace steelyard::cli {
namespace {

/// Letters, digits and strokes.
std::string plain(std::string_view words) {
  std::string text;
  for (const char c : words) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return text;
}

/// Long tables of the parts, then the figures of the balance.
analysis::Tables long_tables(const report::ReportInput& material, const std::vector<report::Part>& parts) {
  analysis::Tables list;
  for (const report::Part& part : parts)
    for (analysis::Section section : part.folded) {
      section.id = part.id;
      if (!section.table.rows.empty()) list.push_back(std::move(section));
    }
  if (material.judged)
    for (analysis::Section& section : balance::figures(*material.judged)) list.push_back(std::move(section));
  return list;
}

/// The tables that are read at once, and where the numbers of the others lie.
analysis::Tables read_at_once(const std::vector<report::Part>& parts, const analysis::Tables& lists,
                              const std::vector<std::string>& files) {
  analysis::Tables tables;
  for (const report::Part& part : parts) {
    tables.push_back({part.id, part.title, {}, {}, {}});
    tables.insert(tables.end(), part.shown.begin(), part.shown.end());
  }
  analysis::Section data{"data", "Data in columns", {}, {"data", {}, {}, {}}, {}};
  data.table.columns = {{"file", "file", "", analysis::ColumnKind::text},
                        {"table", "table", "", analysis::ColumnKind::text},
                        {"rows", "rows", "", analysis::ColumnKind::number}};
  for (std::size_t i = 0; i < files.size(); ++i)
    data.table.rows.push_back({files[i], lists[i].title, std::ssize(lists[i].table.rows)});
  if (!files.empty()) tables.push_back(std::move(data));
  return tables;
}

/// The curves of every part.
std::string figures(const std::vector<report::Part>& parts) {
  std::string text;
  for (const report::Part& part : parts)
    for (const auto* list : {&part.shown, &part.folded})
      for (const analysis::Section& section : *list) text += formats::latex_plot(section);
  return text;
}

}  // namespace

void write_latex(const report::ReportInput& material, const std::string& title, const std::string& file,
                 LatexForm form) {
  const auto parts = report::parts(material);
  const bool alone = file == "-";
  const auto lists = alone ? analysis::Tables() : long_tables(material, parts);
  const std::filesystem::path path(file);
  std::vector<std::string> names;
  for (const auto& section : lists)
    names.push_back(
        fmt::format("{}-{:02}-{}.dat", path.stem().string(), names.size() + 1, plain(section.id)));
  const auto tables = read_at_once(parts, lists, names);
  write_output(form == LatexForm::body ? formats::tables_latex_body(tables) + figures(parts)
                                       : formats::tables_latex(tables, title),
               file, Existing::replaced);
  for (std::size_t i = 0; i < lists.size(); ++i)
    write_output(formats::table_columns(lists[i]), (path.parent_path() / names[i]).string(),
                 Existing::replaced);
}

}  // namespace steelyard::cli
