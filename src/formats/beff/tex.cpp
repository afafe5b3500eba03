// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "formats/beff/overview.hpp"
#include "formats/beff/plot.hpp"
#include "formats/beff/print.hpp"
#include "formats/imb/head.hpp"
#include "formats/latex.hpp"

namespace steelyard::formats::beff {
namespace {

const char* const preamble = R"(\documentclass[11pt]{article}
\usepackage{graphicx}
\AtBeginDvi{\special{papersize=210mm,297mm}}
\setlength{\textwidth}{17cm}
\setlength{\textheight}{25cm}
\setlength{\oddsidemargin}{-0.54cm}
\setlength{\topmargin}{-1.54cm}
\setlength{\headheight}{0pt}
\setlength{\headsep}{0pt}
\setlength{\parindent}{0pt}
\setlength{\parskip}{1.5ex}
\setlength{\tabcolsep}{3pt}
\raggedright
\begin{document}
)";

std::string title(const Source& source) {
  return fmt::format(
      "\\begin{{center}}\n{{\\LARGE Effective Bandwidth Benchmark ($b_{{\\mathrm{{eff}}}}$)}}\n\n"
      "{{\\large {} processes, {}}}\n\\end{{center}}\n\n",
      source.run.cube().processes(), latex_text(plain(asctime_form(source.head.started_utc))));
}

std::string system(const Source& source) {
  const auto names = uname(source.head.machine, source.head.layout);
  std::string text = "\\begin{tabular}{@{}ll@{}}\n";
  for (const auto& [name, value] : {std::pair{"System", names.sysname},
                                    {"Host", names.nodename},
                                    {"Release", names.release},
                                    {"Version", names.version},
                                    {"Machine", names.machine},
                                    {"MPI", member(source.head.mpi.json(), "library")}})
    text += fmt::format("{} & \\parbox[t]{{14cm}}{{\\raggedright {}}}\\\\\n", name, latex_text(value));
  return text + "\\end{tabular}\n\n";
}

std::string trimmed_cell(std::string_view cell) {
  const auto first = cell.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : std::string(cell.substr(first));
}

template <class CellOf>
std::string table_row(std::string_view name, const std::vector<OverviewColumn>& columns, CellOf cell_of) {
  std::string text(name);
  for (const auto& column : columns) text += fmt::format(" & {}", cell_of(column));
  return text + " \\\\\n";
}

std::string table(const std::vector<OverviewColumn>& columns) {
  const auto cell = [](const std::string& text) { return latex_text(trimmed_cell(text)); };
  std::string text = fmt::format("\\begin{{center}}\n\\footnotesize\n\\begin{{tabular}}{{|l|{}|}}\n\\hline\n",
                                 std::string(columns.size(), 'r'));
  for (std::size_t i = 0; i < columns.front().heading.size(); ++i)
    text += table_row("", columns, [&](const auto& column) { return latex_text(column.heading[i]); });
  return text + table_row("", columns, [](const auto& column) { return latex_text(column.unit); }) +
         "\\hline\n" +
         table_row("accumulated", columns, [&](const auto& column) { return cell(column.accumulated); }) +
         table_row("per process", columns, [&](const auto& column) { return cell(column.per_process); }) +
         "\\hline\n\\end{tabular}\n\\end{center}\n\n";
}

std::string pingpong(const Source& source) {
  const auto& derived = source.run.derived();
  return fmt::format("Ping-pong between two processes: latency {} microsec, bandwidth {} MByte/s.\n\n",
                     trimmed_cell(number(microseconds(derived.pingpong_latency_s), 6, 3)),
                     trimmed_cell(number(megabytes(derived.pingpong_bandwidth_byte_s), 9, 0)));
}

std::string validity(const Source& source) {
  if (source.summary.official.value_or(false)) return "";
  std::string text = "Not valid as an official value:\n\\begin{itemize}\n";
  for (const auto& reason : source.summary.not_official_because)
    text += fmt::format("\\item {}\n", latex_text(plain(reason)));
  return text + "\\end{itemize}\n\n";
}

std::string pictures(const std::vector<Figure>& figures) {
  std::string text;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (i % 2 == 0) text += "\\newpage\n";
    text += fmt::format("\\begin{{center}}\n\\includegraphics[width=16cm]{{{}}}\n\\end{{center}}\n",
                        figure_file(i));
  }
  return text;
}

}  // namespace

std::string latex_report(const Source& source, const std::vector<Figure>& figures) {
  return preamble + title(source) + system(source) + latex_text(last_line(source)) + "\n\n" +
         table(overview_columns(source)) + pingpong(source) + validity(source) + pictures(figures) +
         "\\end{document}\n";
}

}  // namespace steelyard::formats::beff
