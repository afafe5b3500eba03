// SPDX-License-Identifier: Apache-2.0
#include "imb/option_list.hpp"
#include "imb/options.hpp"

namespace steelyard::cli {
namespace {

constexpr Option thread_level = [] {
  Option option = imb_thread_level;
  option.fallback = {};
  option.fallback_text = "multiple with more than one thread, else single";
  return option;
}();

constexpr Option window_size = [] {
  Option option = imb_window_size;
  option.fallback = "64";
  option.help = "messages in flight of UniBandMT and BiBandMT";
  return option;
}();

constexpr Option imb_mt_what[] = {{.name = "threads",
                                   .kind = Kind::count,
                                   .fallback_text = "OMP_NUM_THREADS, else 1",
                                   .help = "threads of each process; more than one need MPI_THREAD_MULTIPLE",
                                   .low = 1,
                                   .high = 1024},
                                  thread_level,
                                  {.name = "stride",
                                   .kind = Kind::count,
                                   .fallback = "0",
                                   .help = "ranks between partners; 0 is half of all",
                                   .low = 0,
                                   .high = 1 << 24,
                                   .origin = Origin::classic},
                                  imb_npmin_of_all,
                                  imb_input,
                                  imb_include,
                                  imb_exclude,
                                  imb_list};

constexpr Option imb_mt_sizes[] = {
    {.name = "count",
     .kind = Kind::special,
     .argument = "LIST",
     .fallback = "1,2,4,8",
     .help = "elements of a message",
     .check = check_element_counts,
     .origin = Origin::classic},
    {.name = "datatype",
     .kind = Kind::word,
     .fallback = "int",
     .help = "type of the elements",
     .words = "int char",
     .origin = Origin::classic},
    imb_msglog,
    imb_msgsize,
    imb_msglen,
    imb_zero_size,
    window_size,
    {.name = "malloc_algo",
     .kind = Kind::word,
     .fallback = "parallel",
     .help = "who takes and touches the buffers: the main thread, it in one block, or each thread its own",
     .words = "serial continuous parallel",
     .origin = Origin::classic},
    {.name = "malloc_align",
     .kind = Kind::special,
     .argument = "BYTES",
     .fallback = "64",
     .help = "buffers begin at multiples of this power of two, 64 at least",
     .check = check_buffer_align,
     .origin = Origin::classic},
    imb_mem};

constexpr Option imb_mt_repetitions[] = {
    {.name = "repeat",
     .kind = Kind::count,
     .fallback = "1000",
     .help = "repetitions that are timed",
     .low = 1,
     .high = std::int64_t{1} << 40,
     .origin = Origin::classic},
    {.name = "warmup",
     .kind = Kind::count,
     .fallback = "100",
     .help = "repetitions before them",
     .low = 0,
     .high = std::int64_t{1} << 40,
     .origin = Origin::classic},
    {.name = "barrier",
     .kind = Kind::word,
     .fallback = "on",
     .help =
         "what stands before the clock and between collective calls: MPI_Barrier, nothing, or a barrier of our own",
     .words = "on off special",
     .origin = Origin::classic},
    imb_time_if_given};

// IMB-MT says "-check on" and "-check off"; alone it is on, as in the other parts.
constexpr Option imb_mt_check = [] {
  Option option = imb_check;
  option.kind = Kind::on_off;
  option.argument = "[on|off]";
  option.fallback = "off";
  option.value = Presence::optional;
  return option;
}();

// Words that harnesses give to every part of IMB.
constexpr Option imb_mt_without_effect[] = {imb_iter_policy, imb_map, imb_show_tail, imb_dumpfile,
                                            imb_version_of_one_set};

constexpr Option imb_mt_output[] = {{.name = "noheader",
                                     .help = "no lines before the first table and after the last one",
                                     .origin = Origin::classic},
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
