// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "machine/findings.hpp"
#include "tree.hpp"

/// Without watching other load.
inline steelyard::machine::Situation still() {
  steelyard::machine::Situation situation;
  situation.window = std::chrono::milliseconds(0);
  return situation;
}

inline const steelyard::machine::Finding* find(const std::vector<steelyard::machine::Finding>& findings,
                                               std::string_view code) {
  const auto found = std::ranges::find(findings, code, &steelyard::machine::Finding::code);
  return found == findings.end() ? nullptr : &*found;
}

inline std::vector<steelyard::machine::Finding> examine_tree(
    const std::string& name, const steelyard::machine::Situation& situation = still()) {
  return steelyard::machine::examine(situation, recorded_tree(name).roots());
}

/// Whether a finding of that code is told of a recorded tree.
inline bool told(const std::string& tree, std::string_view code,
                 const steelyard::machine::Situation& situation = still()) {
  return find(examine_tree(tree, situation), code) != nullptr;
}
