// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/library.hpp"

#include <dlfcn.h>

#include <array>

#include "suites/hpcc/blas/blas.hpp"

namespace steelyard::hpcc {
namespace {

// Codes of the C interface of the BLAS.
constexpr int column_major = 102, not_transposed = 111;

/// A library's own calls must find its own functions, not those of the linked BLAS; sanitizers, which put
/// theirs before all others, do not allow it.
constexpr int mode() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(RTLD_DEEPBIND)
  return RTLD_NOW | RTLD_LOCAL;
#else
  return RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif
}

template <class Function>
Function* find(void* handle, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(handle, name));
}

}  // namespace

BlasLibrary BlasLibrary::linked() {
  BlasLibrary library;
  if (auto identity = machine::identify_blas()) {
    library.identity_ = std::move(*identity);
  } else {  // linked statically: its functions are not found by name
    library.identity_.kernel = blas::kernel();
    library.identity_.config = blas::library();
  }
  return library;
}

std::optional<BlasLibrary> BlasLibrary::open(const std::string& file) {
  BlasLibrary library;
  void* handle = ::dlopen(file.c_str(), mode());
  if (handle == nullptr) return std::nullopt;
  library.handle_ = std::shared_ptr<void>(handle, [](void* opened) { ::dlclose(opened); });
  library.dgemm_ = find<Dgemm>(handle, "cblas_dgemm");
  auto identity = machine::identify_blas(handle);
  if (library.dgemm_ == nullptr || !identity) return std::nullopt;
  library.identity_ = std::move(*identity);
  return library;
}

void BlasLibrary::multiply(std::int64_t n, double alpha, const double* a, const double* b, double beta,
                           double* c) const noexcept {
  if (dgemm_ == nullptr) return blas::multiply(n, alpha, a, b, beta, c);
  const auto order = static_cast<int>(n);
  dgemm_(column_major, not_transposed, not_transposed, order, order, order, alpha, a, order, b, order, beta,
         c, order);
}

void BlasLibrary::set_threads(int threads) const noexcept {
  if (dgemm_ == nullptr) return blas::set_threads(threads);
  void* handle = handle_.get();
  for (const char* name : {"openblas_set_num_threads", "MKL_Set_Num_Threads"})
    if (const auto set = find<void(int)>(handle, name)) return set(threads);
  if (const auto set = find<void(std::int64_t)>(handle, "bli_thread_set_num_threads")) set(threads);
}

void* BlasLibrary::function(const char* name) const noexcept {
  return ::dlsym(handle_.get(), name);
}

std::string BlasLibrary::name() const {
  if (identity_.name.empty()) return identity_.file;
  return identity_.version.empty() ? identity_.name : identity_.name + " " + identity_.version;
}

std::vector<std::string> known_blas_files() {
  return {
      "libopenblas.so.0", "libblis.so.4",     "libblis.so.3",  "libblis.so.2", "libblis-mt.so.4",
      "libmkl_rt.so.2",   "libmkl_rt.so.1",   "libcblas.so.3", "libblas.so.3", "libnvpl_blas_lp64_gomp.so.0",
      "libarmpl_lp64.so", "libflexiblas.so.3"};
}

}  // namespace steelyard::hpcc
