// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "imb/grammar.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"

/// Options that front-ends of IMB share. Each puts together its own groups of them.
namespace steelyard::cli {

inline constexpr Option imb_npmin{.name = "npmin",
                                  .kind = Kind::count,
                                  .fallback = "2",
                                  .help = "smallest number of processes",
                                  .low = 1,
                                  .high = 1 << 24,
                                  .origin = Origin::classic};
/// -npmin of parts in which all processes take part unless fewer are asked for.
inline constexpr Option imb_npmin_of_all = [] {
  Option option = imb_npmin;
  option.fallback = {};
  option.fallback_text = "all processes";
  return option;
}();
inline constexpr Option imb_multi{.name = "multi",
                                  .kind = Kind::count,
                                  .argument = "0|1",
                                  .fallback_text = "off",
                                  .help = "groups run side by side: 0 prints the slowest, 1 every group",
                                  .low = 0,
                                  .high = 1,
                                  .origin = Origin::classic};
inline constexpr Option imb_map{
    .name = "map",
    .kind = Kind::special,
    .argument = "PxQ",
    .help =
        "numbers the processes row by row of a P x Q matrix "
        "that was filled column by column; P times Q must be the number of processes",
    .check = check_map,
    .origin = Origin::classic};
inline constexpr Option imb_input{.name = "input",
                                  .kind = Kind::file,
                                  .help = "file with one benchmark a line, # begins a comment",
                                  .repeat = Repeat::many,
                                  .origin = Origin::classic};
inline constexpr Option imb_include{.name = "include",
                                    .kind = Kind::text,
                                    .argument = "LIST",
                                    .help = "benchmarks put in front",
                                    .repeat = Repeat::many,
                                    .origin = Origin::classic};
inline constexpr Option imb_exclude{.name = "exclude",
                                    .kind = Kind::text,
                                    .argument = "LIST",
                                    .help = "benchmarks left out",
                                    .repeat = Repeat::many,
                                    .origin = Origin::classic};
inline constexpr Option imb_list{
    .name = "list", .help = "print the names of all benchmarks, and end", .origin = Origin::classic};
inline constexpr Option imb_msglog{.name = "msglog",
                                   .kind = Kind::special,
                                   .argument = "A:B",
                                   .fallback = "0:22",
                                   .help = "sizes from 2^A to 2^B byte; B alone starts at 2^0",
                                   .check = check_exponents,
                                   .origin = Origin::classic};
inline constexpr Option imb_msgsize{.name = "msgsize",
                                    .kind = Kind::special,
                                    .argument = "LIST",
                                    .help = "sizes in byte, in this order",
                                    .check = check_lengths,
                                    .origin = Origin::classic};
inline constexpr Option imb_msglen{
    .name = "msglen", .kind = Kind::file, .help = "file with one size a line", .origin = Origin::classic};
inline constexpr Option imb_zero_size{.name = "zero_size",
                                      .kind = Kind::on_off,
                                      .fallback = "on",
                                      .help = "whether the sizes begin with 0",
                                      .origin = Origin::classic};
inline constexpr Option imb_off_cache{
    .name = "off_cache",
    .kind = Kind::special,
    .argument = "MB[,LINE]",
    .fallback_text = "off",
    .help =
        "keeps buffers out of a cache of so many MByte with lines of LINE byte; -1 is this machine's cache",
    .check = check_off_cache,
    .origin = Origin::classic};
inline constexpr Option imb_mem{.name = "mem",
                                .kind = Kind::special,
                                .argument = "GB",
                                .fallback_text = "what the limits allow",
                                .help = "memory per process in GByte",
                                .check = check_positive,
                                .origin = Origin::classic};
/// -mem_alloc_type of IMB's builds for graphics processors, in which the default is another.
inline constexpr Option imb_mem_alloc_type{
    .name = "mem_alloc_type",
    .kind = Kind::word,
    .fallback = "cpu",
    .help = "memory of the buffers; this build has the processor's only",
    .words = "cpu device host shared",
    .origin = Origin::classic};
inline constexpr Option imb_data_type{.name = "data_type",
                                      .kind = Kind::word,
                                      .fallback = "byte",
                                      .help = "type of the data",
                                      .words = "byte char int float double",
                                      .origin = Origin::classic};
inline constexpr Option imb_red_data_type{.name = "red_data_type",
                                          .kind = Kind::word,
                                          .fallback = "float",
                                          .help = "type of the data of reductions",
                                          .words = "char int float double",
                                          .origin = Origin::classic};
inline constexpr Option imb_contig_type{.name = "contig_type",
                                        .kind = Kind::word,
                                        .fallback = "base",
                                        .help = "how the type is laid out",
                                        .words = "base base_vec resize resize_vec",
                                        .origin = Origin::classic};
inline constexpr Option imb_window_size{.name = "window_size",
                                        .kind = Kind::count,
                                        .fallback = "256",
                                        .help = "messages in flight of Uniband and Biband",
                                        .low = 1,
                                        .high = 1 << 20,
                                        .origin = Origin::classic};
inline constexpr Option imb_iter{
    .name = "iter",
    .kind = Kind::special,
    .argument = "A[,B[,C]]",
    .fallback = "1000,40,100",
    .help = "repetitions, overall volume in MByte, repetitions in non-aggregate mode",
    .check = check_iterations,
    .origin = Origin::classic};
inline constexpr Option imb_iter_policy{.name = "iter_policy",
                                        .kind = Kind::word,
                                        .fallback_text = "volume; dynamic under 2021",
                                        .help = "rule for the number of repetitions",
                                        .words = "volume dynamic multiple_np auto off",
                                        .origin = Origin::classic};
inline constexpr Option imb_time{.name = "time",
                                 .kind = Kind::special,
                                 .argument = "SECONDS",
                                 .fallback_text = "none; 10 under 2021",
                                 .help = "longest time for one size",
                                 .check = check_positive,
                                 .origin = Origin::classic};
/// -time of parts that never had a limit of their own.
inline constexpr Option imb_time_if_given = [] {
  Option option = imb_time;
  option.fallback_text = "none";
  return option;
}();
inline constexpr Option imb_root_shift{.name = "root_shift",
                                       .kind = Kind::on_off,
                                       .fallback_text = "on; off under 2021",
                                       .help = "whether the root moves from repetition to repetition",
                                       .origin = Origin::classic};
inline constexpr Option imb_sync{.name = "sync",
                                 .kind = Kind::on_off,
                                 .fallback_text = "off; on under 2021",
                                 .help = "clock around each call of a collective and a barrier between calls",
                                 .origin = Origin::classic};
inline constexpr Option imb_imb_barrier{
    .name = "imb_barrier",
    .kind = Kind::on_off,
    .fallback = "off",
    .help = "own barrier in place of MPI_Barrier, in collective benchmarks",
    .origin = Origin::classic};
inline constexpr Option imb_warm_up{.name = "warm_up",
                                    .kind = Kind::on_off,
                                    .fallback = "on",
                                    .help = "untimed repetitions before the first size",
                                    .origin = Origin::classic};
inline constexpr Option imb_n_warmup{
    .name = "n-warmup",
    .kind = Kind::count,
    .argument = "N",
    .fallback = "2",
    .help = "untimed repetitions before the first size of a table, under 3.1 (N_WARMUP of the guide)",
    .low = 0,
    .high = 1 << 20};
inline constexpr Option imb_n_barr{.name = "n-barr",
                                   .kind = Kind::count,
                                   .argument = "N",
                                   .fallback = "2",
                                   .help = "barriers before the clock starts (N_BARR of the guide)",
                                   .low = 0,
                                   .high = 1 << 20};
inline constexpr Option imb_msg_pause{.name = "msg_pause",
                                      .kind = Kind::on_off,
                                      .fallback = "off",
                                      .help = "pause after each size",
                                      .origin = Origin::classic};
inline constexpr Option imb_thread_level{.name = "thread_level",
                                         .kind = Kind::word,
                                         .fallback = "single",
                                         .help = "level asked of MPI_Init_thread",
                                         .words = "single funneled serialized multiple",
                                         .origin = Origin::classic};
inline constexpr Option imb_show_tail{.name = "show_tail",
                                      .kind = Kind::on_off,
                                      .fallback = "off",
                                      .help = "quantiles after each row",
                                      .origin = Origin::classic};
inline constexpr Option imb_dumpfile{.name = "dumpfile",
                                     .kind = Kind::file,
                                     .help = "file for the time of each repetition",
                                     .origin = Origin::classic};
inline constexpr Option imb_check{
    .name = "check", .help = "check results and print a column of defects; times are then not valid"};
inline constexpr Option imb_version{.name = "imb-version",
                                    .kind = Kind::word,
                                    .argument = "VERSION",
                                    .fallback = "3.1",
                                    .help = "rules of this version",
                                    .words = "3.1 2021"};
/// --imb-version of parts that are younger than 3.1.
inline constexpr Option imb_version_of_one_set = [] {
  Option option = imb_version;
  option.fallback = {};
  option.help = "rules of this version; this part has one set of rules";
  return option;
}();
inline constexpr Option imb_aggregate_mode{
    .name = "aggregate_mode",
    .kind = Kind::word,
    .fallback = "multi",
    .help = "modes to measure of benchmarks that have both; multi is both",
    .words = "aggregate non_aggregate multi",
    .origin = Origin::classic};
inline constexpr Option imb_outstanding{
    .name = "outstanding",
    .kind = Kind::count,
    .argument = "K",
    .fallback_text = "all of a sample",
    .help = "transfers under way at most where they are completed together; then a flush",
    .low = 1,
    .high = 1 << 30};
inline constexpr Option imb_hint{.name = "hint",
                                 .kind = Kind::special,
                                 .argument = "KEY=VALUE",
                                 .help = "hint of MPI_Info for windows and files",
                                 .check = check_label,
                                 .repeat = Repeat::many};

}  // namespace steelyard::cli
