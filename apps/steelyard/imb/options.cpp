// SPDX-License-Identifier: Apache-2.0
#include "imb/options.hpp"

#include "imb/grammar.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"

namespace steelyard::cli {

namespace {

// Options that front-ends of IMB share. Each puts together its own groups of them.

constexpr Option imb_npmin("npmin", Kind::count, "smallest number of processes", Fallback{"2"},
                           Within{1, 1 << 24}, Origin::classic);
/// -npmin of parts in which all processes take part unless fewer are asked for.
constexpr Option imb_npmin_of_all = imb_npmin.with(Fallback{}, FallbackText{"all processes"});
constexpr Option imb_multi("multi", Kind::count,
                           "groups run side by side: 0 prints the slowest, 1 every group", Argument{"0|1"},
                           FallbackText{"off"}, Within{0, 1}, Origin::classic);
constexpr Option imb_map(
    "map", Kind::special,
    "numbers the processes row by row of a P x Q matrix that was filled column by column; P times Q must "
    "be the number of processes",
    Argument{"PxQ"}, parses<parse_map>, Origin::classic);
constexpr Option imb_input("input", Kind::file, "file with one benchmark a line, # begins a comment",
                           Repeat::many, Origin::classic);
constexpr Option imb_include("include", Kind::text, "benchmarks put in front", Argument{"LIST"}, Repeat::many,
                             Origin::classic);
constexpr Option imb_exclude("exclude", Kind::text, "benchmarks left out", Argument{"LIST"}, Repeat::many,
                             Origin::classic);
constexpr Option imb_list("list", "print the names of all benchmarks, and end", Origin::classic);
constexpr Option imb_msglog("msglog", Kind::special, "sizes from 2^A to 2^B byte; B alone starts at 2^0",
                            Argument{"A:B"}, Fallback{"0:22"}, parses<parse_exponents, highest_exponent>,
                            Origin::classic);
constexpr Option imb_msgsize("msgsize", Kind::special, "sizes in byte, in this order", Argument{"LIST"},
                             parses<parse_lengths>, Origin::classic);
constexpr Option imb_msglen("msglen", Kind::file, "file with one size a line", Origin::classic);
constexpr Option imb_zero_size("zero_size", Kind::on_off, "whether the sizes begin with 0", Fallback{"on"},
                               Origin::classic);
constexpr Option imb_off_cache(
    "off_cache", Kind::special,
    "keeps buffers out of a cache of so many MByte with lines of LINE byte; -1 is this machine's cache",
    Argument{"MB[,LINE]"}, FallbackText{"off"}, parses<parse_off_cache>, Origin::classic);
constexpr Option imb_mem("mem", Kind::special, "memory per process in GByte", Argument{"GB"},
                         FallbackText{"what the limits allow"}, parses<parse_positive>, Origin::classic);
/// -mem_alloc_type of IMB's builds for graphics processors, in which the default is another.
constexpr Option imb_mem_alloc_type("mem_alloc_type", Kind::word,
                                    "memory of the buffers; this build has the processor's only",
                                    Fallback{"cpu"}, OneOf{"cpu device host shared"}, Origin::classic);
constexpr Option imb_data_type("data_type", Kind::word, "type of the data", Fallback{"byte"},
                               OneOf{"byte char int float double"}, Origin::classic);
constexpr Option imb_red_data_type("red_data_type", Kind::word, "type of the data of reductions",
                                   Fallback{"float"}, OneOf{"char int float double"}, Origin::classic);
constexpr Option imb_contig_type("contig_type", Kind::word, "how the type is laid out", Fallback{"base"},
                                 OneOf{"base base_vec resize resize_vec"}, Origin::classic);
constexpr Option imb_window_size("window_size", Kind::count, "messages in flight of Uniband and Biband",
                                 Fallback{"256"}, Within{1, 1 << 20}, Origin::classic);
constexpr Option imb_iter("iter", Kind::special,
                          "repetitions, overall volume in MByte, repetitions in non-aggregate mode",
                          Argument{"A[,B[,C]]"}, Fallback{"1000,40,100"}, check_iterations, Origin::classic);
constexpr Option imb_iter_policy("iter_policy", Kind::word, "rule for the number of repetitions",
                                 FallbackText{"volume; dynamic under 2021"},
                                 OneOf{"volume dynamic multiple_np auto off"}, Origin::classic);
constexpr Option imb_time("time", Kind::special, "longest time for one size", Argument{"SECONDS"},
                          FallbackText{"none; 10 under 2021"}, parses<parse_positive>, Origin::classic);
/// -time of parts that never had a limit of their own.
constexpr Option imb_time_if_given = imb_time.with(FallbackText{"none"});
constexpr Option imb_root_shift("root_shift", Kind::on_off,
                                "whether the root moves from repetition to repetition",
                                FallbackText{"on; off under 2021"}, Origin::classic);
constexpr Option imb_sync("sync", Kind::on_off,
                          "clock around each call of a collective and a barrier between calls",
                          FallbackText{"off; on under 2021"}, Origin::classic);
constexpr Option imb_imb_barrier("imb_barrier", Kind::on_off,
                                 "own barrier in place of MPI_Barrier, in collective benchmarks",
                                 Fallback{"off"}, Origin::classic);
constexpr Option imb_warm_up("warm_up", Kind::on_off, "untimed repetitions before the first size",
                             Fallback{"on"}, Origin::classic);
constexpr Option imb_n_warmup(
    "n-warmup", Kind::count,
    "untimed repetitions before the first size of a table, under 3.1 (N_WARMUP of the guide)", Argument{"N"},
    Fallback{"2"}, Within{0, 1 << 20});
constexpr Option imb_n_barr("n-barr", Kind::count, "barriers before the clock starts (N_BARR of the guide)",
                            Argument{"N"}, Fallback{"2"}, Within{0, 1 << 20});
constexpr Option imb_msg_pause("msg_pause", Kind::on_off, "pause after each size", Fallback{"off"},
                               Origin::classic);
constexpr Option imb_thread_level("thread_level", Kind::word, "level asked of MPI_Init_thread",
                                  Fallback{"single"}, OneOf{"single funneled serialized multiple"},
                                  Origin::classic);
constexpr Option imb_show_tail("show_tail", Kind::on_off, "quantiles after each row", Fallback{"off"},
                               Origin::classic);
constexpr Option imb_dumpfile("dumpfile", Kind::file, "file for the time of each repetition",
                              Origin::classic);
constexpr Option imb_check("check", "check results and print a column of defects; times are then not valid");
constexpr Option imb_version("imb-version", Kind::word, "rules of this version", Argument{"VERSION"},
                             Fallback{"3.1"}, OneOf{"3.1 2021"});
/// --imb-version of parts that are younger than 3.1.
constexpr Option imb_version_of_one_set =
    imb_version.with(Fallback{}, Help{"rules of this version; this part has one set of rules"});
constexpr Option imb_aggregate_mode("aggregate_mode", Kind::word,
                                    "modes to measure of benchmarks that have both; multi is both",
                                    Fallback{"multi"}, OneOf{"aggregate non_aggregate multi"},
                                    Origin::classic);
constexpr Option imb_outstanding(
    "outstanding", Kind::count, "transfers under way at most where they are completed together; then a flush",
    Argument{"K"}, FallbackText{"all of a sample"}, Within{1, 1 << 30});
constexpr Option imb_hint("hint", Kind::special, "hint of MPI_Info for windows and files",
                          Argument{"KEY=VALUE"}, parses<parse_label>, Repeat::many);

constexpr Option imb_what[] = {imb_npmin, imb_multi, imb_map, imb_input, imb_include, imb_exclude, imb_list};

constexpr Option imb_sizes[] = {imb_msglog,        imb_msgsize,     imb_msglen,         imb_zero_size,
                                imb_off_cache,     imb_mem,         imb_mem_alloc_type, imb_data_type,
                                imb_red_data_type, imb_contig_type, imb_window_size};

constexpr Option imb_repetitions[] = {imb_iter,         imb_iter_policy, imb_time,    imb_root_shift,
                                      imb_sync,         imb_imb_barrier, imb_warm_up, imb_msg_pause,
                                      imb_thread_level, imb_n_warmup,    imb_n_barr};

constexpr Option imb_output[] = {imb_show_tail, imb_dumpfile,  imb_check,
                                 imb_version,   front_end_out, front_end_label};

constexpr Group imb_groups[] = {{"What is measured", imb_what},
                                {"Sizes, buffers and types", imb_sizes},
                                {"Repetitions and timing", imb_repetitions},
                                {"Output", imb_output},
                                {"Start and talk", front_end_start}};

constexpr Option imb_ext_what[] = {imb_npmin, imb_multi,   imb_map,     imb_aggregate_mode,
                                   imb_input, imb_include, imb_exclude, imb_list};

constexpr Option imb_ext_sizes[] = {imb_msglog, imb_msglen, imb_zero_size, imb_off_cache, imb_mem, imb_hint};

constexpr Option imb_ext_repetitions[] = {imb_iter,         imb_iter_policy, imb_time,
                                          imb_imb_barrier,  imb_warm_up,     imb_msg_pause,
                                          imb_thread_level, imb_n_warmup,    imb_n_barr};

constexpr Option imb_ext_output[] = {imb_show_tail, imb_dumpfile,  imb_check,
                                     imb_version,   front_end_out, front_end_label};

constexpr Group imb_ext_groups[] = {{"What is measured", imb_ext_what},
                                    {"Sizes, buffers and windows", imb_ext_sizes},
                                    {"Repetitions and timing", imb_ext_repetitions},
                                    {"Output", imb_ext_output},
                                    {"Start and talk", front_end_start}};

constexpr Option imb_rma_what[] = {imb_npmin, imb_multi,   imb_map,     imb_aggregate_mode,
                                   imb_input, imb_include, imb_exclude, imb_list};

constexpr Option imb_rma_sizes[] = {imb_msglog, imb_msglen,         imb_zero_size, imb_off_cache,
                                    imb_mem,    imb_mem_alloc_type, imb_hint};

constexpr Option imb_rma_repetitions[] = {imb_iter,         imb_iter_policy, imb_time,
                                          imb_outstanding,  imb_warm_up,     imb_msg_pause,
                                          imb_thread_level, imb_n_warmup,    imb_n_barr};

constexpr Option imb_rma_output[] = {imb_show_tail, imb_dumpfile,  imb_check,
                                     imb_version,   front_end_out, front_end_label};

// Words of IMB that have an effect in its other parts.
constexpr Option imb_rma_without_effect[] = {imb_root_shift, imb_sync, imb_imb_barrier};

constexpr Group imb_rma_groups[] = {{"What is measured", imb_rma_what},
                                    {"Sizes, buffers and windows", imb_rma_sizes},
                                    {"Repetitions and timing", imb_rma_repetitions},
                                    {"Understood, without effect here", imb_rma_without_effect},
                                    {"Output", imb_rma_output},
                                    {"Start and talk", front_end_start}};

constexpr Option imb_progress_calls(
    "progress-calls", Kind::count,
    "calls of MPI_Test at equal distances in the computation beside an operation", Fallback{"0"},
    Within{0, 1 << 20});

constexpr Option imb_nbc_what[] = {imb_npmin,   imb_multi,   imb_map, imb_input,
                                   imb_include, imb_exclude, imb_list};

constexpr Option imb_nbc_sizes[] = {imb_msglog, imb_msglen, imb_zero_size, imb_off_cache, imb_mem};

constexpr Option imb_nbc_repetitions[] = {imb_iter,           imb_iter_policy,  imb_time,     imb_root_shift,
                                          imb_sync,           imb_imb_barrier,  imb_warm_up,  imb_msg_pause,
                                          imb_progress_calls, imb_thread_level, imb_n_warmup, imb_n_barr};

constexpr Option imb_nbc_output[] = {imb_show_tail, imb_dumpfile,  imb_check,
                                     imb_version,   front_end_out, front_end_label};

constexpr Group imb_nbc_groups[] = {{"What is measured", imb_nbc_what},
                                    {"Sizes and buffers", imb_nbc_sizes},
                                    {"Repetitions and timing", imb_nbc_repetitions},
                                    {"Output", imb_nbc_output},
                                    {"Start and talk", front_end_start}};

constexpr Option imb_mpi4_sizes[] = {imb_msglog,    imb_msglen, imb_zero_size,
                                     imb_off_cache, imb_mem,    imb_mem_alloc_type};

// Root and buffers are fixed in a request: there are as many requests as it takes.
constexpr Group imb_mpi4_groups[] = {{"What is measured", imb_nbc_what},
                                     {"Sizes and buffers", imb_mpi4_sizes},
                                     {"Repetitions and timing", imb_nbc_repetitions},
                                     {"Output", imb_nbc_output},
                                     {"Start and talk", front_end_start}};

constexpr Option own_mpi4_messages[] = {
    {"partitions", Kind::special, "numbers of parts that a message is cut into; a row for each",
     Argument{"LIST"}, Fallback{"1,4,16"}, parses<parse_part_numbers>},
    {"pready", Kind::word, "order in which parts are handed over", Fallback{"forward"},
     OneOf{"forward backward random"}},
    {"pready_call", Kind::word, "one call of MPI_Pready for each part, or one of its forms for all",
     Fallback{"one"}, OneOf{"one list range"}},
    {"noise", Kind::special, "by how much pieces of the computation of Overlap_part differ",
     Argument{"PERCENT"}, Fallback{"4"}, parses<parse_noise>},
    {"noise_model", Kind::word,
     "which pieces are longer: one by all of it, each by a part that is equally likely, or normally",
     Fallback{"uniform"}, OneOf{"single uniform gauss"}},
    {"cart", Kind::special, "dimensions of the grid of neighbours, or its sides", Argument{"D|AxB[xC]"},
     Fallback{"2"}, parses<parse_cart>},
    imb_window_size};

constexpr Group own_mpi4_groups[] = {{"What is measured", imb_nbc_what},
                                     {"Sizes and buffers", imb_nbc_sizes},
                                     {"Requests, parts and neighbours", own_mpi4_messages},
                                     {"Repetitions and timing", imb_nbc_repetitions},
                                     {"Output", imb_nbc_output},
                                     {"Start and talk", front_end_start}};

// -list with the letter that IMB-P2P has for it.
constexpr Option list_by_letter = imb_list.with('l');

// Of several lists of sizes IMB-P2P takes the last one and what -msgsz adds behind it.
constexpr std::string_view lists_of_sizes[] = {"msglog", "msglen", "msgsz"};
constexpr Option lengths_from_file = imb_msglen.with(lists_of_sizes);

constexpr Option imb_p2p_what[] = {
    imb_npmin_of_all,
    imb_multi,
    imb_map,
    imb_input,
    imb_include,
    imb_exclude,
    list_by_letter,
    {"seed", Kind::count, "of the random pairs and rings; 0 gives those of IMB-P2P", Fallback{"0"},
     Within{0, (std::int64_t{1} << 53) - 1}}};

constexpr Option imb_p2p_sizes[] = {
    {"msglog", Kind::special, "sizes 0, 1, 2 .. 2^N byte, or 2^K .. 2^N without 0", Argument{"N|K:N"},
     Fallback{"22"}, parses<parse_exponents, highest_p2p_exponent>, Origin::classic, lists_of_sizes},
    lengths_from_file,
    {"msgsz", Kind::special, "sizes in byte, alone or behind those of -msglog or -msglen", Argument{"LIST"},
     parses<parse_lengths>, Repeat::many, Origin::classic},
    {"msgwr", Kind::on_off, "write a byte of every 64 of a message before it is sent", Fallback{"on"},
     Origin::classic},
    {"msgrd", Kind::on_off, "read a byte of every 64 of a message when it has come", Fallback{"on"},
     Origin::classic},
    imb_mem};

constexpr Option imb_p2p_repetitions[] = {
    {"iter", Kind::special, "most repetitions, overall volume in MByte", Argument{"A[,B]"},
     Fallback{"100000,800"}, check_p2p_iterations, Origin::classic},
    imb_time_if_given,
    {"pause", Kind::special, "sleep before and after each row; IMB-P2P sleeps for 100000",
     Argument{"USEC|TIME"}, Fallback{"0"}, parses<parse_pause>, Origin::classic},
    imb_thread_level};

constexpr Option imb_p2p_without_effect[] = {imb_version_of_one_set};

constexpr Option imb_p2p_output[] = {imb_show_tail, imb_dumpfile, imb_check, front_end_out, front_end_label};

constexpr Group imb_p2p_groups[] = {{"What is measured", imb_p2p_what},
                                    {"Sizes and data", imb_p2p_sizes},
                                    {"Repetitions and timing", imb_p2p_repetitions},
                                    {"Understood, without effect here", imb_p2p_without_effect},
                                    {"Output", imb_p2p_output},
                                    {"Start and talk", front_end_start}};

constexpr Option ignored_off_cache = imb_off_cache.with(
    Help{"accepted without effect: what of a file lies in memory is told, and forgotten with -dropcache"});

constexpr Option ignored_warm_up =
    imb_warm_up.with(Fallback{"off"}, Help{"accepted without effect: there are no untimed repetitions here"});

constexpr Option imb_io_what[] = {imb_npmin.with(Fallback{"1"}),
                                  imb_multi,
                                  imb_map,
                                  imb_aggregate_mode,
                                  imb_input,
                                  imb_include,
                                  imb_exclude,
                                  imb_list};

constexpr Option files[] = {
    io_directory_option("the working directory"),
    {"file-name", Kind::text, "how the names of the files in the directory of our own begin",
     Argument{"NAME"}, Fallback{"IMB_out"}},
    imb_hint,
    {"dropcache",
     "ask the kernel to forget the file before each row that reads; the rows tell what came of it"},
};

constexpr Option imb_io_sizes[] = {imb_msglog.with(Fallback{"0:24"}), imb_msglen, imb_zero_size,
                                   ignored_off_cache, imb_mem};

constexpr Option imb_io_repetitions[] = {
    imb_iter.with(Fallback{"50,16,10"}),
    imb_iter_policy,
    imb_time,
    {"balance-overlap",
     "non-blocking benchmarks compute for as long as the transfer alone takes, not for a fixed time"},
    imb_imb_barrier,
    ignored_warm_up,
    imb_msg_pause,
    imb_thread_level,
    {"target-cpu-secs", Kind::special,
     "computation beside a transfer of non-blocking benchmarks (TARGET_CPU_SECS of the guide)",
     Argument{"SECONDS"}, FallbackText{"0.02 at most; with -iter 0.1, under 2021 0.01"},
     parses<parse_positive>},
    imb_n_barr};

constexpr Option imb_io_output[] = {imb_show_tail, imb_dumpfile,  imb_check,
                                    imb_version,   front_end_out, front_end_label};

constexpr Group imb_io_groups[] = {
    {"What is measured", imb_io_what},   {"Files", files},
    {"Sizes and buffers", imb_io_sizes}, {"Repetitions and timing", imb_io_repetitions},
    {"Output", imb_io_output},           {"Start and talk", front_end_start}};

constexpr Option thread_level =
    imb_thread_level.with(Fallback{}, FallbackText{"multiple with more than one thread, else single"});

constexpr Option window_size =
    imb_window_size.with(Fallback{"64"}, Help{"messages in flight of UniBandMT and BiBandMT"});

constexpr Option imb_mt_what[] = {
    {"threads", Kind::count, "threads of each process; more than one need MPI_THREAD_MULTIPLE",
     FallbackText{"OMP_NUM_THREADS, else 1"}, Within{1, 1024}},
    thread_level,
    {"stride", Kind::count, "ranks between partners; 0 is half of all", Fallback{"0"}, Within{0, 1 << 24},
     Origin::classic},
    imb_npmin_of_all,
    imb_input,
    imb_include,
    imb_exclude,
    imb_list};

constexpr Option imb_mt_sizes[] = {
    {"count", Kind::special, "elements of a message", Argument{"LIST"}, Fallback{"1,2,4,8"},
     parses<parse_element_counts>, Origin::classic},
    {"datatype", Kind::word, "type of the elements", Fallback{"int"}, OneOf{"int char"}, Origin::classic},
    imb_msglog,
    imb_msgsize,
    imb_msglen,
    imb_zero_size,
    window_size,
    {"malloc_algo", Kind::word,
     "who takes and touches the buffers: the main thread, it in one block, or each thread its own",
     Fallback{"parallel"}, OneOf{"serial continuous parallel"}, Origin::classic},
    {"malloc_align", Kind::special, "buffers begin at multiples of this power of two, 64 at least",
     Argument{"BYTES"}, Fallback{"64"}, parses<parse_buffer_align>, Origin::classic},
    imb_mem};

constexpr Option imb_mt_repetitions[] = {
    {"repeat", Kind::count, "repetitions that are timed", Fallback{"1000"}, Within{1, std::int64_t{1} << 40},
     Origin::classic},
    {"warmup", Kind::count, "repetitions before them", Fallback{"100"}, Within{0, std::int64_t{1} << 40},
     Origin::classic},
    {"barrier", Kind::word,
     "what stands before the clock and between collective calls: MPI_Barrier, nothing, or a barrier of our "
     "own",
     Fallback{"on"}, OneOf{"on off special"}, Origin::classic},
    imb_time_if_given};

// IMB-MT says "-check on" and "-check off"; alone it is on, as in the other parts.
constexpr Option imb_mt_check =
    imb_check.with(Kind::on_off, Argument{"[on|off]"}, Fallback{"off"}, Presence::optional);

// Words that harnesses give to every part of IMB.
constexpr Option imb_mt_without_effect[] = {imb_iter_policy, imb_map, imb_show_tail, imb_dumpfile,
                                            imb_version_of_one_set};

constexpr Option imb_mt_output[] = {
    {"noheader", "no lines before the first table and after the last one", Origin::classic},
    imb_mt_check,
    front_end_out,
    front_end_label};

constexpr Group imb_mt_groups[] = {{"What is measured", imb_mt_what},
                                   {"Sizes and buffers", imb_mt_sizes},
                                   {"Repetitions and timing", imb_mt_repetitions},
                                   {"Understood, without effect here", imb_mt_without_effect},
                                   {"Output", imb_mt_output},
                                   {"Start and talk", front_end_start}};

}  // namespace

constinit const std::span<const Group> imb_mpi1_options = imb_groups;
constinit const std::span<const Group> imb_ext_options = imb_ext_groups;
constinit const std::span<const Group> imb_rma_options = imb_rma_groups;
constinit const std::span<const Group> own_mpi4_options = own_mpi4_groups;
constinit const std::span<const Group> imb_mpi4_options = imb_mpi4_groups;
constinit const std::span<const Group> imb_nbc_options = imb_nbc_groups;
constinit const std::span<const Group> imb_p2p_options = imb_p2p_groups;
constinit const std::span<const Group> imb_io_options = imb_io_groups;
constinit const std::span<const Group> imb_mt_options = imb_mt_groups;

}  // namespace steelyard::cli
