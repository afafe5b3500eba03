// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "measure/engine.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::measure {

/// Rates of hosts: of each the mean over its ranks. Construction is collective over the communicator.
class RatesOfHosts {
 public:
  explicit RatesOfHosts(const mpi::Communicator& active);
  /// `host`: the ranks that count as one, in the order of the active communicator.
  RatesOfHosts(const mpi::Communicator& active, mpi::Communicator host);
  /// Collective: two numbers of every rank within its host, two of every host. On rank 0 one element per host
  /// with a rank that takes part, in the order of their first ranks; empty with fewer than two hosts, and
  /// elsewhere.
  [[nodiscard]] std::vector<HostRate> merge(double mean_s, bool takes_part) const;

 private:
  mpi::Communicator host_, leaders_;
  int first_rank_ = 0;  // of this host
};

}  // namespace steelyard::measure
