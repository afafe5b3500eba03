// SPDX-License-Identifier: Apache-2.0
#include "beff/words.hpp"
#include "words/checks.hpp"
#include "words/front_end_options.hpp"

namespace steelyard::cli {
namespace {

constexpr auto seed = Origin::seed;

constexpr Option beff_what[] = {
    {.name = "mem",
     .kind = Kind::count,
     .argument = "MB",
     .fallback_text = "memory of the node over processes on it",
     .help = "memory per process in units of 2^20 byte; the longest message is 1/128 of it",
     .low = 1,
     .high = std::int64_t{1} << 40,
     .origin = seed},
    {.name = "lmax",
     .kind = Kind::size,
     .argument = "BYTES",
     .fallback_text = "1/128 of the memory per process, at most 128Mi",
     .help = "longest message",
     .check = check_longest,
     .origin = seed},
    {.name = "seed",
     .kind = Kind::count,
     .fallback = "1",
     .help = "of the random polygons",
     .low = 0,
     .high = (std::int64_t{1} << 53) - 1,
     .origin = seed},
    {.name = "rmax",
     .kind = Kind::special,
     .argument = "GFLOPS",
     .help = "Linpack performance of the same processes, for the balance factor",
     .check = check_positive,
     .origin = seed},
};

constexpr Option beff_departures[] = {
    {.name = "short", .help = "2 repetitions, 6 random polygons, loops of 0.5 ms", .origin = seed},
    {.name = "test",
     .help = "2 random polygons, loops of 0.05 ms, 1 s for the last two lengths",
     .origin = seed},
    {.name = "reps",
     .kind = Kind::count,
     .fallback_text = "3; 2 with -short",
     .help = "repetitions of the whole experiment",
     .low = 1,
     .high = 1000,
     .origin = seed},
    {.name = "looptime",
     .kind = Kind::duration,
     .argument = "SECONDS",
     .fallback_text = "0.5 s / patterns of the method",
     .help = "time that a loop is meant to take",
     .check = check_duration_above_0,
     .origin = seed},
    {.name = "lasttwo",
     .kind = Kind::duration,
     .argument = "SECONDS",
     .fallback_text = "60 s",
     .help = "time expected for the last two lengths from which on they are shortened",
     .origin = seed},
    {.name = "noshortlasttwo", .help = "never shorten the last two lengths", .origin = seed},
    {.name = "nomethod",
     .kind = Kind::word,
     .argument = "NAME",
     .help = "leave out a method",
     .words = "alltoallv nonblk Alltoal non-blk",
     .repeat = Repeat::many,
     .origin = seed},
    {.name = "nopattern",
     .kind = Kind::word,
     .argument = "NAME",
     .help = "leave out additional patterns",
     .words = "worst-cyc best-bi-section worst-bi-section one-PingPong-Pair acyclic cyclic",
     .repeat = Repeat::many,
     .origin = seed},
};

constexpr Option beff_output[] = {
    {.name = "prefix",
     .letter = 'f',
     .kind = Kind::file,
     .argument = "PREFIX",
     .fallback = "b_eff",
     .help = "prefix of the files .prot .short .sum .plot .gps .tex",
     .check = check_prefix},
    {.name = "overwrite", .help = "replace existing files"},
    {.name = "yrange",
     .kind = Kind::special,
     .argument = "MIN:MAX",
     .fallback_text = "0.01 to a power of ten above all values, at least 10000",
     .help = "range of the bandwidth axis, MB/s",
     .check = check_y_range,
     .origin = seed},
    {.name = "plot-color", .help = "draw the figures in colour"},
    front_end_out,
    front_end_label,
};

constexpr Group beff_groups[] = {{"What is measured", beff_what},
                                 {"Departures from the rule (they mark the value)", beff_departures},
                                 {"Output", beff_output},
                                 {"Start and talk", front_end_start}};

}  // namespace

std::span<const Group> beff_options() {
  return beff_groups;
}

}  // namespace steelyard::cli
