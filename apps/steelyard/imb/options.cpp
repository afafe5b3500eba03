// SPDX-License-Identifier: Apache-2.0
#include "imb/option_list.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

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

}  // namespace

std::span<const Group> imb_mpi1_options() {
  return imb_groups;
}

}  // namespace steelyard::cli
