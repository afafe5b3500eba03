// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>

#include "suites/hpcc/input/file.hpp"

namespace steelyard::hpcc {
namespace {

std::string line(std::string value, std::string_view meaning) {
  constexpr std::size_t column = 16;
  value.resize(std::max(value.size() + 2, column), ' ');
  return value + std::string(meaning) + '\n';
}

template <class Number>
std::string number(Number value, std::string_view meaning) {
  return line(std::to_string(static_cast<std::int64_t>(value)), meaning);
}

template <class Number>
std::string values(const std::vector<Number>& list, std::string_view meaning) {
  std::string text;
  for (const auto value : list)
    text += (text.empty() ? "" : " ") + std::to_string(static_cast<std::int64_t>(value));
  return line(text, meaning);
}

template <class Number>
std::string counted(const std::vector<Number>& list, std::string_view meaning) {
  return number(list.size(), "number of values in the next line") + values(list, meaning);
}

/// All digits, no exponent, at least one decimal.
std::string plain(double value) {
  std::array<char, 400> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
  const std::string word(text.data(), static_cast<std::size_t>(end - text.data()));
  return word.find('.') == std::string::npos ? word + ".0" : word;
}

std::string grids(const std::vector<Grid>& all) {
  std::vector<int> rows, columns;
  for (const auto& grid : all) {
    rows.push_back(grid.rows);
    columns.push_back(grid.columns);
  }
  return counted(rows, "P") + values(columns, "Q");
}

std::string solver_lines(const hpl::Options& options) {
  return counted(options.panel, "PFACT: 0 left, 1 Crout, 2 right") + counted(options.stop, "NBMIN") +
         counted(options.parts, "NDIV") + counted(options.recursive, "RFACT: 0 left, 1 Crout, 2 right") +
         counted(options.broadcast, "BCAST: 0 1rg, 1 1rM, 2 2rg, 3 2rM, 4 Lng, 5 LnM") +
         counted(options.depth, "DEPTH") + number(options.swap, "SWAP: 0 bin-exch, 1 long, 2 mix") +
         number(options.swap_threshold, "swapping threshold, columns") +
         number(options.l1, "L1: 0 transposed, 1 not transposed") +
         number(options.u, "U: 0 transposed, 1 not transposed") +
         number(options.equilibration, "equilibration: 0 no, 1 yes") +
         number(options.alignment, "alignment in doubles");
}

}  // namespace

std::string write_input(const Settings& settings) {
  return "HPC Challenge input file, written by steelyard\n"
         "Lines 5 to 31 are of the linear solver; the sizes of all tests follow from N, P and Q.\n" +
         line("HPL.out", "file of the linear solver alone") + number(6, "device of the linear solver alone") +
         counted(settings.problem.orders, "N") + counted(settings.problem.blocks, "NB") +
         number(settings.solver.mapping, "PMAP: 0 row-major, 1 column-major") +
         grids(settings.problem.grids) + line(plain(settings.threshold), "threshold of the checks") +
         solver_lines(settings.solver) +
         "--- PTRANS alone; its own N are used beside half of each N above, its own NB before those above\n" +
         counted(settings.extra_orders, "N of PTRANS") + counted(settings.extra_blocks, "NB of PTRANS");
}

}  // namespace steelyard::hpcc
