// SPDX-License-Identifier: Apache-2.0
#include "imb/option_list.hpp"
#include "imb/options.hpp"
#include "options/shared_options.hpp"

namespace steelyard::cli {
namespace {

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
     Argument{"SECONDS"}, FallbackText{"0.02 at most; with -iter 0.1, under 2021 0.01"}, check_positive},
    imb_n_barr};

constexpr Option imb_io_output[] = {imb_show_tail, imb_dumpfile,  imb_check,
                                    imb_version,   front_end_out, front_end_label};

constexpr Group imb_io_groups[] = {
    {"What is measured", imb_io_what},   {"Files", files},
    {"Sizes and buffers", imb_io_sizes}, {"Repetitions and timing", imb_io_repetitions},
    {"Output", imb_io_output},           {"Start and talk", front_end_start}};

}  // namespace

std::span<const Group> imb_io_options() {
  return imb_io_groups;
}

namespace {

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
     check_element_counts, Origin::classic},
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
     Argument{"BYTES"}, Fallback{"64"}, check_buffer_align, Origin::classic},
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

std::span<const Group> imb_mt_options() {
  return imb_mt_groups;
}

}  // namespace steelyard::cli
