// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/candidates.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace steelyard::hpcc {
namespace {

using machine::BlasKernel;
using machine::VectorUnits;

/// Worth of a kernel: the bits that it works on at once, and whether it fuses multiply and add.
std::pair<int, bool> worth(const BlasKernel& kernel, const VectorUnits& units) {
  return {machine::bits_of(kernel, units), kernel.fused};
}

/// Candidates of one library, sorted by how likely each is the fastest.
class OfLibrary {
 public:
  OfLibrary(const InstalledBlas& blas, const VectorUnits& units, const HasVariable& has)
      : blas_(blas), units_(units) {
    const auto variables = machine::kernel_variables(blas.identity.name);
    forced_ = std::ranges::any_of(variables, has);
    if (!reloads()) return;
    for (const auto& kernel : machine::executable_kernels(blas.identity.name, units))
      if (!machine::word_of_kernel(blas.identity, kernel.name).empty()) kernels_.push_back(kernel);
  }

  void add(BlasCandidates& all) const {
    const auto present = machine::find_blas_kernel(blas_.identity.name, blas_.identity.kernel);
    const bool best_already = kernels_.empty() || (present != nullptr && worth(*present, units_) >=
                                                                             worth(kernels_.front(), units_));
    std::vector<BlasCandidate> widest;
    add_kernels(widest, all);
    if (best_already) add_unchanged(all.to_try);
    auto rest = widest.begin();
    if (!best_already && rest != widest.end()) all.to_try.push_back(*rest++);
    if (!best_already) add_unchanged(all.to_try);
    if (forced_ && reloads()) all.to_try.push_back(candidate_of(blas_, KernelChoice::own));
    all.to_try.insert(all.to_try.end(), rest, widest.end());
  }

 private:
  /// Whether it can be loaded once more, with other variables.
  [[nodiscard]] bool reloads() const { return !blas_.file.empty(); }

  void add_unchanged(std::vector<BlasCandidate>& to) const {
    const bool environment = blas_.linked || forced_;
    to.push_back(candidate_of(blas_, environment ? KernelChoice::environment : KernelChoice::own));
  }

  void add_kernels(std::vector<BlasCandidate>& widest, BlasCandidates& all) const {
    for (const auto& kernel : kernels_) {
      if (!forced_ && machine::find_blas_kernel(kernel.make, blas_.identity.kernel) ==
                          machine::find_blas_kernel(kernel.make, kernel.name))
        continue;  // the library takes this one anyway
      const auto best = worth(kernels_.front(), units_), own = worth(kernel, units_);
      if (own == best)
        widest.push_back(candidate_of(blas_, KernelChoice::told, kernel.name));
      else if (2 * own.first >= best.first && own.second == best.second)
        all.unlikely.push_back(candidate_of(blas_, KernelChoice::told, kernel.name));
      else
        all.narrower.emplace_back(kernel.name);
    }
  }

  const InstalledBlas& blas_;
  const VectorUnits& units_;
  bool forced_ = false;
  std::vector<BlasKernel> kernels_;  // the widest first
};

}  // namespace

BlasCandidate candidate_of(const InstalledBlas& blas, KernelChoice choice, std::string_view told_kernel) {
  const auto& identity = blas.identity;
  BlasCandidate one;
  one.make = identity.name.empty() ? identity.file : identity.name;
  one.version = identity.version;
  one.file = blas.file;
  one.linked = blas.linked;
  one.choice = choice;
  one.kernel = told_kernel;
  one.word = machine::word_of_kernel(identity, told_kernel);
  return one;
}

std::vector<InstalledBlas> distinct(std::vector<InstalledBlas> installed) {
  std::vector<InstalledBlas> all;
  for (auto& blas : installed) {
    const auto same = [&](const InstalledBlas& known) {
      return !known.file.empty() && known.file == blas.file;
    };
    if (std::ranges::none_of(all, same)) all.push_back(std::move(blas));
  }
  return all;
}

std::string library_of(const BlasCandidate& candidate) {
  return candidate.version.empty() ? candidate.make : candidate.make + " " + candidate.version;
}

std::string key_of(const BlasCandidate& candidate) {
  constexpr std::string_view choices[] = {", environment", ", own choice", ", kernel "};
  return library_of(candidate) + " (" +
         (candidate.linked ? "linked" : std::filesystem::path(candidate.file).filename().string()) + ")" +
         std::string(choices[static_cast<int>(candidate.choice)]) + candidate.kernel;
}

BlasCandidates blas_candidates(std::span<const InstalledBlas> installed, const VectorUnits& units,
                               const HasVariable& has) {
  BlasCandidates all;
  for (const auto& blas : installed) OfLibrary(blas, units, has).add(all);
  return all;
}

BlasCandidates named_candidate(std::span<const InstalledBlas> installed, const std::string& file,
                               const std::string& kernel) {
  const auto named = std::ranges::find(installed, false, &InstalledBlas::linked);
  BlasCandidates all;
  if (named == installed.end()) return all;
  if (!kernel.empty() && machine::word_of_kernel(named->identity, kernel).empty())
    throw std::invalid_argument(std::filesystem::path(file).filename().string() +
                                " cannot be told to take a kernel " + kernel);
  const auto choice = kernel.empty() ? KernelChoice::environment : KernelChoice::told;
  all.to_try.push_back(candidate_of(*named, choice, kernel));
  for (const auto& blas : installed)
    if (blas.linked) all.to_try.push_back(candidate_of(blas, KernelChoice::environment));
  return all;
}

Variables variables_of(const BlasCandidate& candidate, int threads) {
  Variables variables;
  const auto number = std::to_string(threads);
  // Without these a library starts a thread for each processor of the node when it is loaded.
  for (const char* name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS"})
    variables.emplace_back(name, number);
  if (candidate.choice == KernelChoice::environment) return variables;
  for (const auto name : machine::kernel_variables(candidate.make))
    variables.emplace_back(name, std::nullopt);
  if (candidate.choice == KernelChoice::told)
    variables.emplace_back(machine::kernel_variables(candidate.make).front(), candidate.word);
  return variables;
}

std::vector<std::string> known_blas_files() {
  return {
      "libopenblas.so.0", "libblis.so.4",     "libblis.so.3",  "libblis.so.2", "libblis-mt.so.4",
      "libmkl_rt.so.2",   "libmkl_rt.so.1",   "libcblas.so.3", "libblas.so.3", "libnvpl_blas_lp64_gomp.so.0",
      "libarmpl_lp64.so", "libflexiblas.so.3"};
}

}  // namespace steelyard::hpcc
