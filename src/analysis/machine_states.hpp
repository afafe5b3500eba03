// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "record/records.hpp"

/// Machine states as records tell them. Source: docs/methodology.md, "Machine states".
namespace steelyard::analysis {

/// Whether no probe of both tells them apart.
[[nodiscard]] bool same_state(const record::State& one, const record::State& other);

/// How long a run lay in states with a like exchange of cache lines: which processors work, and how far apart
/// they lie. A figure that was measured in a moment belongs to the state of that moment.
class StatesOfRun {
 public:
  explicit StatesOfRun(std::span<const record::PointRecord> points);
  /// Whether a fifth and more of the time that was measured in known states was in other ones than that of
  /// most visits of the point; no where its state is not known.
  [[nodiscard]] bool others_than_of(const record::PointRecord& point) const;

 private:
  [[nodiscard]] std::optional<double> share_like(const record::PointRecord& point) const;
  [[nodiscard]] double seconds_up_to(double c2c_s) const;

  std::vector<std::pair<double, double>> seconds_up_to_;  // by c2c_s, all that is not above it
};

}  // namespace steelyard::analysis
