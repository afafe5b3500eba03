// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "beff/words.hpp"
#include "beffio/words.hpp"
#include "suites/beffio/settings.hpp"
#include "units/text.hpp"
#include "words/checks.hpp"
#include "words/front_end_options.hpp"

namespace steelyard::cli {
namespace {

using units::ParseError;

constexpr auto beffio_seed = Origin::seed;
constexpr std::int64_t most_mebibyte = std::int64_t{1} << 40;

constexpr Option beffio_what[] = {
    {.name = "MB",
     .kind = Kind::count,
     .argument = "MB",
     .fallback_text = "memory of the node over processes on it",
     .help = "memory per process in units of 2^20 byte; the largest chunk is 1/128 of it, 2 MB to 1 GB",
     .low = 1,
     .high = most_mebibyte,
     .origin = beffio_seed},
    {.name = "MT",
     .kind = Kind::count,
     .argument = "MB",
     .fallback_text = "memory per process times processes",
     .help = "memory of the whole system in units of 2^20 byte, to compare the amount of data with",
     .low = 1,
     .high = most_mebibyte,
     .origin = beffio_seed},
    {.name = "partitions",
     .letter = 'N',
     .kind = Kind::special,
     .argument = "N1,N2,...",
     .fallback_text = "a small one, a medium one, all processes",
     .help = "numbers of processes that are measured, at most 10",
     .check = check_partitions,
     .origin = beffio_seed},
    {.name = "time",
     .letter = 'T',
     .kind = Kind::duration,
     .argument = "SECONDS",
     .fallback = "1800",
     .help = "scheduled time of all partitions together",
     .check = check_duration_above_0,
     .origin = beffio_seed},
    {.name = "directory",
     .letter = 'p',
     .kind = Kind::directory,
     .argument = "DIR",
     .fallback = ".",
     .help = "directory that is measured: one of our own is made in it, and removed at the end",
     .origin = beffio_seed},
    {.name = "hints",
     .letter = 'i',
     .kind = Kind::file,
     .argument = "FILE",
     .help = "hints to the MPI library by partition, access method, pattern type and chunk",
     .origin = beffio_seed},
    {.name = "formula",
     .kind = Kind::word,
     .fallback = "published",
     .help = "the value: weights 25, 25, 50 % of the published definition, or the formula of release 2.x",
     .words = "published 2.x",
     .former = "seed=published"},
    {.name = "order",
     .kind = Kind::word,
     .fallback = "access",
     .help = "all partitions access method by access method, or one partition after the other",
     .words = "access partition"},
    {.name = "align",
     .kind = Kind::special,
     .argument = "BYTES",
     .fallback = "1Mi",
     .help = "segments of types 3 and 4 are a multiple of this multiple of 1Mi long",
     .check = check_alignment},
    {.name = "cache",
     .kind = Kind::count,
     .argument = "MB",
     .fallback_text = "memory of the nodes that is available",
     .help = "cache of the file system in units of 2^20 byte, to compare the amount of data with",
     .low = 1,
     .high = most_mebibyte},
};

constexpr Option beffio_departures[] = {
    {.name = "random",
     .help = "also chunks in random order, as a type of its own that is no part of the value"},
    {.name = "mpart",
     .kind = Kind::word,
     .argument = "GB",
     .fallback_text = "not limited by the number of processes",
     .help = "largest chunk of files that processes share: at most 2 or 16 GB over the processes of the "
             "partition",
     .words = "2 16"},
    {.name = "noshared", .help = "pattern type 1 without shared file pointers", .origin = beffio_seed},
    {.name = "norewrite", .help = "rewrite pattern type 0 only, as release 2.x does"},
    {.name = "rewrite", .help = "rewrite all pattern types, as it is done anyway", .origin = beffio_seed},
    {.name = "unique", .help = "open files in unique mode, as release 2.x does; nothing is read back then"},
    {.name = "nounique", .help = "files not in unique mode, as it is done anyway", .origin = beffio_seed},
    {.name = "control",
     .kind = Kind::word,
     .fallback = "batched",
     .help =
         "decide on the end of a loop after batches that grow, or after each iteration, as release 2.x does",
     .words = "batched each"},
    {.name = "dropcache", .help = "forget the pages of files between the access methods (outside the times)"},
    {.name = "maxbytes",
     .kind = Kind::size,
     .fallback_text = "no limit",
     .help = "most that is written initially; patterns end early where it is too little"},
};

constexpr Option beffio_output[] = {
    {.name = "prefix",
     .letter = 'f',
     .kind = Kind::file,
     .argument = "PREFIX",
     .fallback = "b_eff_io",
     .help = "prefix of the files .prot .sum .plot .gps",
     .check = check_prefix},
    {.name = "errors",
     .letter = 'e',
     .kind = Kind::count,
     .fallback = "1",
     .help = "wrong data that are shown of each pattern",
     .low = 0,
     .high = 1000,
     .origin = beffio_seed},
    {.name = "keep", .help = "keep the files b_eff_io_data_*", .origin = beffio_seed},
    {.name = "overwrite", .help = "replace existing files"},
    {.name = "plot-color", .help = "draw the figures in colour"},
    front_end_out,
    front_end_label,
};

constexpr Group beffio_groups[] = {{"What is measured", beffio_what},
                                   {"Departures from the rule, and limits", beffio_departures},
                                   {"Output", beffio_output},
                                   {"Start and talk", front_end_start}};

int parse_processes(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value < 1)
    throw ParseError("'" + std::string(word) + "' is no number of processes");
  return value;
}

}  // namespace

std::span<const Group> beffio_options() {
  return beffio_groups;
}

std::vector<int> parse_partitions(std::string_view word) {
  std::vector<int> list;
  for (const std::string& one : comma_words(word)) {
    const int processes = parse_processes(one);
    if (std::ranges::find(list, processes) != list.end())
      throw ParseError("names " + std::to_string(processes) + " twice");
    list.push_back(processes);
  }
  if (list.empty()) throw ParseError("names no number of processes");
  if (list.size() > beffio::most_partitions)
    throw ParseError("names more than " + std::to_string(beffio::most_partitions) + " partitions");
  return list;
}

void check_partitions(std::string_view word) {
  static_cast<void>(parse_partitions(word));
}

void check_alignment(std::string_view word) {
  const Bytes align = units::parse_size(word);
  if (align < mebi || align > gibi || align.count() % mebi.count() != 0)
    throw ParseError("must be a multiple of 1Mi, at most 1Gi, got '" + std::string(word) + "'");
}

}  // namespace steelyard::cli
