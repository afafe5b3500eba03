// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/blas.hpp"

#include <cblas.h>

#include <algorithm>

namespace steelyard::hpcc::blas {
namespace {

constexpr int whole(std::int64_t value) {
  return static_cast<int>(value);
}

constexpr CBLAS_TRANSPOSE of(Op op) {
  return op == Op::plain ? CblasNoTrans : CblasTrans;
}

constexpr CBLAS_UPLO of(Triangle triangle) {
  return triangle == Triangle::lower ? CblasLower : CblasUpper;
}

constexpr CBLAS_DIAG of(Diagonal diagonal) {
  return diagonal == Diagonal::unit ? CblasUnit : CblasNonUnit;
}

}  // namespace

void gemm(Op of_a, Op of_b, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, In a, In b,
          double beta, Out c) noexcept {
  if (m < 1 || n < 1) return;
  cblas_dgemm(CblasColMajor, of(of_a), of(of_b), whole(m), whole(n), whole(k), alpha, a.data,
              whole(a.leading), b.data, whole(b.leading), beta, c.data, whole(c.leading));
}

void trsm(Side side, Triangle triangle, Op of_a, Diagonal diagonal, std::int64_t m, std::int64_t n, In a,
          Out b) noexcept {
  if (m < 1 || n < 1) return;
  cblas_dtrsm(CblasColMajor, side == Side::left ? CblasLeft : CblasRight, of(triangle), of(of_a),
              of(diagonal), whole(m), whole(n), 1, a.data, whole(a.leading), b.data, whole(b.leading));
}

void gemv(Op of_a, std::int64_t m, std::int64_t n, double alpha, In a, Vector<const double> x, double beta,
          Vector<double> y) noexcept {
  if (m < 1 || n < 1) return;
  cblas_dgemv(CblasColMajor, of(of_a), whole(m), whole(n), alpha, a.data, whole(a.leading), x.data,
              whole(x.step), beta, y.data, whole(y.step));
}

void trsv(Triangle triangle, Op of_a, Diagonal diagonal, std::int64_t n, In a, Vector<double> x) noexcept {
  if (n < 1) return;
  cblas_dtrsv(CblasColMajor, of(triangle), of(of_a), of(diagonal), whole(n), a.data, whole(a.leading), x.data,
              whole(x.step));
}

void ger(std::int64_t m, std::int64_t n, double alpha, Vector<const double> x, Vector<const double> y,
         Out a) noexcept {
  if (m < 1 || n < 1) return;
  cblas_dger(CblasColMajor, whole(m), whole(n), alpha, x.data, whole(x.step), y.data, whole(y.step), a.data,
             whole(a.leading));
}

void scal(std::int64_t n, double alpha, Vector<double> x) noexcept {
  if (n > 0) cblas_dscal(whole(n), alpha, x.data, whole(x.step));
}

void axpy(std::int64_t n, double alpha, Vector<const double> x, Vector<double> y) noexcept {
  if (n > 0) cblas_daxpy(whole(n), alpha, x.data, whole(x.step), y.data, whole(y.step));
}

std::int64_t iamax(std::int64_t n, Vector<const double> x) noexcept {
  // What a library answers where elements are not numbers is its own business.
  const auto found = static_cast<std::int64_t>(cblas_idamax(whole(n), x.data, whole(x.step)));
  return std::clamp<std::int64_t>(found, 0, n - 1);
}

}  // namespace steelyard::hpcc::blas
