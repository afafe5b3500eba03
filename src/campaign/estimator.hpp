// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::campaign {

/// Remaining time: planned seconds scaled by measured / planned of what is finished, that ratio clamped to
/// 0.5 .. 2 (methodology, "ETA"). Recent work counts more: each finished piece fades the earlier ones.
class Estimator {
 public:
  void finished(double planned_s, double measured_s);
  [[nodiscard]] double left_s(double planned_left_s) const;

 private:
  double planned_ = 0, measured_ = 0;
};

}  // namespace steelyard::campaign
