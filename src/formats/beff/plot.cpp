// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/beff/print.hpp"

namespace steelyard::formats::beff {
namespace {

std::string cell(const std::optional<double>& byte_s) {
  return byte_s ? number(megabytes(byte_s), 7, 3) + " " : fmt::format("{:>7} ", "NaN");
}

/// Lengths that a figure has.
std::size_t rows(const Figure& figure) {
  std::size_t most = 0;
  for (const Curve& one : figure.curves) most = std::max(most, one.byte_s.size());
  return most;
}

std::string data_set(const analysis::BeffRun& run, const Figure& figure) {
  std::string text = "# " + figure.data + ":";
  for (const Curve& one : figure.curves) text += (&one == &figure.curves.front() ? " " : ", ") + one.name;
  text += "\n";
  for (std::size_t k = 0; k < rows(figure); ++k) {
    text += fmt::format("{:10} ", run.cube().lengths()[k].count());
    for (const Curve& one : figure.curves) text += cell(one.byte_s[k]);
    text += "\n";
  }
  return text;
}

/// In single quotes, where only the quote itself has a meaning.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
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
      "set format x '%.0s%c'\n"  // 1M, where the usual form has no room for zeros
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

}  // namespace

std::string plot_data(const analysis::BeffRun& run, const std::vector<Figure>& figures) {
  std::string text;
  for (const Figure& figure : figures) text += (text.empty() ? "" : "\n\n") + data_set(run, figure);
  return text;
}

std::string gnuplot_script(const analysis::BeffRun& run, const std::vector<Figure>& figures,
                           const BeffFilesOptions& options) {
  std::string text = head(run, figures, options);
  for (std::size_t i = 0; i < figures.size(); ++i)
    text += fmt::format("\nset output {}\nset title {}\nplot {}\n", in_quotes(figure_file(i)),
                        in_quotes(figures[i].title),
                        fmt::join(curves(figures[i], i, options.prefix + ".plot"), ", \\\n     "));
  return text + "\nset output\n";
}

}  // namespace steelyard::formats::beff
