// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/launch_options.hpp"

namespace steelyard::cli {

// Options that all seed front-ends share.
inline constexpr Option front_end_out{
    .name = "out", .letter = 'o', .kind = Kind::directory, .help = "also write records there"};

inline constexpr Option front_end_label{.name = "label",
                                        .kind = Kind::special,
                                        .argument = "KEY=VALUE",
                                        .help = "words of your own for the run record",
                                        .check = check_label,
                                        .repeat = Repeat::many};

/// The group "Start and talk".
inline constexpr Option front_end_start[] = {
    {.name = "launch",
     .letter = 'n',
     .kind = Kind::special,
     .argument = "N|auto",
     .help = "start N processes through the MPI launcher; auto is the number of usable cores, at least 2",
     .check = check_launch},
    launcher_option,
    allow_root_option,
    {.name = "deadline",
     .kind = Kind::special,
     .argument = "TIME",
     .fallback_text = "a minute before the job's end",
     .help = "stop in order before this time: 2026-11-20T18:00 or +45m",
     .check = check_deadline},
    {.name = "progress",
     .kind = Kind::word,
     .fallback_text = "a bar where standard error is a terminal, else none",
     .help = "progress on standard error",
     .words = "auto bar lines json none"},
    {.name = "quiet", .letter = 'q', .help = "no progress, no informational lines"},
    {.name = "help",
     .letter = 'h',
     .help = "this text; '-help OPTION' explains one option",
     .origin = Origin::seed},
    {.name = "version", .letter = 'V', .help = "version, build and libraries", .in_file = InFile::no},
};

}  // namespace steelyard::cli
