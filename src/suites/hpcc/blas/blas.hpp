// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

/// The BLAS that the program was built with, if any.
namespace steelyard::hpcc::blas {

[[nodiscard]] bool available();

/// Computes C <- alpha A B + beta C, square, of order n, column-major. Only where a BLAS is available.
void multiply(std::int64_t n, double alpha, const double* a, const double* b, double beta,
              double* c) noexcept;

/// Sets the threads that one call may use; no effect if the library has no such switch.
void set_threads(int threads) noexcept;
/// Threads that one call may use now; 1 if the library does not tell.
[[nodiscard]] int threads() noexcept;

/// Configuration of the library, and the kernel that it chose for this processor; empty if it does not tell.
[[nodiscard]] std::string library();
[[nodiscard]] std::string kernel();

}  // namespace steelyard::hpcc::blas
