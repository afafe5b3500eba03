// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "stats/states.hpp"

namespace steelyard::measure {

/// What ranks tell about one visit besides its times. Merged by maximum, in the same message as the times.
struct Extremes {
  static constexpr double absent = -1;  // below every time; never leaves the message

  double failed = 0;  // ranks from this one to the last: the largest belongs to the lowest failed rank
  double c2c_s = absent;
  double chain_s = absent;
  double wide_s = absent;
  double waited_s = 0;
  double switches = 0;
  double faults = 0;
  double migrated = 0;
  double late = 0;

  void set(const stats::Probe& probe);
  [[nodiscard]] stats::Probe probe() const;
  [[nodiscard]] bool probed() const { return chain_s > 0 || wide_s > 0 || c2c_s > 0; }

  /// Of several messages of one visit: sums of counts and times, worst of the rest.
  void add(const Extremes& other);

  void set_failed(const mpi::Communicator& active) { failed = active.size() - active.rank(); }
  [[nodiscard]] std::optional<int> failed_rank(const mpi::Communicator& active) const;
};

/// Maximum over ranks of times and extremes with one reduction; valid on rank 0.
class VisitMessage {
 public:
  /// Space for this rank's values.
  [[nodiscard]] std::span<double> values(std::size_t count);
  /// Collective. Afterwards values and extremes are the merged ones on rank 0.
  void merge(const mpi::Communicator& active, const Extremes& own);
  [[nodiscard]] std::span<const double> merged() const { return {merged_.data(), count_}; }
  [[nodiscard]] Extremes extremes() const;
  /// Replaces the merged extremes.
  void keep(const Extremes& extremes);

 private:
  static constexpr std::size_t tail = sizeof(Extremes) / sizeof(double);
  std::size_t count_ = 0;
  std::vector<double> own_;
  std::vector<double> merged_;
};

}  // namespace steelyard::measure
