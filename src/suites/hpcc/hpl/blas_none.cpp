// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/blas.hpp"

namespace steelyard::hpcc::blas {

void gemm(Op, Op, std::int64_t, std::int64_t, std::int64_t, double, In, In, double, Out) noexcept {}
void trsm(Side, Triangle, Op, Diagonal, std::int64_t, std::int64_t, In, Out) noexcept {}
void gemv(Op, std::int64_t, std::int64_t, double, In, Vector<const double>, double, Vector<double>) noexcept {
}
void trsv(Triangle, Op, Diagonal, std::int64_t, In, Vector<double>) noexcept {}
void ger(std::int64_t, std::int64_t, double, Vector<const double>, Vector<const double>, Out) noexcept {}
void scal(std::int64_t, double, Vector<double>) noexcept {}
void axpy(std::int64_t, double, Vector<const double>, Vector<double>) noexcept {}
std::int64_t iamax(std::int64_t, Vector<const double>) noexcept {
  return 0;
}

}  // namespace steelyard::hpcc::blas
