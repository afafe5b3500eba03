// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "imb/grammar.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"

/// Options that front-ends of IMB share. Each puts together its own groups of them.
namespace steelyard::cli {

inline constexpr Option imb_npmin("npmin", Kind::count, "smallest number of processes", Fallback{"2"},
                                  Within{1, 1 << 24}, Origin::classic);
/// -npmin of parts in which all processes take part unless fewer are asked for.
inline constexpr Option imb_npmin_of_all = imb_npmin.with(Fallback{}, FallbackText{"all processes"});
inline constexpr Option imb_multi("multi", Kind::count,
                                  "groups run side by side: 0 prints the slowest, 1 every group",
                                  Argument{"0|1"}, FallbackText{"off"}, Within{0, 1}, Origin::classic);
inline constexpr Option imb_map(
    "map", Kind::special,
    "numbers the processes row by row of a P x Q matrix that was filled column by column; P times Q must "
    "be the number of processes",
    Argument{"PxQ"}, check_map, Origin::classic);
inline constexpr Option imb_input("input", Kind::file, "file with one benchmark a line, # begins a comment",
                                  Repeat::many, Origin::classic);
inline constexpr Option imb_include("include", Kind::text, "benchmarks put in front", Argument{"LIST"},
                                    Repeat::many, Origin::classic);
inline constexpr Option imb_exclude("exclude", Kind::text, "benchmarks left out", Argument{"LIST"},
                                    Repeat::many, Origin::classic);
inline constexpr Option imb_list("list", "print the names of all benchmarks, and end", Origin::classic);
inline constexpr Option imb_msglog("msglog", Kind::special,
                                   "sizes from 2^A to 2^B byte; B alone starts at 2^0", Argument{"A:B"},
                                   Fallback{"0:22"}, check_exponents, Origin::classic);
inline constexpr Option imb_msgsize("msgsize", Kind::special, "sizes in byte, in this order",
                                    Argument{"LIST"}, check_lengths, Origin::classic);
inline constexpr Option imb_msglen("msglen", Kind::file, "file with one size a line", Origin::classic);
inline constexpr Option imb_zero_size("zero_size", Kind::on_off, "whether the sizes begin with 0",
                                      Fallback{"on"}, Origin::classic);
inline constexpr Option imb_off_cache(
    "off_cache", Kind::special,
    "keeps buffers out of a cache of so many MByte with lines of LINE byte; -1 is this machine's cache",
    Argument{"MB[,LINE]"}, FallbackText{"off"}, check_off_cache, Origin::classic);
inline constexpr Option imb_mem("mem", Kind::special, "memory per process in GByte", Argument{"GB"},
                                FallbackText{"what the limits allow"}, check_positive, Origin::classic);
/// -mem_alloc_type of IMB's builds for graphics processors, in which the default is another.
inline constexpr Option imb_mem_alloc_type("mem_alloc_type", Kind::word,
                                           "memory of the buffers; this build has the processor's only",
                                           Fallback{"cpu"}, OneOf{"cpu device host shared"}, Origin::classic);
inline constexpr Option imb_data_type("data_type", Kind::word, "type of the data", Fallback{"byte"},
                                      OneOf{"byte char int float double"}, Origin::classic);
inline constexpr Option imb_red_data_type("red_data_type", Kind::word, "type of the data of reductions",
                                          Fallback{"float"}, OneOf{"char int float double"}, Origin::classic);
inline constexpr Option imb_contig_type("contig_type", Kind::word, "how the type is laid out",
                                        Fallback{"base"}, OneOf{"base base_vec resize resize_vec"},
                                        Origin::classic);
inline constexpr Option imb_window_size("window_size", Kind::count,
                                        "messages in flight of Uniband and Biband", Fallback{"256"},
                                        Within{1, 1 << 20}, Origin::classic);
inline constexpr Option imb_iter("iter", Kind::special,
                                 "repetitions, overall volume in MByte, repetitions in non-aggregate mode",
                                 Argument{"A[,B[,C]]"}, Fallback{"1000,40,100"}, check_iterations,
                                 Origin::classic);
inline constexpr Option imb_iter_policy("iter_policy", Kind::word, "rule for the number of repetitions",
                                        FallbackText{"volume; dynamic under 2021"},
                                        OneOf{"volume dynamic multiple_np auto off"}, Origin::classic);
inline constexpr Option imb_time("time", Kind::special, "longest time for one size", Argument{"SECONDS"},
                                 FallbackText{"none; 10 under 2021"}, check_positive, Origin::classic);
/// -time of parts that never had a limit of their own.
inline constexpr Option imb_time_if_given = imb_time.with(FallbackText{"none"});
inline constexpr Option imb_root_shift("root_shift", Kind::on_off,
                                       "whether the root moves from repetition to repetition",
                                       FallbackText{"on; off under 2021"}, Origin::classic);
inline constexpr Option imb_sync("sync", Kind::on_off,
                                 "clock around each call of a collective and a barrier between calls",
                                 FallbackText{"off; on under 2021"}, Origin::classic);
inline constexpr Option imb_imb_barrier("imb_barrier", Kind::on_off,
                                        "own barrier in place of MPI_Barrier, in collective benchmarks",
                                        Fallback{"off"}, Origin::classic);
inline constexpr Option imb_warm_up("warm_up", Kind::on_off, "untimed repetitions before the first size",
                                    Fallback{"on"}, Origin::classic);
inline constexpr Option imb_n_warmup(
    "n-warmup", Kind::count,
    "untimed repetitions before the first size of a table, under 3.1 (N_WARMUP of the guide)", Argument{"N"},
    Fallback{"2"}, Within{0, 1 << 20});
inline constexpr Option imb_n_barr("n-barr", Kind::count,
                                   "barriers before the clock starts (N_BARR of the guide)", Argument{"N"},
                                   Fallback{"2"}, Within{0, 1 << 20});
inline constexpr Option imb_msg_pause("msg_pause", Kind::on_off, "pause after each size", Fallback{"off"},
                                      Origin::classic);
inline constexpr Option imb_thread_level("thread_level", Kind::word, "level asked of MPI_Init_thread",
                                         Fallback{"single"}, OneOf{"single funneled serialized multiple"},
                                         Origin::classic);
inline constexpr Option imb_show_tail("show_tail", Kind::on_off, "quantiles after each row", Fallback{"off"},
                                      Origin::classic);
inline constexpr Option imb_dumpfile("dumpfile", Kind::file, "file for the time of each repetition",
                                     Origin::classic);
inline constexpr Option imb_check("check",
                                  "check results and print a column of defects; times are then not valid");
inline constexpr Option imb_version("imb-version", Kind::word, "rules of this version", Argument{"VERSION"},
                                    Fallback{"3.1"}, OneOf{"3.1 2021"});
/// --imb-version of parts that are younger than 3.1.
inline constexpr Option imb_version_of_one_set =
    imb_version.with(Fallback{}, Help{"rules of this version; this part has one set of rules"});
inline constexpr Option imb_aggregate_mode("aggregate_mode", Kind::word,
                                           "modes to measure of benchmarks that have both; multi is both",
                                           Fallback{"multi"}, OneOf{"aggregate non_aggregate multi"},
                                           Origin::classic);
inline constexpr Option imb_outstanding(
    "outstanding", Kind::count, "transfers under way at most where they are completed together; then a flush",
    Argument{"K"}, FallbackText{"all of a sample"}, Within{1, 1 << 30});
inline constexpr Option imb_hint("hint", Kind::special, "hint of MPI_Info for windows and files",
                                 Argument{"KEY=VALUE"}, check_label, Repeat::many);

}  // namespace steelyard::cli
