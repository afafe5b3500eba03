// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Peak rate of a core: multiply-adds of double precision on registers alone.
namespace steelyard::hpcc {

/// A loop over chains of multiply-adds that do not wait for one another.
struct MultiplyAdds {
  /// Executes so many steps of the chains; the result is 1 up to rounding and depends on every one of them.
  double (*run)(std::int64_t steps) noexcept;
  double operations_per_step;  // a multiply-add counts for two
};

/// Loop for the widest vectors of this processor.
[[nodiscard]] MultiplyAdds widest_multiply_adds();
/// Loop as the compiler makes it for the least capable processor that the program runs on.
[[nodiscard]] MultiplyAdds plain_multiply_adds();

/// Seconds that the measurement takes by default.
inline constexpr double core_peak_s = 0.1;
/// Operations per second of so many threads of this process together, each on registers alone. A
/// thread counts with the fastest of short runs that together take about `seconds`, so that
/// interruptions do not count.
[[nodiscard]] double measured_peak(int threads = 1, double seconds = core_peak_s);

}  // namespace steelyard::hpcc
