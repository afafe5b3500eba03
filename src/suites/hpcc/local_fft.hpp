// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "measure/workload.hpp"
#include "suites/hpcc/fft_passes.hpp"
#include "suites/hpcc/form.hpp"

namespace steelyard::hpcc {

/// The one-process transform: n complex elements, forward, out of place. base: one full-length transform of
/// the library; optimized: two passes of short ones.
class LocalFft {
 public:
  /// Plans, generates and touches everything. n = 2^a 3^b 5^c. Throws std::bad_alloc, std::runtime_error
  /// without a library of transforms.
  LocalFft(std::int64_t n, Form form);

  void run() noexcept;

  /// Inverse of the result by a plain transform against the data generated anew. `worst`: largest deviation
  /// over (half_epsilon ln n); `errors` = 1 unless it is below the threshold. The result is used up.
  [[nodiscard]] measure::CheckResult verify(double threshold = default_threshold);

  [[nodiscard]] double operations() const;
  [[nodiscard]] std::span<Complex> result() const noexcept { return out_.span(); }
  [[nodiscard]] const HugeMemory& memory() const { return out_.memory(); }

 private:
  struct Passes {
    ColumnPass columns;
    RowPass rows;
    HugeArray<Complex> between;
    std::int64_t stride;
  };

  void run_passes() noexcept;

  std::int64_t n_;
  Factors factors_;
  HugeArray<Complex> in_, out_;
  std::optional<Transforms> whole_;
  std::optional<Passes> passes_;
};

/// 5 n log2(n), what a transform counts for.
[[nodiscard]] double fft_operations(std::int64_t n);
/// Largest |z_j - generated_j| over (half_epsilon ln n), element 0 being number `first` of the sequence.
[[nodiscard]] double fft_deviation(std::span<const Complex> values, std::int64_t first);
/// The deviation judged; n: the whole length.
[[nodiscard]] measure::CheckResult fft_judgement(double deviation, std::int64_t n, double threshold);

/// Most columns or rows that one pass of transforms of length n takes at once: what stays in a cache of
/// second level.
[[nodiscard]] std::int64_t pass_width(std::int64_t n);

}  // namespace steelyard::hpcc
