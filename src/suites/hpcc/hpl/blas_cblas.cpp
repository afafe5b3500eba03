// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/blas.hpp"

#include <cblas.h>

namespace steelyard::hpcc::blas {
namespace {

constexpr auto order = CblasColMajor;

constexpr CBLAS_TRANSPOSE transpose(int code) {
  return static_cast<CBLAS_TRANSPOSE>(code);
}
constexpr CBLAS_UPLO triangle(int code) {
  return static_cast<CBLAS_UPLO>(code);
}
constexpr CBLAS_DIAG diagonal(int code) {
  return static_cast<CBLAS_DIAG>(code);
}

}  // namespace

// The header's enumerations and integers differ between libraries: a function in between adapts each routine.
Functions linked_functions() {
  return {
      .gemm =
          [](int, int of_a, int of_b, int m, int n, int k, double alpha, const double* a, int lda,
             const double* b, int ldb, double beta, double* c, int ldc) {
            cblas_dgemm(order, transpose(of_a), transpose(of_b), m, n, k, alpha, a, lda, b, ldb, beta, c,
                        ldc);
          },
      .trsm =
          [](int, int side, int half, int of_a, int unit, int m, int n, double alpha, const double* a,
             int lda, double* b, int ldb) {
            cblas_dtrsm(order, static_cast<CBLAS_SIDE>(side), triangle(half), transpose(of_a), diagonal(unit),
                        m, n, alpha, a, lda, b, ldb);
          },
      .gemv =
          [](int, int of_a, int m, int n, double alpha, const double* a, int lda, const double* x, int step_x,
             double beta, double* y, int step_y) {
            cblas_dgemv(order, transpose(of_a), m, n, alpha, a, lda, x, step_x, beta, y, step_y);
          },
      .trsv =
          [](int, int half, int of_a, int unit, int n, const double* a, int lda, double* x, int step) {
            cblas_dtrsv(order, triangle(half), transpose(of_a), diagonal(unit), n, a, lda, x, step);
          },
      .ger = [](int, int m, int n, double alpha, const double* x, int step_x, const double* y, int step_y,
                double* a, int lda) { cblas_dger(order, m, n, alpha, x, step_x, y, step_y, a, lda); },
      .scal = [](int n, double alpha, double* x, int step) { cblas_dscal(n, alpha, x, step); },
      .axpy = [](int n, double alpha, const double* x, int step_x, double* y,
                 int step_y) { cblas_daxpy(n, alpha, x, step_x, y, step_y); },
      .iamax = [](int n, const double* x, int step) { return static_cast<int>(cblas_idamax(n, x, step)); },
  };
}

}  // namespace steelyard::hpcc::blas
