// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "options/option_table.hpp"

namespace steelyard::cli {

/// The subcommands of a build, in the order of the overview.
class CommandList {
 public:
  /// `measuring`: those that start MPI, none in a build without it; `reading`: all others.
  CommandList(std::span<const Command* const> measuring, std::span<const Command* const> reading);

  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

  /// Whether this build has subcommands that measure.
  [[nodiscard]] bool measures() const { return measures_; }

  /// Subcommand of this name; nullptr if there is none.
  [[nodiscard]] const Command* find(std::string_view name) const;

  /// The classic front-end that a program of this name stands for (is_link_of); nullptr for steelyard itself.
  [[nodiscard]] const Command* front_end(std::string_view argv0) const;

 private:
  std::vector<const Command*> all_;
  bool measures_;
};

/// Whether a program of this base name stands for a classic front-end: any case, '-' and '_' equal, a suffix such as
/// ".mpich" ignored.
[[nodiscard]] bool is_link_of(const Command& command, std::string_view argv0);

/// Whether a name (of a subcommand or of a classic program) measures, in a build with MPI.
[[nodiscard]] bool is_measuring_name(std::string_view name);

}  // namespace steelyard::cli
