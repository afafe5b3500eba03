// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/blas.hpp"

/// The BLAS that computes: the one that the program was built with, or another one that is installed.
namespace steelyard::hpcc {

class BlasLibrary {
 public:
  /// The one that the program was built with. Only where blas::available().
  [[nodiscard]] static BlasLibrary linked();
  /// One that the loader finds by this file name, apart from the linked one; nothing if there is none or it
  /// lacks cblas_dgemm. It stays loaded while a copy of the object lives.
  [[nodiscard]] static std::optional<BlasLibrary> open(const std::string& file);

  /// C <- alpha A B + beta C, square of order n, column-major.
  void multiply(std::int64_t n, double alpha, const double* a, const double* b, double beta,
                double* c) const noexcept;
  /// Threads that one call may use; nothing happens where the library has no such switch.
  void set_threads(int threads) const noexcept;

  [[nodiscard]] bool is_linked() const { return handle_ == nullptr; }
  /// Address of one of its functions, nullptr where it has none of that name. Not of the linked one.
  [[nodiscard]] void* function(const char* name) const noexcept;

  [[nodiscard]] const machine::BlasIdentity& identity() const { return identity_; }
  /// "OpenBLAS 0.3.21", or the file's name.
  [[nodiscard]] std::string name() const;

 private:
  using Dgemm = void(int, int, int, int, int, int, double, const double*, int, const double*, int, double,
                     double*, int);
  BlasLibrary() = default;

  std::shared_ptr<void> handle_;  // empty: the linked one
  Dgemm* dgemm_ = nullptr;
  machine::BlasIdentity identity_;
};

/// File names under which the common libraries are installed.
[[nodiscard]] std::vector<std::string> known_blas_files();

}  // namespace steelyard::hpcc
