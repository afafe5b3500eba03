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
  return {"io-dir", Kind::directory,
          "where files are measured: a directory of our own is made in it, and removed at the end",
          FallbackText{fallback}};
}

inline constexpr Option io_hint_option("io-hint", Kind::special,
                                       "hint to the MPI library (MPI_Info) for every file",
                                       Argument{"KEY=VALUE"}, parses<parse_label>, Repeat::many);

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

inline constexpr Option launcher_option(
    "launcher", Kind::text,
    "command that starts processes, its words parted as by a shell; {n} is replaced by their number",
    Argument{"CMD"}, FallbackText{"the launcher found at build time"}, check_launcher, OnResume::allowed);

inline constexpr Option allow_root_option("allow-root", "let Open MPI start processes as root",
                                          OnResume::allowed);

inline constexpr Option no_launch_option("no-launch", "run as one process", OnResume::allowed);

// Options that all classic front-ends share.
inline constexpr Option front_end_out("out", Kind::directory, "also write records there", 'o');

inline constexpr Option front_end_label("label", Kind::special, "words of your own for the run record",
                                        Argument{"KEY=VALUE"}, parses<parse_label>, Repeat::many);

/// The group "Start and talk".
inline constexpr Option front_end_start[] = {
    {"launch", Kind::special,
     "start N processes through the MPI launcher; auto: one for each usable core or, in a job on several "
     "nodes, for each of its tasks, at least 2",
     'n', Argument{"N|auto"}, parses<parse_launch>},
    launcher_option,
    allow_root_option,
    {"deadline", Kind::special, "stop in order before this time: 2026-11-20T18:00 or +45m", Argument{"TIME"},
     FallbackText{"a minute before the job's end"}, parses<parse_deadline, 0>},
    {"progress", Kind::word, "progress on standard error",
     FallbackText{"a bar where standard error is a terminal, else none"}, OneOf{"auto bar lines json none"}},
    {"quiet", "no progress, no informational lines", 'q'},
    {"verbose", "what is measured next, on standard error before it begins; how processes are started", 'v'},
    {"help", "this text; '-help OPTION' explains one option", 'h', Origin::classic},
    {"version", "version, build and libraries", 'V', InFile::no},
};

}  // namespace steelyard::cli
