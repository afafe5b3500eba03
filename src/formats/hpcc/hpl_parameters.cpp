// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "formats/hpcc/words.hpp"
#include "formats/hpcc/hpl_text.hpp"

namespace steelyard::formats {
namespace {

namespace hpl = steelyard::hpcc::hpl;
using steelyard::hpcc::Grid;
using Strings = std::vector<std::string>;

constexpr std::size_t text_width = 80, values_of_line = 8;
constexpr std::string_view automatic = "auto";
constexpr std::string_view factorisations[] = {"Left", "Crout", "Right"};
constexpr std::string_view broadcasts[] = {"1ring", "1ringM", "2ring", "2ringM", "Blong", "BlongM"};

/// Eight to a line, each right-aligned in eight columns.
std::string list(std::string_view label, const Strings& values) {
  std::string line = fmt::format("{:<7}:", label);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && i % values_of_line == 0) line += "\n        ";
    line += fmt::format("{:>8} ", values[i]);
  }
  return line + '\n';
}

template <class Number>
Strings numbers(const std::vector<Number>& values) {
  Strings words;
  for (const auto value : values) words.push_back(std::to_string(value));
  return words;
}

template <class Code, std::size_t n>
Strings names(const std::vector<Code>& codes, const std::string_view (&table)[n]) {
  Strings words;
  for (const auto code : codes)
    words.emplace_back(static_cast<int>(code) < 0 ? automatic : table[static_cast<std::size_t>(code)]);
  return words;
}

Strings sides(const std::vector<Grid>& grids, int Grid::*side) {
  Strings words;
  for (const auto& grid : grids) words.push_back(std::to_string(grid.*side));
  return words;
}

std::string swapping(const hpl::Options& options) {
  if (options.swap == hpl::Swap::binary_exchange) return "Binary-exchange";
  if (options.swap == hpl::Swap::spread_roll) return "Spread-roll (long)";
  if (options.swap == hpl::Swap::automatic) return std::string(automatic);
  return fmt::format("Mix (threshold = {})", options.swap_threshold);
}

std::string_view form(hpl::Storage storage) {
  return storage == hpl::Storage::transposed ? "transposed form" : "no-transposed form";
}

std::string lists(const steelyard::hpcc::Settings& settings) {
  const auto& [orders, blocks, grids] = settings.problem;
  const auto& options = settings.solver;
  const bool rows = options.mapping == hpl::Mapping::row_major;
  return list("N", numbers(orders)) + list("NB", numbers(blocks)) +
         fmt::format("PMAP   : {}-major process mapping\n", rows ? "Row" : "Column") +
         list("P", sides(grids, &Grid::rows)) + list("Q", sides(grids, &Grid::columns)) +
         list("PFACT", names(options.panel, factorisations)) + list("NBMIN", numbers(options.stop)) +
         list("NDIV", numbers(options.parts)) + list("RFACT", names(options.recursive, factorisations)) +
         list("BCAST", names(options.broadcast, broadcasts)) + list("DEPTH", numbers(options.depth));
}

std::string single_values(const hpl::Options& options) {
  const bool equilibrates = options.equilibration == hpl::Equilibration::yes;
  return fmt::format("SWAP   : {}\nL1     : {}\nU      : {}\nEQUIL  : {}\n", swapping(options),
                     form(options.l1), form(options.u), equilibrates ? "yes" : "no") +
         fmt::format("ALIGN  : {} double precision words\n", options.alignment);
}

std::string remarks(double threshold) {
  constexpr double half_epsilon = 0x1p-53;
  return "- Scaled residual of every solution, with a random matrix:\n"
         "      ||Ax-b||_oo / ( eps * ( || x ||_oo * || A ||_oo + || b ||_oo ) * N )\n" +
         fmt::format("- The relative machine precision (eps) is taken to be      {:21.6e}\n",
                     half_epsilon) +
         fmt::format("- Computational tests pass if scaled residuals are less than         {:11.1f}\n",
                     threshold);
}

}  // namespace

std::string_view text(HplVersion version) {
  return version == HplVersion::v20 ? "2.0" : "2.3";
}

std::string hpl_title(HplVersion version, std::string_view program) {
  return hpcc::ruler('=', text_width) +
         fmt::format("HPLinpack {}  --  High-Performance Linpack benchmark  --   by steelyard {}\n",
                     text(version), program) +
         hpcc::ruler('=', text_width);
}

std::string hpl_parameters(const steelyard::hpcc::Settings& settings) {
  std::string lines =
      "\nWords of the table:\n"
      "T/V    : code of a combination, W for wall time\n"
      "N      : order of the matrix\n"
      "NB     : columns of a block\n"
      "P      : rows of the process grid\n"
      "Q      : columns of the process grid\n"
      "Time   : seconds of factorization and solution\n"
      "Gflops : 2/3 N^3 + 3/2 N^2 operations over that time, in 10^9 per second\n\n"
      "The following parameter values will be used:\n\n" +
      lists(settings) + single_values(settings.solver) + '\n' + hpcc::ruler('-', text_width) + '\n';
  return settings.threshold > 0 ? lines + remarks(settings.threshold) + '\n' : lines;
}

}  // namespace steelyard::formats
