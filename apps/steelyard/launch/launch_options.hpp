// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "words/checks.hpp"
#include "words/option_table.hpp"

/// Options of starting processes that several subcommands share.
namespace steelyard::cli {

inline constexpr Option launcher_option{
    .name = "launcher",
    .kind = Kind::text,
    .argument = "CMD",
    .fallback_text = "the launcher found at build time",
    .help = "command that starts processes; {n} is replaced by their number",
    .on_resume = OnResume::allowed};

inline constexpr Option allow_root_option{
    .name = "allow-root", .help = "let Open MPI start processes as root", .on_resume = OnResume::allowed};

inline constexpr Option no_launch_option{
    .name = "no-launch", .help = "run as one process", .on_resume = OnResume::allowed};

}  // namespace steelyard::cli
