// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suites/hpcc/blas/library.hpp"

/// --blas-trial: the libraries that are installed, and how fast each multiplies.
namespace steelyard::hpcc {

/// The linked library and the others of these files that are different from it and from one another.
[[nodiscard]] std::vector<BlasLibrary> installed_blas(
    const std::vector<std::string>& files = known_blas_files());

/// Flop/s of the fastest of some products of matrices of order n. Throws std::bad_alloc.
[[nodiscard]] double trial_rate(const BlasLibrary& library, std::int64_t n, int threads);

/// "OpenBLAS 0.3.21, kernel SkylakeX".
[[nodiscard]] std::string described(const BlasLibrary& library);

/// Part of the core's measured peak below which DGEMM deserves a word.
inline constexpr double least_peak_share = 0.6;

/// What to say of a DGEMM of order n that reached this part of the peak: the kernel and the cure. Nothing
/// from least_peak_share on.
[[nodiscard]] std::optional<std::string> blas_complaint(const machine::BlasIdentity& blas, double peak_share,
                                                        std::int64_t n);

/// A library and what it reached, as a mean over the processes.
struct TriedBlas {
  std::string name;
  double flop_s = 0;
};
/// "OpenBLAS 0.3.21, kernel SkylakeX: 101.2 Gflop/s; ..."
[[nodiscard]] std::string text(const std::vector<TriedBlas>& tried);

}  // namespace steelyard::hpcc
