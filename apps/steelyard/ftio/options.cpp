// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "beff/words.hpp"
#include "ftio/words.hpp"
#include "units/text.hpp"
#include "words/checks.hpp"
#include "words/front_end_options.hpp"

namespace steelyard::cli {
namespace {

constexpr auto ftio_seed = Origin::seed;
constexpr std::int64_t largest_parameter = std::int64_t{1} << 20;

constexpr Option ftio_what[] = {
    {.name = "input-parameter",
     .letter = 'i',
     .kind = Kind::count,
     .argument = "I",
     .fallback_text = "the lowest valid one from sqrt(P) + 1 on",
     .help = "the matrix is of order I^2 P; P must divide I^2",
     .low = 2,
     .high = largest_parameter,
     .origin = ftio_seed},
    {.name = "size",
     .kind = Kind::word,
     .fallback = "rule",
     .help =
         "the parameter by a rule: the original's, 24 as in the published results, or the lowest whose matrix is "
         "twice the memory of the nodes, so that no page cache can hold it",
     .words = "rule paper cache"},
    {.name = "sweep",
     .kind = Kind::special,
     .argument = "I1,I2,...",
     .help = "several parameters one after the other, and figures over the matrix size",
     .check = check_parameters},
    {.name = "runs",
     .kind = Kind::count,
     .fallback = "1",
     .help = "runs of each parameter; their mean and standard deviation are told",
     .low = 1,
     .high = 1000},
    {.name = "dir",
     .kind = Kind::directory,
     .fallback = ".",
     .help = "directory that is measured: one of our own is made in it, and removed at the end",
     .origin = ftio_seed},
    {.name = "clock-ghz",
     .kind = Kind::number,
     .argument = "GHZ",
     .fallback_text = "cycles are counted, or the nominal frequency counts, where the system tells either",
     .help = "frequency of the processors, for cycles per flop where nobody counts cycles",
     .check = check_clock},
    {.name = "processes-check",
     .help = "tell which parameters are valid with this number of processes, and end"},
};

constexpr Option ftio_departures[] = {
    {.name = "io",
     .kind = Kind::word,
     .fallback = "posix",
     .help = "one file per process by system calls or through MPI-IO, or one file of all processes",
     .words = "posix mpi shared"},
    {.name = "cache",
     .kind = Kind::word,
     .fallback = "keep",
     .help = "pages of the files: left alone, dropped after each phase, or passed by (O_DIRECT)",
     .words = "keep drop direct"},
    {.name = "rows",
     .kind = Kind::count,
     .fallback = "1",
     .help = "rows that are transformed at a time",
     .low = 1,
     .high = 4096},
    {.name = "xrows",
     .kind = Kind::count,
     .fallback = "1",
     .help = "rows of a Square that a message exchanges",
     .low = 1,
     .high = 4096},
    {.name = "io-hint",
     .kind = Kind::special,
     .argument = "KEY=VALUE",
     .help = "hint to the MPI library (MPI_Info) for every file",
     .check = check_label,
     .repeat = Repeat::many},
};

constexpr Option ftio_output[] = {
    {.name = "keep", .help = "keep the files ftio.* of the last run", .origin = ftio_seed},
    {.name = "prefix",
     .letter = 'f',
     .kind = Kind::file,
     .argument = "PREFIX",
     .fallback_text = "ftio with -sweep, else none",
     .help = "prefix of the files .plot and .gps with the figures",
     .check = check_figure_prefix},
    {.name = "overwrite", .help = "replace existing files"},
    front_end_out,
    front_end_label,
};

constexpr Group ftio_groups[] = {{"What is measured", ftio_what},
                                 {"Departures from the rule", ftio_departures},
                                 {"Output", ftio_output},
                                 {"Start and talk", front_end_start}};

}  // namespace

std::span<const Group> ftio_options() {
  return ftio_groups;
}

std::vector<std::int64_t> parse_parameters(std::string_view words) {
  std::vector<std::int64_t> list;
  for (const std::string& one : comma_words(words)) {
    const std::int64_t parameter = units::parse_count(one, 2, largest_parameter);
    if (std::ranges::find(list, parameter) != list.end()) throw units::ParseError("names " + one + " twice");
    list.push_back(parameter);
  }
  if (list.empty()) throw units::ParseError("names no parameter");
  return list;
}

void check_clock(std::string_view word) {
  constexpr double least = 0.01, most = 100;
  const double gigahertz = units::parse_number(word);
  if (!(gigahertz >= least && gigahertz <= most))
    throw units::ParseError("must be a frequency from 0.01 to 100 GHz, got '" + std::string(word) + "'");
}

void check_parameters(std::string_view words) {
  static_cast<void>(parse_parameters(words));
}

void check_figure_prefix(std::string_view word) {
  static_cast<void>(parse_prefix(word));
}

}  // namespace steelyard::cli
