// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "measure/extremes.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::measure {

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
