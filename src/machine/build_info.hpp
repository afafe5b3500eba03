// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace steelyard::machine {

/// How this program was built; filled in by cmake/BuildInfo.cmake.
struct BuildInfo {
  std::string version;
  std::optional<std::string> commit;  // nothing outside a checkout or an archive that git made
  std::optional<bool> modified;       // nothing outside a checkout
  std::string type, compiler, flags, standard, sanitizers;
  bool optimised = false;
  std::vector<std::pair<std::string, std::string>> libraries;  // name, version at build time
  std::vector<std::pair<std::string, std::string>> options;    // name, what was chosen or found, or "no"
};
[[nodiscard]] const BuildInfo& build_info();

}  // namespace steelyard::machine
