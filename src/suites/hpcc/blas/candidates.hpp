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

/// Candidates for the BLAS that computes: an installed library with one of the kernels that this
/// processor can execute. Pure.
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

}  // namespace steelyard::hpcc
