// SPDX-License-Identifier: Apache-2.0
#include "imb/option_list.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr Option imb_rma_what[] = {imb_npmin, imb_multi,   imb_map,     imb_aggregate_mode,
                                   imb_input, imb_include, imb_exclude, imb_list};

constexpr Option imb_rma_sizes[] = {imb_msglog, imb_msglen,         imb_zero_size, imb_off_cache,
                                    imb_mem,    imb_mem_alloc_type, imb_hint};

constexpr Option imb_rma_repetitions[] = {imb_iter,    imb_iter_policy, imb_time,        imb_outstanding,
                                          imb_warm_up, imb_msg_pause,   imb_thread_level};

constexpr Option imb_rma_output[] = {imb_show_tail, imb_dumpfile,  imb_check,
                                     imb_version,   front_end_out, front_end_label};

// Words of IMB that its other parts listen to.
constexpr Option imb_rma_without_effect[] = {imb_root_shift, imb_sync, imb_imb_barrier};

constexpr Group imb_rma_groups[] = {{"What is measured", imb_rma_what},
                                    {"Sizes, buffers and windows", imb_rma_sizes},
                                    {"Repetitions and timing", imb_rma_repetitions},
                                    {"Understood, without effect here", imb_rma_without_effect},
                                    {"Output", imb_rma_output},
                                    {"Start and talk", front_end_start}};

}  // namespace

std::span<const Group> imb_rma_options() {
  return imb_rma_groups;
}

}  // namespace steelyard::cli
