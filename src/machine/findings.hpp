// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "machine/environment.hpp"

namespace steelyard::machine {

enum class Level { ok, note, warning, problem };

/// One thing that doctor tells; the same codes are event records of a run.
struct Finding {
  Level level = Level::ok;
  std::string section;  // program, launcher, processors, memory, clock, network, files, power
  std::string code;     // event code; empty for ok lines
  std::string text;
  std::string cure;     // empty if there is none
};

/// What will disturb a measurement with `processes` of `threads` each on this node. Reads only; <= 0.3 s.
struct Situation {
  int processes_on_node = 1;
  int threads = 1;
  std::vector<Affinity> ranks;  // of this node's ranks when known
  std::filesystem::path io_directory;
};
[[nodiscard]] std::vector<Finding> examine(const Situation& situation, const Roots& roots = {});

[[nodiscard]] std::string_view text(Level level);

}  // namespace steelyard::machine
