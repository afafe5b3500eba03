// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/blas.hpp"
#include "suites/hpcc/settings.hpp"

/// Candidates for the BLAS that computes: an installed library with one of the kernels that this
/// processor can execute; pure.
/// Copies of files, which the loader takes for other files: the same library can be loaded once more.
namespace steelyard::hpcc {

/// A library as a new process of this program finds it.
struct InstalledBlas {
  machine::BlasIdentity identity;  // with the kernel that it takes in this environment
  std::string file;                // to be loaded from; empty: part of the program itself
  bool linked = false;             // the one that the program was built with
};

/// Choice of a library's kernel, by who makes it.
enum class KernelChoice {
  environment,  // the library or the variables that force it, as they are
  own,          // the library, without the variables that force it
  told          // this program, by such a variable
};

struct BlasCandidate {
  std::string make = {};     // as machine::BlasIdentity::name
  std::string version = {};  // empty if the library does not tell
  std::string file = {};     // to be loaded from; empty: part of the program itself
  bool linked = false;
  KernelChoice choice = KernelChoice::own;
  std::string kernel = {};  // the one that it is told to take
  std::string word = {};    // the name of that kernel in the library's variable

  [[nodiscard]] bool as_linked() const { return linked && choice == KernelChoice::environment; }
  bool operator==(const BlasCandidate&) const = default;
};

[[nodiscard]] BlasCandidate candidate_of(const InstalledBlas& blas, KernelChoice choice,
                                         std::string_view told_kernel = {});

/// "OpenBLAS 0.3.21", or the file's name without its directory.
[[nodiscard]] std::string library_of(const BlasCandidate& candidate);
/// Name of a candidate that is the same on all nodes, wherever each has the file: "OpenBLAS 0.3.21
/// (libopenblas.so), kernel Haswell".
[[nodiscard]] std::string key_of(const BlasCandidate& candidate);

/// Whether the environment has this variable.
using HasVariable = std::function<bool(std::string_view)>;

struct BlasCandidates {
  std::vector<BlasCandidate> to_try = {};    // the likeliest first
  std::vector<BlasCandidate> unlikely = {};  // with kernels half as wide as others
  std::vector<std::string> narrower = {};    // kernels that are left out as too narrow for this processor
};
/// Candidates of every library: with the kernel that it chooses by itself, with the one that the environment
/// makes it choose, and with every kernel as wide as the widest that it has for this processor.
[[nodiscard]] BlasCandidates blas_candidates(std::span<const InstalledBlas> installed,
                                             const machine::VectorUnits& units, const HasVariable& has);

/// The libraries without repetition: of one found under several names, the first.
[[nodiscard]] std::vector<InstalledBlas> distinct(std::vector<InstalledBlas> installed);

/// The library and kernel that the user names, and the linked library as it is, if there is one. Empty if the
/// named library is not installed. Throws std::invalid_argument if it has no such kernel.
[[nodiscard]] BlasCandidates named_candidate(std::span<const InstalledBlas> installed,
                                             const std::string& file, const std::string& kernel);

/// Variables of the environment with their values; nullopt: to be removed.
using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;
/// Variables with which the library is loaded so that it is that candidate, for so many threads.
[[nodiscard]] Variables variables_of(const BlasCandidate& candidate, int threads);

/// File names under which the common libraries are installed.
[[nodiscard]] std::vector<std::string> known_blas_files();

/// Place at which another process of this node finds a copy.
struct CopyPlace {
  std::int64_t process = 0;
  std::int64_t descriptor = -1;        // in that process; -1: there is no copy
  std::uint64_t device = 0, node = 0;  // which identify it
};

/// Copy of a file in memory, or where the system does not allow that, in a file without a name. Move-only. It
/// may go when everybody who wants it has loaded it.
class FileCopy {
 public:
  /// Copies the file. Throws std::runtime_error with the reason.
  explicit FileCopy(const std::string& file);
  FileCopy(FileCopy&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  FileCopy& operator=(FileCopy&& other) noexcept;
  ~FileCopy();
  /// Path of the copy for the loader of this process.
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  [[nodiscard]] CopyPlace place() const;

 private:
  int descriptor_ = -1;
};

/// Path, for the loader of this process, of a copy that another one holds; empty if it cannot be reached.
[[nodiscard]] std::string path_of(const CopyPlace& place);

// The BLAS that computes: the one that the program was built with, or another one that is installed.

/// Source from which a file is loaded once more: the copy of another process, or an own one; if there
/// is neither, a copy is made.
struct CopySource {
  std::string path;  // of another process's copy
  std::shared_ptr<const FileCopy> own;
};

/// What keeps so many threads of a library of this name (machine::BlasIdentity::name) from working in this process;
/// empty if nothing is known to. OpenBLAS needs 128 MiB of addresses for each, and asks without end where a process
/// is refused them (ulimit -v): here they are taken for a moment and given back.
[[nodiscard]] std::string lack_of_room(std::string_view make, int threads);

/// What keeps this process from loading the candidate beside the BLAS that the program was built with; empty if
/// nothing does. Where the loader cannot let a library find its own functions first (sanitizers, which put theirs
/// before all others; C libraries without RTLD_DEEPBIND), one would call those of the linked BLAS, and be measured
/// in its place or crash.
[[nodiscard]] std::string lack_of_separation(const BlasCandidate& candidate);

class BlasLibrary {
 public:
  /// The library that the program was built with. Only where blas::available().
  [[nodiscard]] static BlasLibrary linked();
  /// A library that the loader finds by this file name, apart from the linked one; nullopt if there is none
  /// or it lacks cblas_dgemm. It stays loaded while a copy of the object lives.
  [[nodiscard]] static std::optional<BlasLibrary> open(const std::string& file);
  /// The candidate, loaded with its variables, which are taken back afterwards. A file that this process has
  /// loaded already is loaded once more, from a copy. `kernel`: the one that it must take; empty: any. Throws
  /// std::runtime_error with the reason.
  [[nodiscard]] static BlasLibrary load(const BlasCandidate& candidate, const std::string& kernel,
                                        int threads, CopySource copy = {});

