// SPDX-License-Identifier: Apache-2.0
#include "imb/option_list.hpp"
#include "imb/options.hpp"

namespace steelyard::cli {
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
