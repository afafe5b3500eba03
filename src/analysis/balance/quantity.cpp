// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/quantity.hpp"

#include <algorithm>
#include <array>

namespace steelyard::balance {
namespace {

using enum Quantity;

constexpr std::string_view rings = "run hpcc/LatencyBandwidth", io = "run b-eff-io",
                           user = "stated by the user";

constexpr auto all = std::to_array<QuantityInfo>({
    {processes, "processes", "any run"},
    {threads_per_process, "threads_per_process", "any run"},
    {nodes, "nodes", "--nodes"},
    {hpl_flop_s, "hpl_flop_s", "run hpcc/HPL"},
    {hpl_processes, "hpl_processes", "run hpcc/HPL"},
    {dgemm_star_flop_s, "dgemm_star_flop_s", "run hpcc/StarDGEMM"},
    {stream_star_copy_byte_s, "stream_star_copy_byte_s", "run hpcc/StarSTREAM"},
    {stream_star_scale_byte_s, "stream_star_scale_byte_s", "run hpcc/StarSTREAM"},
    {stream_star_add_byte_s, "stream_star_add_byte_s", "run hpcc/StarSTREAM"},
    {stream_star_triad_byte_s, "stream_star_triad_byte_s", "run hpcc/StarSTREAM"},
    {stream_single_triad_byte_s, "stream_single_triad_byte_s", "run hpcc/SingleSTREAM"},
    {ptrans_byte_s, "ptrans_byte_s", "run hpcc/PTRANS"},
    {fft_global_flop_s, "fft_global_flop_s", "run hpcc/MPIFFT"},
    {random_access_global_update_s, "random_access_global_update_s", "run hpcc/MPIRandomAccess"},
    {random_access_star_update_s, "random_access_star_update_s", "run hpcc/StarRandomAccess"},
    {random_ring_byte_s, "random_ring_byte_s", rings},
    {random_ring_latency_s, "random_ring_latency_s", rings},
    {natural_ring_byte_s, "natural_ring_byte_s", rings},
    {natural_ring_latency_s, "natural_ring_latency_s", rings},
    {pingpong_min_byte_s, "pingpong_min_byte_s", rings},
    {pingpong_max_latency_s, "pingpong_max_latency_s", rings},
    {inter_node_share, "inter_node_share", "--processes-per-node"},
    {b_eff_byte_s, "b_eff_byte_s", "run b-eff"},
    {b_eff_lmax_byte_s, "b_eff_lmax_byte_s", "run b-eff"},
    {b_eff_io_byte_s, "b_eff_io_byte_s", io},
    {b_eff_io_write_byte_s, "b_eff_io_write_byte_s", io},
    {b_eff_io_read_byte_s, "b_eff_io_read_byte_s", io},
    {ftio_io_fraction, "ftio_io_fraction", "run ftio"},
    {memory_byte, "memory_byte", "--memory"},
    {peak_measured_flop_s, "peak_measured_flop_s", "run hpcc/StarDGEMM"},
    {peak_nominal_flop_s, "peak_nominal_flop_s", "--peak-gflops"},
    {peak_memory_byte_s, "peak_memory_byte_s", "--peak-memory-gbytes"},
    {mean_power_w, "mean_power_w", "--power"},
    {hpcg_flop_s, "hpcg_flop_s", user},
});

constexpr bool in_order() {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (static_cast<std::size_t>(all[i].quantity) != i) return false;
  return all.size() == static_cast<std::size_t>(hpcg_flop_s) + 1;
}
static_assert(in_order());

}  // namespace

std::span<const QuantityInfo> quantities() {
  return all;
}

const QuantityInfo& info(Quantity quantity) {
  return all[static_cast<std::size_t>(quantity)];
}

std::optional<Quantity> quantity_named(std::string_view name) {
  const auto found = std::ranges::find(all, name, &QuantityInfo::name);
  return found == all.end() ? std::nullopt : std::optional(found->quantity);
}

}  // namespace steelyard::balance
