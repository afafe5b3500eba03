// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <span>

/// The numbers that the transforms work on: d_e = floor(q/2) 2^(100 + 53 e) mod q with q = 3^33, divided by
/// q. Complex element j has the real part d_2j and the imaginary part d_2j+1. Pure; every element can be
/// reached directly.
namespace steelyard::hpcc {

/// The number d_e.
[[nodiscard]] std::int64_t fft_state(std::int64_t e);
/// The fraction d_e / q, in (0, 1).
[[nodiscard]] double fft_value(std::int64_t e);
/// Fills with the complex elements first .. first + size - 1 of the sequence.
void fill_fft_data(std::span<std::complex<double>> values, std::int64_t first);

}  // namespace steelyard::hpcc
