// SPDX-License-Identifier: Apache-2.0
#include "imb/options.hpp"

#include "imb/option_list.hpp"

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

namespace {

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

}  // namespace

std::span<const Group> imb_rma_options() {
  return imb_rma_groups;
}

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

// Root and buffers are fixed in a request: there are as many requests as it takes.
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

namespace {

// -list with the letter that IMB-P2P has for it.
constexpr Option list_by_letter = [] {
  Option option = imb_list;
  option.letter = 'l';
  return option;
}();

// Of several lists of sizes IMB-P2P takes the last one and what -msgsz adds behind it.
constexpr std::string_view lists_of_sizes[] = {"msglog", "msglen", "msgsz"};
constexpr Option lengths_from_file = [] {
  Option option = imb_msglen;
  option.replaces = lists_of_sizes;
  return option;
}();

constexpr Option imb_p2p_what[] = {imb_npmin_of_all,
                                   imb_multi,
                                   imb_map,
                                   imb_input,
                                   imb_include,
                                   imb_exclude,
                                   list_by_letter,
                                   {.name = "seed",
                                    .kind = Kind::count,
                                    .fallback = "0",
                                    .help = "of the random pairs and rings; 0 gives those of IMB-P2P",
                                    .low = 0,
                                    .high = (std::int64_t{1} << 53) - 1}};

constexpr Option imb_p2p_sizes[] = {{.name = "msglog",
                                     .kind = Kind::special,
                                     .argument = "N|K:N",
                                     .fallback = "22",
                                     .help = "sizes 0, 1, 2 .. 2^N byte, or 2^K .. 2^N without 0",
                                     .check = check_p2p_exponents,
                                     .origin = Origin::classic,
                                     .replaces = lists_of_sizes},
                                    lengths_from_file,
                                    {.name = "msgsz",
                                     .kind = Kind::special,
                                     .argument = "LIST",
                                     .help = "sizes in byte, alone or behind those of -msglog or -msglen",
                                     .check = check_lengths,
                                     .repeat = Repeat::many,
                                     .origin = Origin::classic},
                                    {.name = "msgwr",
                                     .kind = Kind::on_off,
                                     .fallback = "on",
                                     .help = "write a byte of every 64 of a message before it is sent",
                                     .origin = Origin::classic},
                                    {.name = "msgrd",
                                     .kind = Kind::on_off,
                                     .fallback = "on",
                                     .help = "read a byte of every 64 of a message when it has come",
                                     .origin = Origin::classic},
                                    imb_mem};

constexpr Option imb_p2p_repetitions[] = {
    {.name = "iter",
     .kind = Kind::special,
     .argument = "A[,B]",
     .fallback = "100000,800",
     .help = "most repetitions, overall volume in MByte",
     .check = check_p2p_iterations,
     .origin = Origin::classic},
    imb_time_if_given,
    {.name = "pause",
     .kind = Kind::special,
     .argument = "USEC|TIME",
     .fallback = "0",
     .help = "sleep before and after each row; IMB-P2P sleeps for 100000",
     .check = check_pause,
     .origin = Origin::classic},
    imb_thread_level};

constexpr Option imb_p2p_without_effect[] = {imb_version_of_one_set};

constexpr Option imb_p2p_output[] = {imb_show_tail, imb_dumpfile, imb_check, front_end_out, front_end_label};

constexpr Group imb_p2p_groups[] = {{"What is measured", imb_p2p_what},
                                    {"Sizes and data", imb_p2p_sizes},
                                    {"Repetitions and timing", imb_p2p_repetitions},
                                    {"Understood, without effect here", imb_p2p_without_effect},
                                    {"Output", imb_p2p_output},
                                    {"Start and talk", front_end_start}};

}  // namespace

std::span<const Group> imb_p2p_options() {
  return imb_p2p_groups;
}

}  // namespace steelyard::cli
