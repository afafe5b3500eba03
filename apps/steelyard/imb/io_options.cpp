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

}  // namespace steelyard::cli
