// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

/// The operations of a BLAS that the linear solver is made of, column-major, for doubles.
namespace steelyard::hpcc {
class BlasLibrary;
}

namespace steelyard::hpcc::blas {

enum class Op { plain, transposed };
enum class Side { left, right };
enum class Triangle { lower, upper };
enum class Diagonal { unit, general };

/// A matrix that somebody else owns: element (i, j) at data[i + j * leading].
template <class T>
struct View {
  T* data = nullptr;
  std::int64_t leading = 1;
  [[nodiscard]] View at(std::int64_t i, std::int64_t j) const { return {data + i + j * leading, leading}; }
  [[nodiscard]] T& operator()(std::int64_t i, std::int64_t j) const { return data[i + j * leading]; }
};
using In = View<const double>;
using Out = View<double>;

[[nodiscard]] inline In in(const Out& matrix) {
  return {matrix.data, matrix.leading};
}

/// Vector whose elements are `step` apart.
template <class T>
struct Vector {
  T* data = nullptr;
  std::int64_t step = 1;
};

/// Functions of the C interface, with enumerations as their numbers. iamax: some libraries return 32 bit.
struct Functions {
  void (*gemm)(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*,
               int) = nullptr;
  void (*trsm)(int, int, int, int, int, int, int, double, const double*, int, double*, int) = nullptr;
  void (*gemv)(int, int, int, int, double, const double*, int, const double*, int, double, double*,
               int) = nullptr;
  void (*trsv)(int, int, int, int, int, const double*, int, double*, int) = nullptr;
  void (*ger)(int, int, int, double, const double*, int, const double*, int, double*, int) = nullptr;
  void (*scal)(int, double, double*, int) = nullptr;
  void (*axpy)(int, double, const double*, int, double*, int) = nullptr;
  int (*iamax)(int, const double*, int) = nullptr;
  [[nodiscard]] bool complete() const { return gemm && trsm && gemv && trsv && ger && scal && axpy && iamax; }
};

/// The routines of one library. The operations may be called only where available() says so.
class Routines {
 public:
  /// Routines of the BLAS that the program was built with; not available if it was built without.
  [[nodiscard]] static Routines linked();
  /// Routines of this library, which stays loaded meanwhile; not available if it lacks one.
  [[nodiscard]] static Routines of(const BlasLibrary& library);
  [[nodiscard]] bool available() const { return functions_.complete(); }

  /// c (m x n) <- alpha op(a) op(b) + beta c, with k between.
  void gemm(Op of_a, Op of_b, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, In a, In b,
            double beta, Out c) const noexcept;
  /// b (m x n) <- inverse of op(a) times b, or b times it, by side.
  void trsm(Side side, Triangle triangle, Op of_a, Diagonal diagonal, std::int64_t m, std::int64_t n, In a,
            Out b) const noexcept;
  /// y <- alpha op(a) x + beta y, a m x n.
  void gemv(Op of_a, std::int64_t m, std::int64_t n, double alpha, In a, Vector<const double> x, double beta,
            Vector<double> y) const noexcept;
  /// x <- inverse of op(a) times x.
  void trsv(Triangle triangle, Op of_a, Diagonal diagonal, std::int64_t n, In a,
            Vector<double> x) const noexcept;
  /// a (m x n) <- a + alpha x y^T.
  void ger(std::int64_t m, std::int64_t n, double alpha, Vector<const double> x, Vector<const double> y,
           Out a) const noexcept;
  void scal(std::int64_t n, double alpha, Vector<double> x) const noexcept;
  void axpy(std::int64_t n, double alpha, Vector<const double> x, Vector<double> y) const noexcept;
  /// Index of the first element of largest magnitude, below n whatever the elements are; n is at least 1.
  [[nodiscard]] std::int64_t iamax(std::int64_t n, Vector<const double> x) const noexcept;

 private:
  Functions functions_;
  std::shared_ptr<const BlasLibrary> library_;  // that of(...) was asked for
};

/// Functions of the BLAS that the program was built with; all null if it was built without.
[[nodiscard]] Functions linked_functions();

}  // namespace steelyard::hpcc::blas
