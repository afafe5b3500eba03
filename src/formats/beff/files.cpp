// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "formats/beff/print.hpp"
#include "formats/beff/sections.hpp"
#include "formats/imb/head.hpp"
#include "formats/tables/tables.hpp"

namespace steelyard::formats {
namespace beff {
namespace {

// The ten figures of b_eff as data: the data file, the script and the report all follow this list.

struct Curve {
  std::string name;
  std::vector<std::optional<double>> byte_s;  // of one process, by length
};

struct Figure {
  std::string data;  // of its data set in the data file
  std::string title;
  std::vector<Curve> curves;
};

using analysis::BeffRun;
using analysis::PatternRole;
using analysis::SetAverages;
using Value = std::optional<double>;
using Averaged = analysis::EffectiveBandwidth::Averaged;
/// Values of all patterns and their averages, by length.
using Lengths = std::vector<Averaged>;

template <class ValueAt>
Curve curve(std::string name, const BeffRun& run, const Lengths& lengths, ValueAt value_at) {
  Curve result{std::move(name), {}};
  for (const Averaged& at : lengths) result.byte_s.push_back(share(value_at(at), run.cube().processes()));
  return result;
}

/// Values of one method, without the lengths at which not all patterns were measured.
Lengths of_method(const BeffRun& run, int method) {
  Lengths lengths = run.result().each_method_length[static_cast<std::size_t>(method)];
  if (run.shortened()) lengths.resize(lengths.size() - 2);
  return lengths;
}

std::vector<std::size_t> patterns_of(const BeffRun& run, PatternRole role) {
  std::vector<std::size_t> chosen;
  for (std::size_t p = 0; p < run.cube().patterns().size(); ++p)
    if (run.cube().patterns()[p].role == role && p != run.pingpong()) chosen.push_back(p);
  return chosen;
}

Curve pattern_curve(const BeffRun& run, const Lengths& lengths, std::size_t pattern) {
  std::string name = plain(run.cube().patterns()[pattern].name);
  // Several rings have the same sizes if there are few processes.
  if (run.cube().patterns()[pattern].role == PatternRole::ring)
    name = fmt::format("p{:02} {}", run.number(pattern), name);
  return curve(std::move(name), run, lengths, [=](const Averaged& at) { return at.patterns[pattern]; });
}

enum class Extreme { worst, best };

/// Worst or best of the patterns of one set at each length; absent if one of them is.
Curve extreme_curve(std::string name, const BeffRun& run, const Lengths& lengths, PatternRole role,
                    Extreme which) {
  const auto chosen = patterns_of(run, role);
  return curve(std::move(name), run, lengths, [&](const Averaged& at) -> Value {
    std::vector<Value> values;
    for (const auto p : chosen) values.push_back(at.patterns[p]);
    const auto [least, most] = std::ranges::minmax_element(values);  // an absent value is the least
    if (values.empty() || !*least) return std::nullopt;
    return which == Extreme::worst ? *least : *most;
  });
}

Curve average_curve(std::string name, const BeffRun& run, const Lengths& lengths, Value SetAverages::*value) {
  return curve(std::move(name), run, lengths, [=](const Averaged& at) { return at.sets.*value; });
}

Figure ring_and_random(const BeffRun& run, const Lengths& lengths, const std::string& data,
                       const std::string& title) {
  Figure figure{data + ": ring & random", title + ", ring & random patterns", {}};
  for (const auto p : patterns_of(run, PatternRole::ring))
    figure.curves.push_back(pattern_curve(run, lengths, p));
  figure.curves.push_back(extreme_curve("worst random", run, lengths, PatternRole::random, Extreme::worst));
  figure.curves.push_back(average_curve("avg random", run, lengths, &SetAverages::random));
  figure.curves.push_back(extreme_curve("best random", run, lengths, PatternRole::random, Extreme::best));
  return figure;
}

Figure additional(const BeffRun& run, const Lengths& lengths, const std::string& data,
                  const std::string& title) {
  Figure figure{data + ": additional", title + ", additional patterns", {}};
  for (const auto p : patterns_of(run, PatternRole::additional))
    figure.curves.push_back(pattern_curve(run, lengths, p));
  return figure;
}

Figure compared_methods(const BeffRun& run) {
  Figure figure{"compare the methods: ring & random", "Ring & random average of the three methods", {}};
  for (const auto& [set, value] : {std::pair{"ring", &SetAverages::rings}, {"random", &SetAverages::random}})
    for (int m = 0; m < run.cube().methods(); ++m)
      figure.curves.push_back(
          average_curve(fmt::format("{}, {}", set, run.methods()[static_cast<std::size_t>(m)]), run,
                        of_method(run, m), value));
  return figure;
}

Figure compared_sets(const BeffRun& run) {
  const Lengths& lengths = run.result().each_length;
  Figure figure{"compare ring & random", "Best transfer method, rings & random compared", {}};
  for (const auto& [name, role, average] : {std::tuple{"ring", PatternRole::ring, &SetAverages::rings},
                                            {"random", PatternRole::random, &SetAverages::random}}) {
    figure.curves.push_back(extreme_curve(fmt::format("worst {}", name), run, lengths, role, Extreme::worst));
    figure.curves.push_back(average_curve(fmt::format("avg {}", name), run, lengths, average));
    figure.curves.push_back(extreme_curve(fmt::format("best {}", name), run, lengths, role, Extreme::best));
  }
  figure.curves.push_back(average_curve("avg ring & random", run, lengths, &SetAverages::both));
  return figure;
}

std::string cell(const std::optional<double>& byte_s) {
  return byte_s ? number(megabytes(byte_s), 7, 3) + " " : fmt::format("{:>7} ", "NaN");
}

/// Number of lengths of a figure.
std::size_t rows_of(const Figure& figure) {
  std::size_t most = 0;
  for (const Curve& one : figure.curves) most = std::max(most, one.byte_s.size());
  return most;
}

std::string data_set(const analysis::BeffRun& run, const Figure& figure) {
  std::string text = "# " + figure.data + ":";
  for (const Curve& one : figure.curves) text += (&one == &figure.curves.front() ? " " : ", ") + one.name;
  text += "\n";
  for (std::size_t k = 0; k < rows_of(figure); ++k) {
    text += fmt::format("{:10} ", run.cube().lengths()[k].count());
    for (const Curve& one : figure.curves) text += cell(one.byte_s[k]);
    text += "\n";
  }
  return text;
}

double largest_byte_s(const std::vector<Figure>& figures) {
  double most = 0;
  for (const Figure& figure : figures)
    for (const Curve& curve : figure.curves)
      for (const auto& value : curve.byte_s) most = std::max(most, value.value_or(0));
  return most;
}

std::pair<double, double> y_range(const std::vector<Figure>& figures, const BeffFilesOptions& options) {
  constexpr double least = 0.01, usual_most = 10000;
  if (options.y_range) return *options.y_range;
  double most = usual_most;
  while (most <= largest_byte_s(figures) / 1e6) most *= 10;
  return {least, most};
}

/// The fifth colour of gnuplot cannot be seen on paper.
constexpr auto darker_than_yellow = "set linetype 5 linecolor rgb '#8c564b'\n";

std::string head(const analysis::BeffRun& run, const std::vector<Figure>& figures,
                 const BeffFilesOptions& options) {
  const auto [low, high] = y_range(figures, options);
  const auto& lengths = run.cube().lengths();
  return fmt::format(
      "set term postscript eps noenhanced {} 'Times-Roman' 18\n"
      "set logscale x\nset logscale y\n"
      "set xrange [{}:{}]\nset yrange [{:g}:{:g}]\n"
      "set format x '%.0s%c'\n"  // 1M; the usual form has no room for zeros
      "set xlabel 'message length per process [Byte]'\nset ylabel 'bandwidth [MB/s]'\n"
      "set key bottom right opaque font 'Times-Roman,15' spacing 0.9\n{}",
      options.colour ? "color" : "monochrome", lengths.front().count(),
      std::max(lengths.back().count(), lengths.front().count() + 1), low, high,
      options.colour ? darker_than_yellow : "");
}

bool has_values(const Curve& curve) {
  return std::ranges::any_of(curve.byte_s, [](const auto& value) { return value.has_value(); });
}

/// gnuplot warns of a curve without any point, so that none is drawn; the column stays in the data.
std::vector<std::string> curves(const Figure& figure, std::size_t index, const std::string& data_file) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < figure.curves.size(); ++i)
    if (has_values(figure.curves[i]))
      list.push_back(fmt::format("{} index {} using 1:{} title {} with linespoints lt {} pt {}",
                                 in_quotes(data_file), index, i + 2, in_quotes(figure.curves[i].name), i + 1,
                                 i + 1));
  if (list.empty()) list.emplace_back("NaN title 'not measured'");
  return list;
}

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

std::string latex_system(const Source& source) {
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
std::string latex_row(std::string_view name, const std::vector<OverviewColumn>& columns, CellOf cell_of) {
  std::string text(name);
  for (const auto& column : columns) text += fmt::format(" & {}", cell_of(column));
  return text + " \\\\\n";
}

std::string latex_overview(const std::vector<OverviewColumn>& columns) {
  const auto cell = [](const std::string& text) { return latex_text(trimmed_cell(text)); };
  std::string text = fmt::format("\\begin{{center}}\n\\footnotesize\n\\begin{{tabular}}{{|l|{}|}}\n\\hline\n",
                                 std::string(columns.size(), 'r'));
  for (std::size_t i = 0; i < columns.front().heading.size(); ++i)
    text += latex_row("", columns, [&](const auto& column) { return latex_text(column.heading[i]); });
  return text + latex_row("", columns, [](const auto& column) { return latex_text(column.unit); }) +
         "\\hline\n" +
         latex_row("accumulated", columns, [&](const auto& column) { return cell(column.accumulated); }) +
         latex_row("per process", columns, [&](const auto& column) { return cell(column.per_process); }) +
         "\\hline\n\\end{tabular}\n\\end{center}\n\n";
}

std::string pingpong(const Source& source) {
  const auto& derived = source.run.derived();
  return fmt::format("Ping-pong between two processes: latency {} microsec, bandwidth {} MByte/s.\n\n",
                     trimmed_cell(number(microseconds(derived.pingpong_latency_s), 6, 3)),
                     trimmed_cell(number(megabytes(derived.pingpong_bandwidth_byte_s), 9, 0)));
}

std::string latex_validity(const Source& source) {
  if (source.summary.official.value_or(false)) return "";
  std::string text = "Not valid as an official value:\n\\begin{itemize}\n";
  for (const auto& reason : source.summary.not_official_because)
    text += fmt::format("\\item {}\n", latex_text(plain(reason)));
  return text + "\\end{itemize}\n\n";
}

// File name of figure i: "epsfig0.eps", ...
std::string figure_file(std::size_t i) {
  return fmt::format("epsfig{}.eps", i);
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

// Figures of a run. Curves of a single method end before the last two lengths if those were shortened.
std::vector<Figure> figures(const BeffRun& run) {
  std::vector<Figure> list;
  for (int m = 0; m < run.cube().methods(); ++m) {
    const auto& name = run.methods()[static_cast<std::size_t>(m)];
    list.push_back(ring_and_random(run, of_method(run, m), name, name));
    list.push_back(additional(run, of_method(run, m), name, name));
  }
  list.push_back(ring_and_random(run, run.result().each_length, "best", "Best transfer method"));
  list.push_back(additional(run, run.result().each_length, "best", "Best transfer method"));
  list.push_back(compared_methods(run));
  list.push_back(compared_sets(run));
  return list;
}

// Data sets of all figures, separated by two blank lines: length, then one column per curve in MB/s; NaN for
// a value that was not measured.
std::string plot_data(const analysis::BeffRun& run, const std::vector<Figure>& figures) {
  std::string text;
  for (const Figure& figure : figures) text += (text.empty() ? "" : "\n\n") + data_set(run, figure);
  return text;
}

// Script for gnuplot 4.6 and later that draws the figures from PREFIX.plot in the same directory.
std::string gnuplot_script(const analysis::BeffRun& run, const std::vector<Figure>& figures,
                           const BeffFilesOptions& options) {
  std::string text = head(run, figures, options);
  for (std::size_t i = 0; i < figures.size(); ++i)
    text += fmt::format("\nset output {}\nset title {}\nplot {}\n", in_quotes(figure_file(i)),
                        in_quotes(figures[i].title),
                        fmt::join(curves(figures[i], i, options.prefix + ".plot"), ", \\\n     "));
  return text + "\nset output\n";
}

// Source for LaTeX with dvips: results, then the figures, two on a page.
std::string latex_report(const Source& source, const std::vector<Figure>& figures) {
  return preamble + title(source) + latex_system(source) + latex_text(last_line(source)) + "\n\n" +
         latex_overview(overview_columns(source)) + pingpong(source) + latex_validity(source) +
         pictures(figures) + "\\end{document}\n";
}

}  // namespace
}  // namespace beff

namespace {

using beff::Source;

struct Section {
  std::string_view name;
  std::string (*body)(const Source&);
};

constexpr Section section_head{"HEAD", beff::head};
constexpr Section section_overview{"BEFF", beff::overview};
constexpr std::array protocol = {section_head, Section{"LOOP", beff::loop},
                                 Section{"LOOPLNGS", beff::loop_lengths}, Section{"VALUES", beff::values}};
constexpr std::array short_protocol = {section_head,
                                       Section{"ELAPSED", beff::elapsed},
                                       Section{"PATTERN", beff::patterns},
                                       Section{"BY-METHODS", beff::by_methods},
                                       Section{"BY-REPETITIONS", beff::by_repetitions},
                                       Section{"BY-MTHD-MSGLNG", beff::by_method_and_length},
                                       Section{"BY-MSGLNG", beff::by_length},
                                       Section{"BY-PATTERN-MSGLNG", beff::by_pattern_and_length},
                                       section_overview};
constexpr std::array summary = {section_head, section_overview};

std::string text(const Source& source, std::span<const Section> sections, const std::string& last_line) {
  std::string result;
  for (const Section& section : sections) {
    const std::string marker = "SECTION-" + std::string(section.name);
    result += marker + "-BEGIN\n" + section.body(source) + marker + "-END\n\n";
  }
  return result + last_line + "\n";
}

}  // namespace

BeffFiles beff_files(const record::RunRecord& head, const analysis::BeffRun& run,
                     const analysis::BeffFrame& frame, std::optional<double> elapsed_s,
                     const BeffFilesOptions& options) {
  const Source source{head, run, frame, analysis::beff_summary(run, frame), elapsed_s};
  const auto figures = beff::figures(run);
  BeffFiles files;
  files.last_line = beff::last_line(source);
  files.prot = text(source, protocol, files.last_line);
  files.shorter = text(source, short_protocol, files.last_line);
  files.sum = text(source, summary, files.last_line);
  files.plot = beff::plot_data(run, figures);
  files.gps = beff::gnuplot_script(run, figures, options);
  files.tex = beff::latex_report(source, figures);
  return files;
}

}  // namespace steelyard::formats
