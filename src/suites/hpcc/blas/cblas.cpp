// SPDX-License-Identifier: Apache-2.0
#include <cblas.h>

#include "suites/hpcc/blas/blas.hpp"

// OpenBLAS tells more than CBLAS asks for; another library has none of these. A second declaration may differ
// in exception specification, nothing else.
extern "C" {
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_num_threads(void);
__attribute__((weak)) char* openblas_get_corename(void);
__attribute__((weak)) char* openblas_get_config(void);
}

namespace steelyard::hpcc::blas {

bool available() {
  return true;
}

void multiply(std::int64_t n, double alpha, const double* a, const double* b, double beta,
              double* c) noexcept {
  const auto order = static_cast<int>(n);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, order, order, order, alpha, a, order, b, order, beta,
              c, order);
}

void set_threads(int threads) noexcept {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(threads);
}

int threads() noexcept {
  return openblas_get_num_threads != nullptr ? openblas_get_num_threads() : 1;
}

std::string library() {
  return openblas_get_config != nullptr ? openblas_get_config() : "";
}

std::string kernel() {
  return openblas_get_corename != nullptr ? openblas_get_corename() : "";
}

}  // namespace steelyard::hpcc::blas
