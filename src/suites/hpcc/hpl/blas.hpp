// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The operations of the BLAS that the linear solver is made of, column-major, for doubles. Where the program
/// was built without a BLAS they do nothing: ask blas::available() first.
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

/// Elements at a distance of `step`.
template <class T>
struct Vector {
  T* data = nullptr;
  std::int64_t step = 1;
};

/// c (m x n) <- alpha op(a) op(b) + beta c, with k between.
void gemm(Op of_a, Op of_b, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, In a, In b,
          double beta, Out c) noexcept;
/// b (m x n) <- inverse of op(a) times b, or b times it, by side.
void trsm(Side side, Triangle triangle, Op of_a, Diagonal diagonal, std::int64_t m, std::int64_t n, In a,
          Out b) noexcept;
/// y <- alpha op(a) x + beta y, a m x n.
void gemv(Op of_a, std::int64_t m, std::int64_t n, double alpha, In a, Vector<const double> x, double beta,
          Vector<double> y) noexcept;
/// x <- inverse of op(a) times x.
void trsv(Triangle triangle, Op of_a, Diagonal diagonal, std::int64_t n, In a, Vector<double> x) noexcept;
/// a (m x n) <- a + alpha x y^T.
void ger(std::int64_t m, std::int64_t n, double alpha, Vector<const double> x, Vector<const double> y,
         Out a) noexcept;
void scal(std::int64_t n, double alpha, Vector<double> x) noexcept;
void axpy(std::int64_t n, double alpha, Vector<const double> x, Vector<double> y) noexcept;
/// Index of the first element of largest magnitude, below n whatever the elements are; n is at least 1.
[[nodiscard]] std::int64_t iamax(std::int64_t n, Vector<const double> x) noexcept;

}  // namespace steelyard::hpcc::blas