  /// Computes C <- alpha A B + beta C, square, of order n, column-major.
  void multiply(std::int64_t n, double alpha, const double* a, const double* b, double beta,
                double* c) const noexcept;
  /// Sets the threads that one call may use; no effect if the library has no such switch.
  void set_threads(int threads) const noexcept;

  /// Calls the library: some look at their variables at the first call only, and OpenBLAS then takes the
  /// memory in which it works: see lack_of_room(). Called before anything else needs memory. Throws
  /// std::bad_alloc.
  void work_once() const;

  [[nodiscard]] bool is_linked() const { return handle_ == nullptr; }
  /// Address of the library's function of this name; nullptr if it has none. Not for the linked library.
  [[nodiscard]] void* function(const char* name) const noexcept;

  [[nodiscard]] const machine::BlasIdentity& identity() const { return identity_; }
  /// "OpenBLAS 0.3.21", or the file's name.
  [[nodiscard]] std::string name() const;

 private:
  using Dgemm = void(int, int, int, int, int, int, double, const double*, int, const double*, int, double,
                     double*, int);
  BlasLibrary() = default;
  /// The library behind a handle of the loader; nullopt if it is no BLAS. `copy`: the one
  /// it was loaded from, if any.
  [[nodiscard]] static std::optional<BlasLibrary> of(void* handle, std::shared_ptr<const FileCopy> copy = {});

  std::shared_ptr<void> handle_;  // nullptr: the linked one
  Dgemm* dgemm_ = nullptr;
  machine::BlasIdentity identity_;
};

/// Whether this process has loaded the candidate's file already and must load a copy of it.
[[nodiscard]] bool needs_copy(const BlasCandidate& candidate);

}  // namespace steelyard::hpcc
