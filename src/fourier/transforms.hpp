// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

/// Forward transforms of one process: FFTW, or the program's own where it was built without.
namespace steelyard::fourier {

using Complex = std::complex<double>;

/// `count` transforms of length n; element j of transform t is at t * distance + j * stride, before and
/// after.
struct TransformSet {
  std::int64_t n = 1, count = 1;
  std::int64_t stride = 1, distance = 1;
};

/// How a library chooses among its ways; the program's own transforms have one only.
enum class Planning {
  guessed,  // leaves both arrays alone
  tried     // may overwrite both arrays
};
/// Whether a run leaves what it transforms.
enum class Input { kept, used_up };

/// "FFTW3 (estimated plan)", "FFTW3", or own_transforms.
[[nodiscard]] std::string_view library(Planning planning);
/// The name of the program's own transforms in records.
inline constexpr std::string_view own_transforms = "steelyard";

/// Complex numbers of the work space that transforms of length n want; none with FFTW, which has its own.
[[nodiscard]] std::int64_t work_elements(std::int64_t n);
/// Work space and tables of a plan, in complex numbers; of FFTW nobody knows before.
[[nodiscard]] std::int64_t plan_elements(std::int64_t n);

/// A planned set of transforms, not in place.
class Transforms {
 public:
  struct Manner {
    Planning planning = Planning::guessed;
    Input input = Input::kept;
  };
  struct Arrays {
    Complex *in, *out;
  };
  /// `work`: work_elements(set.n), in use while a run lasts; plans may share it. Throws std::runtime_error if
  /// the library has no plan, std::bad_alloc.
  Transforms(const TransformSet& set, Manner manner, Arrays arrays, std::span<Complex> work);
  Transforms(Transforms&&) noexcept;
  Transforms& operator=(Transforms&&) noexcept;
  ~Transforms();
  /// On the arrays of the plan. Not from two threads at once.
  void run(Complex* in, Complex* out) const noexcept;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace steelyard::fourier
