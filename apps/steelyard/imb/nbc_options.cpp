// SPDX-License-Identifier: Apache-2.0
#include "imb/option_list.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr Option imb_progress_calls{
    .name = "progress-calls",
    .kind = Kind::count,
    .fallback = "0",
    .help = "calls of MPI_Test at equal distances in the computation beside an operation",
    .low = 0,
    .high = 1 << 20};

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

// Root and buffers are fixed in a request: there are as many as it takes.
constexpr Group imb_mpi4_groups[] = {{"What is measured", imb_nbc_what},
                                     {"Sizes and buffers", imb_mpi4_sizes},
                                     {"Repetitions and timing", imb_nbc_repetitions},
                                     {"Output", imb_nbc_output},
                                     {"Start and talk", front_end_start}};

constexpr Option own_mpi4_messages[] = {
    {.name = "partitions",
     .kind = Kind::special,
     .argument = "LIST",
     .fallback = "1,4,16",
     .help = "numbers of parts that a message is cut into; a row for each",
     .check = check_part_numbers},
    {.name = "pready",
     .kind = Kind::word,
     .fallback = "forward",
     .help = "order in which parts are handed over",
     .words = "forward backward random"},
    {.name = "pready_call",
     .kind = Kind::word,
     .fallback = "one",
     .help = "one call of MPI_Pready for each part, or one of its forms for all",
     .words = "one list range"},
    {.name = "noise",
     .kind = Kind::special,
     .argument = "PERCENT",
     .fallback = "4",
     .help = "by how much pieces of the computation of Overlap_part differ",
     .check = check_noise},
    {.name = "noise_model",
     .kind = Kind::word,
     .fallback = "uniform",
     .help = "which pieces are longer: one by all of it, each by a part that is equally likely, or normally",
     .words = "single uniform gauss"},
    {.name = "cart",
     .kind = Kind::special,
     .argument = "D|AxB[xC]",
     .fallback = "2",
     .help = "dimensions of the grid of neighbours, or its sides",
     .check = check_cart},
    imb_window_size};

constexpr Group own_mpi4_groups[] = {{"What is measured", imb_nbc_what},
                                     {"Sizes and buffers", imb_nbc_sizes},
                                     {"Requests, parts and neighbours", own_mpi4_messages},
                                     {"Repetitions and timing", imb_nbc_repetitions},
                                     {"Output", imb_nbc_output},
                                     {"Start and talk", front_end_start}};

}  // namespace

std::span<const Group> own_mpi4_options() {
  return own_mpi4_groups;
}

std::span<const Group> imb_mpi4_options() {
  return imb_mpi4_groups;
}

std::span<const Group> imb_nbc_options() {
  return imb_nbc_groups;
}

}  // namespace steelyard::cli
