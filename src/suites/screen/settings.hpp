// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "machine/switches.hpp"
#include "suites/hpcc/settings.hpp"
#include "suites/screen/tournament.hpp"

namespace steelyard::screen {

/// Tolerances that the user has chosen, by the name of the quantity.
using Tolerances = std::map<std::string, double, std::less<>>;

/// Choices of the user, and facts of this place that decide about sizes.
struct Settings {
  int visits = 5;
  double visit_s = 0.5;  // of the timed part of a visit to a test of nodes
  bool alone = false;    // one node after the other, of few nodes one link after the other
  std::optional<PairKind> pairs;
  std::optional<int> rounds;   // of a sample
  std::filesystem::path disk;  // folder of a node; empty: no test of disks
  Tolerances tolerances;
  machine::Switches switch_of;  // on rank 0, as far as it was told
  double again = 0.05;          // part of the nodes that is measured again at most
  std::uint64_t seed = 1;
  int threads = 1;
  std::int64_t memory_byte = 0;  // that a process may use; 0: not known
  hpcc::CacheShare cache;
  std::int64_t core_cache_byte = 0;  // last-level cache that one core reaches; 0: not known
  int domains = 1;                   // NUMA domains that processes are bound to, of the node with most
  int spread = 1;                    // NUMA domains that one process may run on, at most
  bool blas = true;                  // whether there is a BLAS that can compute
  std::string blas_lack;             // why none can; empty where the program was built without one
  std::shared_ptr<const hpcc::BlasInUse> blas_in_use;
  std::optional<double> needs_budget_s;  // of a campaign whose budget does not hold it: it is left out
};

/// Least number of visits that tell a node that was slow once from one that is slow.
inline constexpr int least_visits = 3;
/// Largest number of nodes that are measured again, however many there are.
inline constexpr int most_again = 32;

}  // namespace steelyard::screen
