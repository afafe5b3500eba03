// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

/// What the balance analysis reads of a system. Everything is in SI base units.
namespace steelyard::balance {

enum class Quantity {
  processes,
  threads_per_process,
  nodes,
  hpl_flop_s,
  hpl_processes,
  dgemm_star_flop_s,
  stream_star_copy_byte_s,
  stream_star_scale_byte_s,
  stream_star_add_byte_s,
  stream_star_triad_byte_s,
  stream_single_triad_byte_s,
  ptrans_byte_s,
  fft_global_flop_s,
  random_access_global_update_s,
  random_access_star_update_s,
  random_ring_byte_s,
  random_ring_latency_s,
  natural_ring_byte_s,
  natural_ring_latency_s,
  pingpong_min_byte_s,
  pingpong_max_latency_s,
  inter_node_share,
  b_eff_byte_s,
  b_eff_lmax_byte_s,
  b_eff_io_byte_s,
  b_eff_io_write_byte_s,
  b_eff_io_read_byte_s,
  ftio_io_fraction,
  memory_byte,
  peak_measured_flop_s,
  peak_nominal_flop_s,
  peak_memory_byte_s,
  mean_power_w,
  hpcg_flop_s
};

/// `source`: what measures or states it, for messages about what is missing.
struct QuantityInfo {
  Quantity quantity;
  std::string_view name;  // key of inputs in JSON
  std::string_view source;
  std::string_view title;  // for people
};

/// In the order of the enumeration.
[[nodiscard]] std::span<const QuantityInfo> quantities();
[[nodiscard]] const QuantityInfo& info(Quantity quantity);
[[nodiscard]] std::optional<Quantity> quantity_named(std::string_view name);

}  // namespace steelyard::balance
