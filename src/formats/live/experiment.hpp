// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "record/records.hpp"

/// Suites whose points are no rows of the live table. Internal to this folder.
namespace steelyard::formats {

/// One experiment: its text while it is measured, and at the end.
class LiveExperiment {
 public:
  virtual ~LiveExperiment() = default;
  /// True if the point belongs to it.
  [[nodiscard]] virtual bool takes(const record::PointRecord& point) const = 0;
  /// Lines for a point, in their order; empty if it needs none.
  [[nodiscard]] virtual std::string point(const record::PointRecord& point, bool brief) = 0;
  /// Results, checks and validity; empty for summaries of other suites.
  [[nodiscard]] virtual std::string summary(const record::SummaryRecord& summary, bool brief) = 0;
};

[[nodiscard]] std::unique_ptr<LiveExperiment> live_beff();
[[nodiscard]] std::unique_ptr<LiveExperiment> live_beffio();
[[nodiscard]] std::unique_ptr<LiveExperiment> live_ftio();
[[nodiscard]] std::unique_ptr<LiveExperiment> live_screen();

/// All experiments.
[[nodiscard]] inline std::vector<std::unique_ptr<LiveExperiment>> live_experiments() {
  std::vector<std::unique_ptr<LiveExperiment>> all;
  for (const auto make : {live_beff, live_beffio, live_ftio, live_screen}) all.push_back(make());
  return all;
}

}  // namespace steelyard::formats
