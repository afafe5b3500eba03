// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace steelyard::balance {
namespace {

using enum Quantity;

constexpr std::string_view rings = "run hpcc/LatencyBandwidth", io = "run b-eff-io",
                           user = "stated by the user";

constexpr auto quantity_table = std::to_array<QuantityInfo>({
    {processes, "processes", "any run", "number of processes"},
    {threads_per_process, "threads_per_process", "any run", "threads of a process"},
    {nodes, "nodes", "--nodes", "number of nodes"},
    {hpl_flop_s, "hpl_flop_s", "run hpcc/HPL", "HPL"},
    {hpl_processes, "hpl_processes", "run hpcc/HPL", "processes of HPL"},
    {dgemm_star_flop_s, "dgemm_star_flop_s", "run hpcc/StarDGEMM", "DGEMM of all processes"},
    {stream_star_copy_byte_s, "stream_star_copy_byte_s", "run hpcc/StarSTREAM",
     "STREAM copy of all processes"},
    {stream_star_scale_byte_s, "stream_star_scale_byte_s", "run hpcc/StarSTREAM",
     "STREAM scale of all processes"},
    {stream_star_add_byte_s, "stream_star_add_byte_s", "run hpcc/StarSTREAM", "STREAM add of all processes"},
    {stream_star_triad_byte_s, "stream_star_triad_byte_s", "run hpcc/StarSTREAM",
     "STREAM triad of all processes"},
    {stream_single_triad_byte_s, "stream_single_triad_byte_s", "run hpcc/SingleSTREAM",
     "STREAM triad of one process"},
    {ptrans_byte_s, "ptrans_byte_s", "run hpcc/PTRANS", "PTRANS"},
    {fft_global_flop_s, "fft_global_flop_s", "run hpcc/MPIFFT", "FFT over all processes"},
    {random_access_global_update_s, "random_access_global_update_s", "run hpcc/MPIRandomAccess",
     "RandomAccess over all processes"},
    {random_access_star_update_s, "random_access_star_update_s", "run hpcc/StarRandomAccess",
     "RandomAccess of all processes, each alone"},
    {random_ring_byte_s, "random_ring_byte_s", rings, "random ring bandwidth"},
    {random_ring_latency_s, "random_ring_latency_s", rings, "random ring latency"},
    {natural_ring_byte_s, "natural_ring_byte_s", rings, "natural ring bandwidth"},
    {natural_ring_latency_s, "natural_ring_latency_s", rings, "natural ring latency"},
    {pingpong_min_byte_s, "pingpong_min_byte_s", rings, "ping-pong bandwidth"},
    {pingpong_max_latency_s, "pingpong_max_latency_s", rings, "ping-pong latency"},
    {inter_node_share, "inter_node_share", "--processes-per-node", "share of connections between nodes"},
    {b_eff_byte_s, "b_eff_byte_s", "run b-eff", "b_eff"},
    {b_eff_lmax_byte_s, "b_eff_lmax_byte_s", "run b-eff", "b_eff at its longest message"},
    {b_eff_io_byte_s, "b_eff_io_byte_s", io, "b_eff_io"},
    {b_eff_io_write_byte_s, "b_eff_io_write_byte_s", io, "initial writes of b_eff_io"},
    {b_eff_io_read_byte_s, "b_eff_io_read_byte_s", io, "reads of b_eff_io"},
    {ftio_io_fraction, "ftio_io_fraction", "run ftio", "share of I/O in FTIO"},
    {memory_byte, "memory_byte", "--memory", "size of the memory"},
    {peak_measured_flop_s, "peak_measured_flop_s", "run hpcc/StarDGEMM", "measured peak speed"},
    {peak_nominal_flop_s, "peak_nominal_flop_s", "--peak-gflops", "nominal peak speed"},
    {peak_memory_byte_s, "peak_memory_byte_s", "--peak-memory-gbytes", "nominal memory bandwidth"},
    {mean_power_w, "mean_power_w", "--power", "power"},
    {hpcg_flop_s, "hpcg_flop_s", user, "HPCG"},
});

constexpr bool in_order() {
  for (std::size_t i = 0; i < quantity_table.size(); ++i)
    if (static_cast<std::size_t>(quantity_table[i].quantity) != i) return false;
  return quantity_table.size() == static_cast<std::size_t>(hpcg_flop_s) + 1;
}
static_assert(in_order());

void note(std::vector<Quantity>& list, Quantity quantity) {
  if (std::ranges::find(list, quantity) == list.end()) list.push_back(quantity);
}

std::optional<double> find(const std::map<Quantity, double>& values, Quantity quantity) {
  const auto found = values.find(quantity);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::span<const QuantityInfo> quantities() {
  return quantity_table;
}

const QuantityInfo& info(Quantity quantity) {
  return quantity_table[static_cast<std::size_t>(quantity)];
}

std::optional<Quantity> quantity_named(std::string_view name) {
  const auto found = std::ranges::find(quantity_table, name, &QuantityInfo::name);
  return found == quantity_table.end() ? std::nullopt : std::optional(found->quantity);
}

void Inputs::set(Quantity quantity, double value) {
  if (std::isfinite(value) && value > 0) values_[quantity] = value;
}

void Inputs::set(Quantity quantity, const std::optional<double>& value) {
  if (value) set(quantity, *value);
}

std::optional<double> Inputs::get(Quantity quantity) const {
  return find(values_, quantity);
}

std::optional<double> Inputs::half_width(Quantity quantity) const {
  return find(half_widths_, quantity);
}

std::optional<analysis::RelativeInterval> Inputs::interval(Quantity quantity) const {
  if (const auto found = intervals_.find(quantity); found != intervals_.end()) return found->second;
  const auto width = half_width(quantity);
  return width ? std::optional(analysis::RelativeInterval{-*width, *width}) : std::nullopt;
}

double Reading::of(Quantity quantity) {
  const auto value = inputs_.get(quantity);
  note(value ? used_ : missing_, quantity);
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> Reading::half_width() const {
  double squares = 0;
  for (const Quantity quantity : used_) {
    const double width = inputs_.half_width(quantity).value_or(0);
    squares += width * width;
  }
  return squares > 0 ? std::optional(std::sqrt(squares)) : std::nullopt;
}

double Reading::accumulated(Quantity per_process) {
  return of(Quantity::processes) * of(per_process);
}

double Reading::hpl() {
  const double rate = of(Quantity::hpl_flop_s);
  if (!has(Quantity::hpl_processes)) return rate;
  const double all = of(Quantity::processes), grid = of(Quantity::hpl_processes);
  return all == grid ? rate : rate * all / grid;
}

double Reading::peak() {
  return of(has(Quantity::peak_nominal_flop_s) ? Quantity::peak_nominal_flop_s
                                               : Quantity::peak_measured_flop_s);
}

void set_layout(System& system, std::vector<int> processes_per_node) {
  system.inputs.set(Quantity::nodes, static_cast<double>(processes_per_node.size()));
  system.processes_per_node = std::move(processes_per_node);
}

std::optional<double> intra_node_fraction(std::span<const int> processes_per_node, IntraNode method) {
  double processes = 0, pairs = 0;
  for (const int m : processes_per_node) {
    processes += m;
    pairs += static_cast<double>(m) * (m - 1);
  }
  if (processes < 2) return std::nullopt;
  if (method == IntraNode::expected) return pairs / (processes * (processes - 1));
  return pairs > 0 ? 1 / static_cast<double>(processes_per_node.size()) : 0;
}

double intra_node_fraction(std::span<const std::vector<int>> rings, std::span<const int> node_of_rank) {
  std::size_t inside = 0, all = 0;
  const auto node = [&](int rank) { return node_of_rank[static_cast<std::size_t>(rank)]; };
  for (const auto& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      if (node(ring[i]) == node(ring[(i + 1) % ring.size()])) ++inside;
    all += ring.size();
  }
  return all == 0 ? 0 : static_cast<double>(inside) / static_cast<double>(all);
}

std::optional<InterNode> inter_node(const System& system) {
  const auto share = system.inputs.get(Quantity::inter_node_share);
  const auto ring = system.inputs.get(Quantity::random_ring_byte_s);
  const auto nodes = system.nodes();
  if (!share || !ring || !nodes) return std::nullopt;
  const double per_process = *share * *ring;
  return InterNode{1 - *share, per_process, per_process * system.processes() / *nodes};
}

}  // namespace steelyard::balance
