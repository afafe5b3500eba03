// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fourier/transforms.hpp"
#include "machine/pages.hpp"
#include "measure/workload.hpp"
#include "suites/hpcc/fft/passes.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/foundation/named_buffer.hpp"

namespace steelyard::hpcc {

/// Seconds that an FFT takes on this process before and after what is measured: making the data, planning the
/// short or the whole transform, and the inverse of the check. Negative: not done yet.
struct FftSeconds {
  double generation = -1, planning = -1, inverse = -1;
};

/// The one-process transform: n complex elements, forward, out of place. base: one full-length transform of
/// the library; optimized: two passes of short ones.
class LocalFft {
 public:
  /// Plans, generates and touches everything. n = 2^a 3^b 5^c. The optimized form shares its passes among the
  /// threads. Throws std::bad_alloc, std::invalid_argument for other lengths.
  LocalFft(std::int64_t n, Form form, int threads = 1);

  void run() noexcept;

  /// Compares the inverse of the result, by a plain transform, with the data generated anew.
  /// `worst`: largest deviation over (half_epsilon ln n); `errors` = 1 unless it is below the
  /// threshold. The result is used up.
  [[nodiscard]] measure::CheckResult verify(double threshold = default_threshold);

  /// Seconds beside the transform's own time.
  [[nodiscard]] const FftSeconds& beside() const { return beside_; }
  [[nodiscard]] std::span<Complex> result() const noexcept { return out_.span(); }
  [[nodiscard]] std::vector<NamedBuffer> buffers() const;

 private:
  struct Passes {
    std::vector<ColumnPass> columns;  // one of each for every thread
    std::vector<RowPass> rows;
    machine::HugeArray<LaneCell> between;
  };

  void plan_whole();
  void plan_passes();
  void run_passes() noexcept;
  void run_columns(int thread) noexcept;
  void run_rows(int thread) noexcept;

  std::int64_t n_;
  int threads_;
  Factors factors_;
  machine::HugeArray<Complex> in_, out_;
  machine::HugeArray<Complex> work_;  // of the whole transform
  std::optional<fourier::Transforms> whole_;
  std::optional<Passes> passes_;
  FftSeconds beside_;
};

/// Largest |z_j - generated_j|, element 0 being number `first` of the sequence.
[[nodiscard]] double fft_deviation(std::span<const Complex> values, std::int64_t first);
/// Result of the check for a deviation, which is divided by (half_epsilon ln n); n: the whole length.
[[nodiscard]] measure::CheckResult fft_judgement(double deviation, std::int64_t n, double threshold);

/// Most columns that the first pass of transforms of length n takes at once so that they stay in the
/// caches. Wide blocks read memory in longer runs, which weighs more than a block in the second
/// level: 512 byte at a time gave 15 % more than 128 byte although the block is then in the third level.
[[nodiscard]] std::int64_t pass_width(std::int64_t n);
/// Bytes of cache that a pass may fill.
inline constexpr std::int64_t pass_cache_byte = 2 << 20;

}  // namespace steelyard::hpcc
