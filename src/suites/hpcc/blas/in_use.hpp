// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/json.hpp"
#include "suites/hpcc/blas/library.hpp"
#include "suites/hpcc/settings.hpp"

/// Findings of the trial of the BLAS libraries, the choice that follows from them, and
/// the texts about both. Pure.
namespace steelyard::hpcc {

/// A candidate and the rate that it reached.
struct TriedBlas {
  BlasCandidate candidate = {};
  std::string kernel = {};   // the one that it took; empty if the library does not tell
  double flop_s = 0;         // of one process, a mean over the nodes
  double least_flop_s = 0;   // of the slowest node
  std::int64_t order = 0;    // of the matrices
  std::string refused = {};  // why it cannot compute; empty if it can
};

/// Reason to refuse a library that was told to take a kernel and takes another.
[[nodiscard]] std::string takes_another(const std::string& kernel, const std::string& told);

/// "OpenBLAS 0.3.21, kernel SkylakeX"
[[nodiscard]] std::string described(const TriedBlas& tried);

struct BlasFindings {
  BlasWish wish;
  std::vector<TriedBlas> tried;          // in the order of the trial
  std::vector<BlasCandidate> not_tried;  // for want of time
  std::vector<std::string> narrower;     // kernels that are too narrow to be tried
  std::string failure = {};              // what kept the trial from being made or ended; empty if nothing did
  std::string unusable =
      {};  // why no BLAS can compute on one of the processes; empty if one can, if there is one
  std::optional<std::size_t> used = {};  // index in `tried`; nullopt: the linked library, untried, or none
  int nodes = 1, threads = 1;
  double trial_s = 0, load_s = 0;
  bool resumed = false;  // the choice of the run's first session or of its series' first launch

  [[nodiscard]] const TriedBlas* in_use() const { return used ? &tried[*used] : nullptr; }
  /// The linked library as it is; nullptr if it was not tried.
  [[nodiscard]] const TriedBlas* as_linked() const;
  /// The fastest of those that can compute; nullptr if none can.
  [[nodiscard]] const TriedBlas* fastest() const;
};

/// Index in `tried` of the candidate that computes, by the wish. The linked library is preferred to one
/// that is not faster by more than chance. nullopt: the linked library computes, untried; for a named
/// library: it cannot compute.
[[nodiscard]] std::optional<std::size_t> choice(const BlasFindings& findings);

/// Factor by which a candidate must be faster than the linked library to be preferred to it.
inline constexpr double worth_a_change = 1.05;

/// One line for the terminal: what computes and why, or what --blas fastest would give.
[[nodiscard]] std::string sentence(const BlasFindings& findings);
/// Member `blas` of the run record.
[[nodiscard]] record::Document document(const BlasFindings& findings);
/// "OpenBLAS 0.3.21, kernel SkylakeX: 101.2 Gflop/s; ..."
[[nodiscard]] std::string trial_rates(const BlasFindings& findings);

/// Candidate, among these libraries, that a run record's member `blas` says was used;
/// nullopt if it is none of them.
[[nodiscard]] std::optional<BlasCandidate> used_candidate(const record::Document& blas,
                                                          std::span<const InstalledBlas> installed);
/// Name of that candidate in the member: "OpenBLAS 0.3.21, kernel SkylakeX"; empty if it names none.
[[nodiscard]] std::string used_name(const record::Document& blas);

/// Part of the core's measured peak below which blas_complaint() complains.
inline constexpr double least_peak_share = 0.6;
/// Parts of the peak that a DGEMM reached: `best` its best execution, of all processes; `shown` the rate that stands for
/// it. `waited`: part of its time in which it waited for a processor, and the peak's short loop may not have.
struct PeakShares {
  double best = 0, shown = 0, waited = 0;
};
/// How the library that computes was chosen: the linked one unasked, the linked one as --blas fastest found no faster
/// one, or another.
enum class BlasChosen { linked, linked_as_fastest, other };
/// Complaint about a DGEMM of order n: the part of the peak that is shown, the kernel and the cure. Returns nullopt where
/// the best reaches least_peak_share, or would have without the waiting.
[[nodiscard]] std::optional<std::string> blas_complaint(const machine::BlasIdentity& blas,
                                                        const machine::VectorUnits& units, BlasChosen chosen,
                                                        const PeakShares& shares, std::int64_t n);

/// The BLAS of a run: the library of this process, and the findings that led to it,
/// the same on all processes.
struct BlasInUse {
  BlasLibrary library;
  BlasFindings findings;
};

/// The library that computes; nullopt if none can. `chosen`: nullptr, as before a choice, is the linked one.
[[nodiscard]] std::optional<BlasLibrary> usable_blas(const BlasInUse* chosen);

/// The library that computes by these settings.
[[nodiscard]] inline BlasLibrary blas_of(const Settings& settings) {
  return settings.blas_in_use ? settings.blas_in_use->library : BlasLibrary::linked();
}

}  // namespace steelyard::hpcc
