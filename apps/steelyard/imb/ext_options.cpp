// SPDX-License-Identifier: Apache-2.0
#include "imb/option_list.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

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

}  // namespace

std::span<const Group> imb_ext_options() {
  return imb_ext_groups;
}

}  // namespace steelyard::cli
