// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/ratios.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

using prefix::kilo, prefix::mega, prefix::giga, prefix::tera, prefix::micro;
// A row of a 27-point matrix: 340 byte and 54 flop.
constexpr double sparse_byte_flop = 340.0 / 54;
constexpr bool lower_is_better = true;

double peak_or_dgemm(Reading& r) {
  const bool known = r.has(peak_nominal_flop_s) || r.has(peak_measured_flop_s);
  return known ? r.peak() : r.accumulated(dgemm_star_flop_s);
}

template <Quantity q>
double per_hpl(Reading& r) {
  return r.of(q) / r.hpl();
}
template <Quantity q>
double accumulated_per_hpl(Reading& r) {
  return r.accumulated(q) / r.hpl();
}
template <Quantity a, Quantity b>
double over(Reading& r) {
  return r.of(a) / r.of(b);
}

constexpr auto ratio_table = std::to_array<Ratio>({
    {"memory_balance_copy_byte_flop", "byte/flop", "memory balance, copy",
     accumulated_per_hpl<stream_star_copy_byte_s>},
    {"memory_balance_triad_byte_flop", "byte/flop", "memory balance, triad",
     accumulated_per_hpl<stream_star_triad_byte_s>},
    {"dgemm_ratio", "", "DGEMM / HPL", accumulated_per_hpl<dgemm_star_flop_s>},
    {"fft_ratio", "", "FFT / HPL", per_hpl<fft_global_flop_s>},
    {"ptrans_byte_kflop", "byte/kflop", "PTRANS / HPL",
     [](Reading& r) { return kilo * per_hpl<ptrans_byte_s>(r); }},
    {"random_access_update_mflop", "update/Mflop", "RandomAccess / HPL",
     [](Reading& r) { return mega * per_hpl<random_access_global_update_s>(r); }},
    {"network_balance_byte_kflop", "byte/kflop", "network balance",
     [](Reading& r) { return kilo * accumulated_per_hpl<random_ring_byte_s>(r); }},
    {"inter_node_balance_byte_kflop", "byte/kflop", "inter-node balance",
     [](Reading& r) { return kilo * accumulated_per_hpl<random_ring_byte_s>(r) * r.of(inter_node_share); }},
    {"natural_ring_byte_kflop", "byte/kflop", "natural ring / HPL",
     [](Reading& r) { return kilo * accumulated_per_hpl<natural_ring_byte_s>(r); }},
    {"b_eff_balance_byte_kflop", "byte/kflop", "b_eff / HPL",
     [](Reading& r) { return kilo * over<b_eff_byte_s, hpl_flop_s>(r); }},
    {"natural_over_pingpong_bandwidth", "", "natural ring / ping-pong bandwidth",
     over<natural_ring_byte_s, pingpong_min_byte_s>},
    {"random_over_pingpong_bandwidth", "", "random ring / ping-pong bandwidth",
     over<random_ring_byte_s, pingpong_min_byte_s>},
    {"random_over_natural_bandwidth", "", "random ring / natural ring bandwidth",
     over<random_ring_byte_s, natural_ring_byte_s>},
    {"pingpong_over_random_ring_latency", "", "ping-pong / random ring latency",
     over<pingpong_max_latency_s, random_ring_latency_s>},
    {"inverse_random_ring_latency_per_us", "1/us", "1 / random ring latency",
     [](Reading& r) { return micro / r.of(random_ring_latency_s); }},
    {"flop_per_latency_kflop", "kflop", "flop of a process in one latency",
     [](Reading& r) { return r.of(random_ring_latency_s) * r.hpl() / r.of(processes) / kilo; },
     lower_is_better},
    {"half_bandwidth_message_byte", "byte", "message at half of the ring bandwidth",
     [](Reading& r) { return r.of(random_ring_latency_s) * r.of(random_ring_byte_s); }, lower_is_better},
    {"b_eff_over_lmax", "", "b_eff / b_eff at L_max", over<b_eff_byte_s, b_eff_lmax_byte_s>},
    {"memory_communication_time_s", "s", "time to communicate the memory", over<memory_byte, b_eff_byte_s>,
     lower_is_better},
    {"network_over_memory", "", "random ring / STREAM copy",
     over<random_ring_byte_s, stream_star_copy_byte_s>},
    {"stream_star_over_single_triad", "", "STREAM triad, all / one process",
     over<stream_star_triad_byte_s, stream_single_triad_byte_s>},
    {"stream_efficiency", "", "STREAM triad / nominal",
     [](Reading& r) { return r.accumulated(stream_star_triad_byte_s) / r.of(peak_memory_byte_s); }},
    {"gups_over_stream", "", "random / contiguous memory access",
     [](Reading& r) { return 16 * over<random_access_star_update_s, stream_star_copy_byte_s>(r); }},
    {"global_over_star_updates", "", "updates over all / alone",
     [](Reading& r) {
       return r.of(random_access_global_update_s) / r.accumulated(random_access_star_update_s);
     }},
    {"hpl_efficiency", "", "HPL / peak", [](Reading& r) { return r.of(hpl_flop_s) / r.peak(); }},
    {"dgemm_efficiency", "", "DGEMM / peak",
     [](Reading& r) { return r.accumulated(dgemm_star_flop_s) / r.peak(); }},
    {"hpl_over_dgemm", "", "HPL / DGEMM",
     [](Reading& r) { return r.hpl() / r.accumulated(dgemm_star_flop_s); }},
    {"machine_balance_flop_word", "flop/word", "machine balance",
     [](Reading& r) { return 8 * peak_or_dgemm(r) / r.accumulated(stream_star_triad_byte_s); },
     lower_is_better},
    {"ridge_flop_byte", "flop/byte", "ridge point of the roofline",
     over<dgemm_star_flop_s, stream_star_triad_byte_s>, lower_is_better},
    {"sparse_bound_ratio", "", "bound of a sparse solver / HPL",
     [](Reading& r) { return accumulated_per_hpl<stream_star_triad_byte_s>(r) / sparse_byte_flop; }},
    {"hpcg_ratio", "", "HPCG / HPL", per_hpl<hpcg_flop_s>},
    {"memory_per_flop", "byte/(flop/s)", "memory / HPL", per_hpl<memory_byte>},
    {"io_byte_mflop", "byte/Mflop", "b_eff_io / HPL",
     [](Reading& r) { return mega * per_hpl<b_eff_io_byte_s>(r); }},
    {"amdahl_io_number", "bit/flop", "Amdahl's I/O number",
     [](Reading& r) { return 8 * per_hpl<b_eff_io_byte_s>(r); }},
    {"io_per_memory", "1/s", "b_eff_io / memory", over<b_eff_io_byte_s, memory_byte>},
    {"communication_over_io", "", "b_eff / b_eff_io", over<b_eff_byte_s, b_eff_io_byte_s>},
    {"cup_factor", "", "coffee-cup factor",
     [](Reading& r) { return r.of(b_eff_io_byte_s) / (r.of(memory_byte) / cup_s); }},
    {"half_memory_time_s", "s", "half of the memory at b_eff_io",
     [](Reading& r) { return over<memory_byte, b_eff_io_byte_s>(r) / 2; }, lower_is_better},
    {"half_memory_write_time_s", "s", "time to write half of the memory",
     [](Reading& r) { return over<memory_byte, b_eff_io_write_byte_s>(r) / 2; }, lower_is_better},
    {"io_fraction", "", "I/O fraction of FTIO", [](Reading& r) { return r.of(ftio_io_fraction); },
     lower_is_better},
    {"io_to_work", "", "I/O time / other time of FTIO",
     [](Reading& r) { return r.of(ftio_io_fraction) / (1 - r.of(ftio_io_fraction)); }, lower_is_better},
    {"gflop_s_per_w", "Gflop/s/W", "HPL / power",
     [](Reading& r) { return over<hpl_flop_s, mean_power_w>(r) / giga; }},
    {"pj_per_flop", "pJ/flop", "energy of a flop",
     [](Reading& r) { return over<mean_power_w, hpl_flop_s>(r) * tera; }, lower_is_better},
    {"byte_per_j", "byte/J", "STREAM triad / power",
     [](Reading& r) { return r.accumulated(stream_star_triad_byte_s) / r.of(mean_power_w); }},
});

