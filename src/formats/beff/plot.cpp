// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/beff/words.hpp"

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

}  // namespace

std::string plot_data(const analysis::BeffRun& run, const std::vector<Figure>& figures) {
  std::string text;
  for (const Figure& figure : figures) text += (text.empty() ? "" : "\n\n") + data_set(run, figure);
  return text;
}

}  // namespace steelyard::formats::beff
