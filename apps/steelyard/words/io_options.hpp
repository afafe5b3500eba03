// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "words/checks.hpp"
#include "words/option_table.hpp"

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

/// The directory of this name. One that is not there is not made: what were measured is another file system.
/// `named_by`: the option. Throws Refused.
[[nodiscard]] std::filesystem::path existing_directory(const std::string& named_by, const std::string& name);

}  // namespace steelyard::cli
