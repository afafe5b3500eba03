// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "machine/blas.hpp"
#include "suites/hpcc/blas/candidates.hpp"

/// A file that the loader takes for another one: the same library can be loaded once more.
namespace steelyard::hpcc {

/// Where another process of this node finds a copy.
struct CopyPlace {
  std::int64_t process = 0;
  std::int64_t descriptor = -1;        // in that process; -1: there is no copy
  std::uint64_t device = 0, node = 0;  // by which it is known again
};

/// A copy in memory, or where the system does not allow that, in a file without a name. Move-only. It may go
/// when whoever wants it has loaded it.
class FileCopy {
 public:
  /// Throws std::runtime_error with the reason.
  explicit FileCopy(const std::string& file);
  FileCopy(FileCopy&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  FileCopy& operator=(FileCopy&& other) noexcept;
  ~FileCopy();
  /// For the loader of this process.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] CopyPlace place() const;

 private:
  int descriptor_ = -1;
};

/// For the loader of this process: a copy that another one holds. Empty where it cannot be reached.
[[nodiscard]] std::string path_of(const CopyPlace& place);

// The BLAS that computes: the one that the program was built with, or another one that is installed.

/// From where a file is loaded once more: the copy of another process, or an own one; nothing: one is made.
struct CopySource {
  std::string path;  // of another process' copy
  std::shared_ptr<const FileCopy> own;
};

class BlasLibrary {
 public:
  /// The one that the program was built with. Only where blas::available().
  [[nodiscard]] static BlasLibrary linked();
  /// One that the loader finds by this file name, apart from the linked one; nothing if there is none or it
  /// lacks cblas_dgemm. It stays loaded while a copy of the object lives.
  [[nodiscard]] static std::optional<BlasLibrary> open(const std::string& file);
  /// The candidate, loaded with its variables, which are taken back afterwards. A file that this process has
  /// loaded already is loaded once more, from a copy. `kernel`: that it must take; empty: any. Throws
  /// std::runtime_error with the reason.
  [[nodiscard]] static BlasLibrary load(const BlasCandidate& candidate, const std::string& kernel,
                                        int threads, CopySource copy = {});

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
  /// `copy`: from which it was loaded, if from one.
  [[nodiscard]] static std::optional<BlasLibrary> of(void* handle, std::shared_ptr<const FileCopy> copy = {});
  void work_once() const;

  std::shared_ptr<void> handle_;  // empty: the linked one
  Dgemm* dgemm_ = nullptr;
  machine::BlasIdentity identity_;
};

/// Whether this process has loaded the candidate's file already and must load a copy of it.
[[nodiscard]] bool needs_copy(const BlasCandidate& candidate);

}  // namespace steelyard::hpcc
