// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "machine/blas.hpp"
#include "suites/hpcc/settings.hpp"

/// What may compute: a library that is installed, with one of the kernels that this processor can execute.
/// Pure.
namespace steelyard::hpcc {

/// A library as a new process of this program finds it.
struct InstalledBlas {
  machine::BlasIdentity identity;  // with the kernel that it takes in this environment
  std::string file;                // to be loaded from; empty: part of the program itself
  bool linked = false;             // the one that the program was built with
};

/// Who chooses the kernel of a library.
enum class KernelChoice {
  environment,  // whoever chooses it where nothing is changed
  own,          // the library, without the variables that force it
  told          // this program, by such a variable
};

struct BlasCandidate {
  std::string make = {};     // as machine::BlasIdentity::name
  std::string version = {};  // empty if the library does not tell
  std::string file = {};     // to be loaded from; empty: part of the program itself
  bool linked = false;
  KernelChoice choice = KernelChoice::own;
  std::string kernel = {};  // that it is told to take
  std::string word = {};    // which says so in the library's variable

  [[nodiscard]] bool as_linked() const { return linked && choice == KernelChoice::environment; }
  bool operator==(const BlasCandidate&) const = default;
};

[[nodiscard]] BlasCandidate candidate_of(const InstalledBlas& blas, KernelChoice choice,
                                         std::string_view told_kernel = {});

/// "OpenBLAS 0.3.21", or the file's name without its directory.
[[nodiscard]] std::string library_of(const BlasCandidate& candidate);
/// The same on all nodes, wherever each has the file: "OpenBLAS 0.3.21 (libopenblas.so), kernel Haswell".
[[nodiscard]] std::string key_of(const BlasCandidate& candidate);

/// Whether the environment has this variable.
using HasVariable = std::function<bool(std::string_view)>;

struct BlasCandidates {
  std::vector<BlasCandidate> to_try = {};    // the likeliest first
  std::vector<BlasCandidate> unlikely = {};  // with kernels half as wide as others
  std::vector<std::string> narrower = {};    // kernels that are left out as too narrow for this processor
};
/// Of every library: what it chooses by itself, what the environment makes it choose, and every kernel that
/// is as wide as the widest that it has for this processor.
[[nodiscard]] BlasCandidates blas_candidates(std::span<const InstalledBlas> installed,
                                             const machine::VectorUnits& units, const HasVariable& has);

/// Of libraries found under several names the first each.
[[nodiscard]] std::vector<InstalledBlas> distinct(std::vector<InstalledBlas> installed);

/// One library and kernel that the user names, beside the linked library as it is, if there is one. A library
/// that is not installed is told by an empty list; one that has no such kernel by std::invalid_argument.
[[nodiscard]] BlasCandidates named_candidate(std::span<const InstalledBlas> installed,
                                             const std::string& file, const std::string& kernel);

/// Variables of the environment with their values; nothing: to be removed.
using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;
/// With which the library is loaded so that it is that candidate, for so many threads.
[[nodiscard]] Variables variables_of(const BlasCandidate& candidate, int threads);

/// File names under which the common libraries are installed.
[[nodiscard]] std::vector<std::string> known_blas_files();

}  // namespace steelyard::hpcc
