// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "suites/hpcc/blas/trial.hpp"
#include "suites/hpcc/settings.hpp"

namespace steelyard::hpcc {

/// The BLAS of a run: the linked one, or the best of those installed, which is found once, when the first
/// test asks.
class BlasUse {
 public:
  explicit BlasUse(BlasChoice choice) : choice_(choice) {}
  /// Collective when called for the first time. Throws measure::SharedFailure.
  [[nodiscard]] const BlasTrial& chosen(const mpi::Communicator& world, int threads) {
    if (!trial_ && choice_ == BlasChoice::linked) trial_ = BlasTrial{BlasLibrary::linked(), {}};
    if (!trial_) trial_ = try_blas_libraries(world, threads);
    return *trial_;
  }

 private:
  BlasChoice choice_;
  std::optional<BlasTrial> trial_;
};

}  // namespace steelyard::hpcc
