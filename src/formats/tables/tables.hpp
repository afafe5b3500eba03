// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/tables.hpp"
#include "record/json.hpp"

/// One Tables object in every form. Numbers for the eye have three significant digits (or as many decimals as
/// the cell tells), for programs the shortest decimal that restores them; none depends on the locale.
namespace steelyard::formats {

/// Text for a terminal: headings, sentences wrapped at `width`, columns aligned, notes below.
[[nodiscard]] std::string tables_text(const analysis::Tables& tables, std::size_t width = 100);
/// One section of that text; an empty line stands between two.
[[nodiscard]] std::string section_text(const analysis::Section& section, std::size_t width = 100);

/// Markdown with GitHub's tables.
[[nodiscard]] std::string tables_markdown(const analysis::Tables& tables);

/// Printable ASCII as LaTeX prints it literally in a text font of OT1: no command, no ligature.
[[nodiscard]] std::string latex_text(std::string_view ascii);

/// Document of LaTeX with booktabs and longtable: no text of a record becomes a command; letters beyond ASCII
/// become their names or a question mark.
[[nodiscard]] std::string tables_latex(const analysis::Tables& tables, std::string_view title);
/// The same LaTeX without a document around it, to be read in by another one: a comment names the packages
/// that the document needs.
[[nodiscard]] std::string tables_latex_body(const analysis::Tables& tables);
/// Figure of pgfplots for a table of points over lengths, both axes logarithmic: a curve for each run, number
/// of processes and case, at most eight. Empty if the table holds no two points of one curve.
[[nodiscard]] std::string latex_plot(const analysis::Section& section);
/// Table in columns that any plotting program reads: a comment, the names of the columns with their units,
/// one line a row; texts without blanks, nan for absent values.
[[nodiscard]] std::string table_columns(const analysis::Section& section);

/// Sections of HTML without a page around them: every text is escaped. `level`: that of their headings.
[[nodiscard]] std::string tables_html(const analysis::Tables& tables, int level = 2);
/// Text escaped for HTML, for readers: numbers stay beside their units, and "us" is "µs".
[[nodiscard]] std::string html_text(std::string_view text);
/// The same for a sentence, as markup: names and commands with a hyphen stay on one line.
[[nodiscard]] std::string html_sentence(std::string_view text);
/// Text escaped for HTML inside double quotes, where a script reads it as it is.
[[nodiscard]] std::string html_attribute(std::string_view text);
/// The same HTML as one page that needs no other file.
[[nodiscard]] std::string tables_page(const analysis::Tables& tables, std::string_view title);

/// CSV by RFC 4180: the tables with this id, which have the same columns, under one heading line.
[[nodiscard]] std::string tables_csv(const analysis::Tables& tables, std::string_view id);
/// Lines of one table in that CSV; `headed`: below their heading line.
[[nodiscard]] std::string table_csv(const analysis::Table& table, bool headed);

/// List of sections: id, title, text, columns (key, title, unit), rows, notes.
[[nodiscard]] record::Json tables_json(const analysis::Tables& tables);

// Cells as texts. Internal to this folder.

/// Cell as the eye reads it: "0.394", "(295)", "-" for an empty number, "[V1]" for flags.
[[nodiscard]] std::string eye_text(const analysis::Cell& cell, analysis::ColumnKind kind);
/// Columns that the eye sees.
[[nodiscard]] std::vector<std::size_t> eye_columns(const analysis::Table& table);
/// Rows that the eye sees.
[[nodiscard]] std::vector<std::size_t> eye_rows(const analysis::Table& table);
/// Heading of a column: title and unit.
[[nodiscard]] std::string heading(const analysis::Column& column);

}  // namespace steelyard::formats
