// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <numbers>
#include <span>
#include <string_view>
#include <vector>

/// Forward transforms of one process: FFTW's, or the program's own if it was built without.
namespace steelyard::fourier {

using Complex = std::complex<double>;

/// `count` transforms of length n; element j of transform t is at t * distance + j * stride, in both arrays.
struct TransformSet {
  std::int64_t n = 1, count = 1;
  std::int64_t stride = 1, distance = 1;
};

/// Way in which a library chooses among its algorithms; the program's own transforms have one only.
enum class Planning {
  guessed,  // leaves both arrays alone
  tried     // may overwrite both arrays
};
/// Whether a run keeps its input.
enum class Input { kept, used_up };

/// Name of the library: "FFTW3 (estimated plan)", "FFTW3", or own_transforms.
[[nodiscard]] std::string_view library(Planning planning);
/// The name of the program's own transforms in records.
inline constexpr std::string_view own_transforms = "steelyard";

/// Complex numbers of the work space that transforms of length n want; 0 with FFTW, which has its own.
[[nodiscard]] std::int64_t work_elements(std::int64_t n);
/// Complex numbers of the work space and tables of a plan; 0 with FFTW, of which nobody knows before.
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
  /// Transforms `in` to `out`, the arrays of the plan. Not from two threads at once.
  void run(Complex* in, Complex* out) const noexcept;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

/// Product without the checks for NaN and infinity of std::complex.
[[nodiscard]] constexpr std::complex<double> product(std::complex<double> a,
                                                     std::complex<double> b) noexcept {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(-2 pi i e / n), the argument reduced before it is made a floating-point number.
[[nodiscard]] inline std::complex<double> root(std::int64_t e, std::int64_t n) {
  const long double turn = 2 * std::numbers::pi_v<long double>;
  const long double angle = -turn * static_cast<long double>(e % n) / static_cast<long double>(n);
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

/// Powers of exp(-2 pi i / n) from two tables of about sqrt(n) entries: one multiplication, hence an error of
/// about two roundings.
class Roots {
 public:
  explicit Roots(std::int64_t n)
      : n_(n), bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)) + 1) / 2) {
    for (std::int64_t e = 0; e < std::int64_t{1} << bits_; ++e) fine_.push_back(exact(e));
    for (std::int64_t e = 0; e < n; e += std::int64_t{1} << bits_) coarse_.push_back(exact(e));
  }

  /// Power e of the root; e in 0 .. n-1.
  [[nodiscard]] std::complex<double> operator()(std::int64_t e) const noexcept {
    const auto high = coarse_[static_cast<std::size_t>(e >> bits_)];
    const auto low = fine_[static_cast<std::size_t>(e & ((std::int64_t{1} << bits_) - 1))];
    return product(high, low);
  }

  [[nodiscard]] std::complex<double> exact(std::int64_t e) const { return root(e, n_); }

 private:
  std::int64_t n_;
  int bits_;
  std::vector<std::complex<double>> fine_, coarse_;
};

}  // namespace steelyard::fourier
