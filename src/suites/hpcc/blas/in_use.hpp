// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/hpcc/blas/findings.hpp"
#include "suites/hpcc/blas/library.hpp"
#include "suites/hpcc/settings.hpp"

namespace steelyard::hpcc {

/// The BLAS of a run: what computes in this process, and how it came to be chosen, the same on all of them.
struct BlasInUse {
  BlasLibrary library;
  BlasFindings findings;
};

/// The library that computes by these settings.
[[nodiscard]] inline BlasLibrary blas_of(const Settings& settings) {
  return settings.blas_in_use ? settings.blas_in_use->library : BlasLibrary::linked();
}

}  // namespace steelyard::hpcc
