// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/json.hpp"
#include "suites/rates.hpp"

namespace steelyard::survey {

/// The rates of a machine and how they came about.
struct Surveyed {
  suites::Rates rates = suites::assumed_rates();
  std::map<std::string, double, std::less<>> spread;  // by rate: largest over least of its trials, less 1
  std::vector<std::string> assumed;                   // rates that were not measured
  double seconds = 0;                                 // that the measuring took
  double processor_share = 1;    // least part of a processor that a computing process got; in the rates
  std::int64_t memory_byte = 0;  // that a process may plan with, as it was found then; 0: not known
};

/// Rates that stand in for a survey, of processes with so many threads: what threads do side by side goes as much
/// faster, arithmetic by all of them, what waits for memory by 32 at most, because a node has no more bandwidth than
/// so many take. An expectation, of origin assumed.
[[nodiscard]] suites::Rates assumed_rates(int threads);

/// Member `survey` of a run record, and back; nullopt for a document that is none.
[[nodiscard]] record::Document document_of(const Surveyed& surveyed);
[[nodiscard]] std::optional<Surveyed> surveyed_of(const record::Document& document);

// Rates of earlier runs in the user's cache directory. Disposable: nothing is lost with it.

/// Conditions for which rates hold.
struct Place {
  std::string machine, program, blas;
  int processes = 1, nodes = 1, threads = 1;
};

/// $XDG_CACHE_HOME/steelyard/survey, or that of ~/.cache; empty if neither is known.
[[nodiscard]] std::filesystem::path default_store();

/// The last rates of this place, of origin stored. Returns nullopt if there are none, or they cannot be read.
[[nodiscard]] std::optional<Surveyed> stored(const std::filesystem::path& store, const Place& place);
/// Keeps the rates. A failure to write them is no failure of the caller.
void keep(const std::filesystem::path& store, const Place& place, const Surveyed& surveyed);

/// The new rates; each within a fifth of its earlier value is replaced by that, so that equal runs choose
/// equal sizes. Rates of new message buffers, from which only times follow, stay as they are.
[[nodiscard]] Surveyed steadied(const std::optional<Surveyed>& earlier, Surveyed now);

}  // namespace steelyard::survey
