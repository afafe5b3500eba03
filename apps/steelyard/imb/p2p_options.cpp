// SPDX-License-Identifier: Apache-2.0
#include "imb/option_list.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

// IMB-P2P has a letter for it.
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
                                     .origin = Origin::seed,
                                     .replaces = lists_of_sizes},
                                    lengths_from_file,
                                    {.name = "msgsz",
                                     .kind = Kind::special,
                                     .argument = "LIST",
                                     .help = "sizes in byte, alone or behind those of -msglog or -msglen",
                                     .check = check_lengths,
                                     .repeat = Repeat::many,
                                     .origin = Origin::seed},
                                    {.name = "msgwr",
                                     .kind = Kind::on_off,
                                     .fallback = "on",
                                     .help = "write a byte of every 64 of a message before it is sent",
                                     .origin = Origin::seed},
                                    {.name = "msgrd",
                                     .kind = Kind::on_off,
                                     .fallback = "on",
                                     .help = "read a byte of every 64 of a message when it has come",
                                     .origin = Origin::seed},
                                    imb_mem};

constexpr Option imb_p2p_repetitions[] = {
    {.name = "iter",
     .kind = Kind::special,
     .argument = "A[,B]",
     .fallback = "100000,800",
     .help = "most repetitions, overall volume in MByte",
     .check = check_p2p_iterations,
     .origin = Origin::seed},
    imb_time,
    {.name = "pause",
     .kind = Kind::special,
     .argument = "USEC|TIME",
     .fallback = "0",
     .help = "sleep before and after each row; IMB-P2P sleeps for 100000",
     .check = check_pause,
     .origin = Origin::seed},
    imb_thread_level};

constexpr Option imb_p2p_output[] = {imb_show_tail, imb_dumpfile, imb_check, front_end_out, front_end_label};

constexpr Group imb_p2p_groups[] = {{"What is measured", imb_p2p_what},
                                    {"Sizes and data", imb_p2p_sizes},
                                    {"Repetitions and timing", imb_p2p_repetitions},
                                    {"Output", imb_p2p_output},
                                    {"Start and talk", front_end_start}};

}  // namespace

std::span<const Group> imb_p2p_options() {
  return imb_p2p_groups;
}

}  // namespace steelyard::cli
