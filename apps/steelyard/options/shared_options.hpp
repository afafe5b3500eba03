// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "options/checks.hpp"
#include "options/option_table.hpp"
#include "process/errors.hpp"

/// Options of all commands that measure files.
namespace steelyard::cli {

/// `fallback`: the directory that is meant without the option.
[[nodiscard]] constexpr Option io_directory_option(std::string_view fallback) {
  return {.name = "io-dir",
          .kind = Kind::directory,
          .fallback_text = fallback,
          .help = "where files are measured: a directory of our own is made in it, and removed at the end"};
}

inline constexpr Option io_hint_option{.name = "io-hint",
                                       .kind = Kind::special,
                                       .argument = "KEY=VALUE",
                                       .help = "hint to the MPI library (MPI_Info) for every file",
                                       .check = check_label,
                                       .repeat = Repeat::many};

/// The directory of this name. It is never made: another file system would be measured. `named_by`: the option. Throws
/// Refused if there is no such directory.
[[nodiscard]] inline std::filesystem::path existing_directory(const std::string& named_by,
                                                              const std::string& name) {
  std::error_code error;
  if (!std::filesystem::exists(name, error))
    throw Refused(named_by + ": there is no directory '" + name + "', and none is made");
  if (!std::filesystem::is_directory(name, error))
    throw Refused(named_by + ": '" + name + "' is no directory");
  return name;
}

// Options about the start of processes that several subcommands share.

inline constexpr Option launcher_option{
    .name = "launcher",
    .kind = Kind::text,
    .argument = "CMD",
    .fallback_text = "the launcher found at build time",
    .help = "command that starts processes, its words parted as by a shell; {n} is replaced by their number",
    .check = check_launcher,
    .on_resume = OnResume::allowed};

inline constexpr Option allow_root_option{
    .name = "allow-root", .help = "let Open MPI start processes as root", .on_resume = OnResume::allowed};

inline constexpr Option no_launch_option{
    .name = "no-launch", .help = "run as one process", .on_resume = OnResume::allowed};

// Options that all classic front-ends share.
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
     .help =
         "start N processes through the MPI launcher; auto: one for each usable core or, in a job on several "
         "nodes, for each of its tasks, at least 2",
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
    {.name = "verbose",
     .letter = 'v',
     .help = "what is measured next, on standard error before it begins; how processes are started"},
    {.name = "help",
     .letter = 'h',
     .help = "this text; '-help OPTION' explains one option",
     .origin = Origin::classic},
    {.name = "version", .letter = 'V', .help = "version, build and libraries", .in_file = InFile::no},
};

}  // namespace steelyard::cli
