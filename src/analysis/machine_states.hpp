// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "record/records.hpp"

/// Machine states as records tell them. Source: docs/methodology.md, "Machine states".
namespace steelyard::analysis {

/// Whether the two states agree in every probe that both have.
[[nodiscard]] bool same_state(const record::State& one, const record::State& other);

/// Time that a run spent in states of similar c2c_s, the exchange time of cache lines, which depends on the
/// processors that work and on how far apart they lie. A figure that was measured in a moment belongs to the
/// state of that moment.
class StatesOfRun {
 public:
  explicit StatesOfRun(std::span<const record::PointRecord> points);
  /// Whether a fifth or more of the time that was measured in known states was spent in other states than
  /// that of most visits of the point; false if its state is not known.
  [[nodiscard]] bool others_than_of(const record::PointRecord& point) const;

 private:
  [[nodiscard]] std::optional<double> share_like(const record::PointRecord& point) const;
  [[nodiscard]] double seconds_up_to(double c2c_s) const;

  std::vector<std::pair<double, double>> seconds_up_to_;  // c2c_s, and the seconds in states up to it
};

}  // namespace steelyard::analysis
