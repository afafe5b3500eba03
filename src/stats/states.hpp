// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

/// Machine states: persistent speed regimes that a probe recognises. Source:
/// docs/methodology.md, "Machine states".
namespace steelyard::stats {

/// Readings of the probes before a visit, in seconds; absent where a probe does not apply.
struct Probe {
  std::optional<double> c2c_s;    // cache line round trip between two ranks of a node
  std::optional<double> chain_s;  // dependent arithmetic: clock frequency
  std::optional<double> wide_s;   // independent arithmetic and loads: a busy sibling
};

/// Readings of a probe that differ by a larger factor belong to different states.
inline constexpr double same_c2c = 1.4, same_chain = 1.08, same_wide = 1.15;

/// Class of each visit's probe: visits are of one class that lie in the same group by each of the three
/// readings. Groups are cut where neighbours in sorted order differ by more than 1.4 (c2c), 1.08 (chain) or
/// 1.15 (wide). A visit that lacks a reading, as one that was not probed does, is of the largest class that has
/// it and agrees in the others, if there is one. At most 4 classes; classes with less than 3 % of the visits
/// join the nearest. Classes are numbered by falling size, so class 0 is the dominant one.
[[nodiscard]] std::vector<int> classify(std::span<const Probe> probes);

}  // namespace steelyard::stats
