// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/blas.hpp"

#include <algorithm>

#include "suites/hpcc/blas/library.hpp"

namespace steelyard::hpcc::blas {
namespace {

// Codes of the C interface of the BLAS.
constexpr int columns = 102;

constexpr int whole(std::int64_t value) {
  return static_cast<int>(value);
}
constexpr int code(Op op) {
  return op == Op::plain ? 111 : 112;
}
constexpr int code(Triangle triangle) {
  return triangle == Triangle::upper ? 121 : 122;
}
constexpr int code(Diagonal diagonal) {
  return diagonal == Diagonal::general ? 131 : 132;
}
constexpr int code(Side side) {
  return side == Side::left ? 141 : 142;
}

template <class Function>
void find(const BlasLibrary& library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(library.function(name));
}

}  // namespace

Routines Routines::linked() {
  Routines routines;
  routines.functions_ = linked_functions();
  return routines;
}

Routines Routines::of(const BlasLibrary& library) {
  if (library.is_linked()) return linked();
  Routines routines;
  auto& found = routines.functions_;
  find(library, "cblas_dgemm", found.gemm);
  find(library, "cblas_dtrsm", found.trsm);
  find(library, "cblas_dgemv", found.gemv);
  find(library, "cblas_dtrsv", found.trsv);
  find(library, "cblas_dger", found.ger);
  find(library, "cblas_dscal", found.scal);
  find(library, "cblas_daxpy", found.axpy);
  find(library, "cblas_idamax", found.iamax);
  routines.library_ = std::make_shared<const BlasLibrary>(library);
  return routines;
}

void Routines::gemm(Op of_a, Op of_b, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, In a,
                    In b, double beta, Out c) const noexcept {
  if (m < 1 || n < 1) return;
  functions_.gemm(columns, code(of_a), code(of_b), whole(m), whole(n), whole(k), alpha, a.data,
                  whole(a.leading), b.data, whole(b.leading), beta, c.data, whole(c.leading));
}

void Routines::trsm(Side side, Triangle triangle, Op of_a, Diagonal diagonal, std::int64_t m, std::int64_t n,
                    In a, Out b) const noexcept {
  if (m < 1 || n < 1) return;
  functions_.trsm(columns, code(side), code(triangle), code(of_a), code(diagonal), whole(m), whole(n), 1,
                  a.data, whole(a.leading), b.data, whole(b.leading));
}

void Routines::gemv(Op of_a, std::int64_t m, std::int64_t n, double alpha, In a, Vector<const double> x,
                    double beta, Vector<double> y) const noexcept {
  if (m < 1 || n < 1) return;
  functions_.gemv(columns, code(of_a), whole(m), whole(n), alpha, a.data, whole(a.leading), x.data,
                  whole(x.step), beta, y.data, whole(y.step));
}

void Routines::trsv(Triangle triangle, Op of_a, Diagonal diagonal, std::int64_t n, In a,
                    Vector<double> x) const noexcept {
  if (n < 1) return;
  functions_.trsv(columns, code(triangle), code(of_a), code(diagonal), whole(n), a.data, whole(a.leading),
                  x.data, whole(x.step));
}

void Routines::ger(std::int64_t m, std::int64_t n, double alpha, Vector<const double> x,
                   Vector<const double> y, Out a) const noexcept {
  if (m < 1 || n < 1) return;
  functions_.ger(columns, whole(m), whole(n), alpha, x.data, whole(x.step), y.data, whole(y.step), a.data,
                 whole(a.leading));
}

void Routines::scal(std::int64_t n, double alpha, Vector<double> x) const noexcept {
  if (n > 0) functions_.scal(whole(n), alpha, x.data, whole(x.step));
}

void Routines::axpy(std::int64_t n, double alpha, Vector<const double> x, Vector<double> y) const noexcept {
  if (n > 0) functions_.axpy(whole(n), alpha, x.data, whole(x.step), y.data, whole(y.step));
}

std::int64_t Routines::iamax(std::int64_t n, Vector<const double> x) const noexcept {
  // Where elements are not numbers a library may answer anything.
  const std::int64_t found = functions_.iamax(whole(n), x.data, whole(x.step));
  return std::clamp<std::int64_t>(found, 0, n - 1);
}

}  // namespace steelyard::hpcc::blas
