// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace steelyard::machine {

/// Build of this program; filled in by cmake/BuildInfo.cmake.
struct BuildInfo {
  std::string version;
  std::optional<std::string> commit;  // nullopt outside a checkout or an archive that git made
  std::optional<bool> modified;       // nullopt outside a checkout
  std::string type, compiler, flags, standard, sanitizers;
  bool optimised = false;
  std::vector<std::pair<std::string, std::string>> libraries;  // name, version at build time
  std::vector<std::pair<std::string, std::string>> options;    // name, chosen or found value, or "no"
};
[[nodiscard]] const BuildInfo& build_info();

}  // namespace steelyard::machine
