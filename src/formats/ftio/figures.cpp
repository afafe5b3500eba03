// SPDX-License-Identifier: Apache-2.0
#include "formats/ftio/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace steelyard::formats {
namespace {

using analysis::FtioRun;
using analysis::FtioRuns;
using analysis::FtioSize;

std::string row(const FtioSize& size) {
  const auto fraction = size.spread(&FtioRun::io_fraction);
  const auto cycles = size.cycles_per_flop();
  return fmt::format("{:.0f} {} {} {:.6f} {:.6f} {}\n", size.first().elements(), size.first().parameter,
                     size.runs.size(), fraction.mean, fraction.sd,
                     cycles ? fmt::format("{:.6f} {:.6f}", cycles->mean, cycles->sd) : "NaN NaN");
}

std::string data(const FtioRuns& runs) {
  std::string text =
      "# elements, i, runs, I/O fraction and its deviation, cycles per flop and their deviation\n";
  std::vector<const FtioSize*> sizes;
  for (const auto& size : runs.sizes()) sizes.push_back(&size);
  std::ranges::stable_sort(sizes, {}, [](const FtioSize* size) { return size->first().order; });
  for (const FtioSize* size : sizes) text += row(*size);
  return text;
}

std::string figure(const std::string& prefix, std::string_view name, std::string_view title, int column) {
  return fmt::format(
      "set output '{0}_{1}.svg'\nset ylabel '{2}'\n"
      "plot '{0}.plot' using 1:{3}:{4} with yerrorbars pointtype 7 title '', \\\n"
      "     '{0}.plot' using 1:{3} with lines title ''\n",
      prefix, name, title, column, column + 1);
}

std::string script(const FtioRuns& runs, const std::string& prefix) {
  std::string text =
      "set terminal svg size 800,500\nset xlabel 'matrix size (number of elements)'\n"
      "set logscale x\nset format x '%.0e'\nset offsets graph 0.05, graph 0.05, graph 0.1, graph 0.1\n";
  text += figure(prefix, "fraction", "I/O fraction", 4);
  if (std::ranges::any_of(runs.sizes(), [](const auto& size) { return size.cycles_per_flop().has_value(); }))
    text += figure(prefix, "cycles", "cycles per flop", 6);
  return text;
}

}  // namespace

FtioFigures ftio_figures(const FtioRuns& runs, const std::string& prefix) {
  return {data(runs), script(runs, prefix)};
}

void check_ftio_figures(const std::filesystem::path& prefix, Existing existing) {
  const std::array<NamedFile, 2> files = {NamedFile{".plot"}, NamedFile{".gps"}};
  check_files(prefix, files, existing);
}

void write_ftio_figures(const std::filesystem::path& prefix, const FtioFigures& figures, Existing existing) {
  const std::array<NamedFile, 2> files = {NamedFile{".plot", figures.plot}, NamedFile{".gps", figures.gps}};
  write_files(prefix, files, existing);
}

}  // namespace steelyard::formats