constexpr auto published = std::to_array<Ratio>({
    {"b_eff_mbyte_s", "MB/s", "b_eff", [](Reading& r) { return r.of(b_eff_byte_s) / mega; }},
    {"b_eff_per_process_mbyte_s", "MB/s", "b_eff of a process",
     [](Reading& r) { return over<b_eff_byte_s, processes>(r) / mega; }},
    {"b_eff_at_lmax_mbyte_s", "MB/s", "b_eff at L_max",
     [](Reading& r) { return r.of(b_eff_lmax_byte_s) / mega; }},
    {"b_eff_at_lmax_per_process_mbyte_s", "MB/s", "b_eff at L_max of a process",
     [](Reading& r) { return over<b_eff_lmax_byte_s, processes>(r) / mega; }},
    {"b_eff_io_mbyte_s", "MB/s", "b_eff_io", [](Reading& r) { return r.of(b_eff_io_byte_s) / mega; }},
});

/// Value of the ratio beside `value`, relative to it, if the quantity were so far from what it is; 0 where there is none.
double moved(const Ratio& ratio, Inputs inputs, Quantity quantity, double by, double value) {
  const auto held = inputs.get(quantity);
  if (!held) return 0;
  inputs.set(quantity, *held * (1 + by));
  Reading reading(inputs);
  const double other = ratio.formula(reading) / value - 1;
  return std::isfinite(other) ? other : 0;
}

/// Interval of a ratio: each end is the root of the sum of squares of what the ends of the inputs do to it, so that
/// the upper end of a divisor makes the lower end of the ratio.
std::optional<analysis::RelativeInterval> interval_of(const Ratio& ratio, const Inputs& inputs,
                                                      const std::vector<Quantity>& used, double value) {
  double below = 0, above = 0;
  for (const Quantity quantity : used) {
    const auto known = inputs.interval(quantity);
    if (!known) continue;
    const auto [down, up] = std::minmax({moved(ratio, inputs, quantity, known->low_above_zero(), value),
                                         moved(ratio, inputs, quantity, known->high, value)});
    below += std::pow(std::min(down, 0.0), 2);
    above += std::pow(std::max(up, 0.0), 2);
  }
  if (below == 0 && above == 0) return std::nullopt;
  return analysis::RelativeInterval{-std::sqrt(below), std::sqrt(above)};
}

}  // namespace

std::span<const Ratio> ratios() {
  return ratio_table;
}

std::span<const Ratio> published_figures() {
  return published;
}

const Ratio* ratio_named(std::string_view id) {
  const auto found = std::ranges::find(ratio_table, id, &Ratio::id);
  return found == ratio_table.end() ? nullptr : &*found;
}

RatioValue evaluate(const Ratio& ratio, const Inputs& inputs) {
  Reading reading(inputs);
  const double value = ratio.formula(reading);
  const bool there = reading.missing().empty() && std::isfinite(value);
  RatioValue found{there ? std::optional(value) : std::nullopt, reading.used(), reading.missing(),
                   reading.half_width()};
  if (there) found.interval = interval_of(ratio, inputs, found.used, value);
  return found;
}

}  // namespace steelyard::balance
