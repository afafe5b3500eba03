// SPDX-License-Identifier: Apache-2.0
#include "measure/host_rates.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <utility>

namespace steelyard::measure {

RatesOfHosts::RatesOfHosts(const mpi::Communicator& active) : RatesOfHosts(active, active.split_shared()) {}

RatesOfHosts::RatesOfHosts(const mpi::Communicator& active, mpi::Communicator host)
    : host_(std::move(host)), leaders_(active.split(host_.is_root() ? 0 : -1, active.rank())) {
  first_rank_ = host_.broadcast(active.rank());
}

std::vector<HostRate> RatesOfHosts::merge(double mean_s, bool takes_part) const {
  const bool counts = takes_part && mean_s > 0;
  const std::array<double, 2> own{counts ? 1 / mean_s : 0.0, counts ? 1.0 : 0.0};
  std::array<double, 2> sum{};
  mpi::check(MPI_Reduce(own.data(), sum.data(), 2, MPI_DOUBLE, MPI_SUM, 0, host_.get()), "MPI_Reduce");
  if (!leaders_.valid() || leaders_.size() < 2) return {};
  HostRate mine{first_rank_, sum[1] > 0 ? sum[0] / sum[1] : 0};
  std::vector<HostRate> all(leaders_.is_root() ? static_cast<std::size_t>(leaders_.size()) : 0);
  constexpr int bytes = sizeof(HostRate);
  mpi::check(MPI_Gather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, leaders_.get()), "MPI_Gather");
  std::erase_if(all, [](const HostRate& one) { return one.rate_op_s <= 0; });
  return all;
}

}  // namespace steelyard::measure
