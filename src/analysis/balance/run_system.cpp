// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "analysis/balance/layout.hpp"
#include "analysis/balance/measured.hpp"

namespace steelyard::balance {
namespace {

using record::Json;
using record::PointRecord;
using enum Quantity;
using record::number_in;

/// The quantities of a benchmark, told apart by kernel or message length where it has several.
struct Origin {
  std::string_view suite, benchmark, kernel;
  Quantity quantity;
};
constexpr auto origins = std::to_array<Origin>({
    {"hpcc", "HPL", "", hpl_flop_s},
    {"hpcc", "StarDGEMM", "", dgemm_star_flop_s},
    {"hpcc", "StarSTREAM", "Copy", stream_star_copy_byte_s},
    {"hpcc", "StarSTREAM", "Scale", stream_star_scale_byte_s},
    {"hpcc", "StarSTREAM", "Add", stream_star_add_byte_s},
    {"hpcc", "StarSTREAM", "Triad", stream_star_triad_byte_s},
    {"hpcc", "SingleSTREAM", "Triad", stream_single_triad_byte_s},
    {"hpcc", "PTRANS", "", ptrans_byte_s},
    {"hpcc", "MPIFFT", "", fft_global_flop_s},
    {"hpcc", "MPIRandomAccess", "", random_access_global_update_s},
    {"hpcc", "StarRandomAccess", "", random_access_star_update_s},
    {"hpcc", "LatencyBandwidth", "", random_ring_byte_s},
    {"hpcc", "LatencyBandwidth", "", random_ring_latency_s},
    {"hpcc", "LatencyBandwidth", "", natural_ring_byte_s},
    {"hpcc", "LatencyBandwidth", "", natural_ring_latency_s},
    {"hpcc", "LatencyBandwidth", "", pingpong_min_byte_s},
    {"hpcc", "LatencyBandwidth", "", pingpong_max_latency_s},
    {"b-eff", "", "", b_eff_byte_s},
    {"b-eff", "", "", b_eff_lmax_byte_s},
    {"b-eff-io", "", "", b_eff_io_byte_s},
    {"b-eff-io", "", "", b_eff_io_write_byte_s},
    {"b-eff-io", "", "", b_eff_io_read_byte_s},
    {"ftio", "", "", ftio_io_fraction},
});

std::string_view kernel_of(const PointRecord& point) {
  const auto* value = record::find(point.params, "kernel");
  const auto* word = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return word == nullptr ? std::string_view() : std::string_view(*word);
}

bool comes_from(const Origin& origin, const PointRecord& point) {
  return point.suite == origin.suite && (origin.benchmark.empty() || point.benchmark == origin.benchmark) &&
         (origin.kernel.empty() || kernel_of(point) == origin.kernel);
}

/// Relative half-width of the interval of the time, which is that of the rate.
std::optional<double> half_width(const PointRecord& point) {
  for (const auto& [name, metric] : point.metrics) {
    const auto* time = std::get_if<record::Statistics>(&metric);
    if (name != "time_s" || time == nullptr || !time->ci || !time->median || !(*time->median > 0)) continue;
    return (time->ci->second - time->ci->first) / (2 * *time->median);
  }
  return std::nullopt;
}

bool has_flag(const PointRecord& point, std::string_view flag) {
  return std::ranges::find(point.flags, flag) != point.flags.end();
}

void read_points(const record::Run& run, System& system) {
  for (const PointRecord& point : run.points)
    for (const Origin& origin : origins) {
      if (!comes_from(origin, point)) continue;
      if (point.verified == false) system.doubts.failed.insert(origin.quantity);
      if (has_flag(point, "smaller_than_the_rules_ask")) system.doubts.shortened.insert(origin.quantity);
      const bool one_point = !origin.benchmark.empty() && point.benchmark != "LatencyBandwidth";
      if (const auto width = half_width(point); width && one_point)
        system.inputs.set_half_width(origin.quantity, *width);
    }
}

const std::vector<double>* numbers(const PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.classic, name);
  return value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
}

/// The last of its points has all processes of a node.
void read_saturation(const record::Run& run, System& system) {
  for (const PointRecord& point : run.points) {
    const auto* processes = numbers(point, "saturation_processes_of_node");
    const auto* byte_s = numbers(point, "saturation_node_byte_s");
    if (processes == nullptr || byte_s == nullptr || byte_s->empty() || byte_s->size() != processes->size())
      continue;
    system.saturation.clear();
    for (std::size_t i = 0; i < byte_s->size(); ++i)
      system.saturation.push_back({(*processes)[i], (*byte_s)[i]});
    if (byte_s->back() > 0) system.doubts.saturation_gain = std::ranges::max(*byte_s) / byte_s->back();
  }
}

void take_value(System& system, const record::SummaryRecord& summary, std::string_view name, Quantity to) {
  for (const auto& [key, metric] : summary.values) {
    if (key != name) continue;
    if (const auto* plain = std::get_if<double>(&metric)) system.inputs.set(to, *plain);
    if (const auto* statistics = std::get_if<record::Statistics>(&metric))
      system.inputs.set(to, statistics->median);
  }
}

void read_summary(const record::SummaryRecord& summary, System& system) {
  if (summary.name == "hpcc") take_hpcc_summary(system, summary.classic);
  for (const QuantityInfo& quantity : quantities())
    if (summary.suite != "hpcc" && quantity.quantity != processes)
      take_value(system, summary, quantity.name, quantity.quantity);
  take_value(system, summary, "b_eff_at_lmax_byte_s", b_eff_lmax_byte_s);
  const bool has_official_length = summary.suite == "b-eff" || summary.suite == "b-eff-io";
  if (!has_official_length || summary.official != false) return;
  for (const Origin& origin : origins)
    if (origin.suite == summary.suite) system.doubts.shortened.insert(origin.quantity);
}

/// All of the last level, of one node.
std::optional<double> last_level_cache(const Json& machine) {
  const auto caches = machine.find("caches");
  if (caches == machine.end() || !caches->is_array()) return std::nullopt;
  double level = 0, size = 0;
  for (const Json& cache : *caches) {
    const auto at = number_in(cache, "level"), byte = number_in(cache, "size_byte");
    if (!at || !byte || *at < level) continue;
    level = *at;
    size = *byte * number_in(cache, "count").value_or(1);
  }
  return size > 0 ? std::optional(size) : std::nullopt;
}

void read_machine(const record::RunRecord& head, System& system) {
  const Json& machine = head.machine.json();
  if (!machine.is_object()) return;
  if (const auto memory = number_in(machine, "memory_byte"))
    system.inputs.set(memory_byte, *memory * head.nodes);
  if (const auto cores = number_in(machine, "cores")) system.doubts.cores = *cores * head.nodes;
  system.doubts.node_cache_byte = last_level_cache(machine);
  if (const auto model = machine.find("processor"); model != machine.end() && model->is_string())
    system.cpu = model->get<std::string>();
}

}  // namespace

std::vector<int> node_of_rank(const record::RunRecord& run) {
  std::vector<int> nodes;
  const Json& layout = run.layout.json();
  if (!layout.is_object() || !layout.contains("ranks")) return nodes;
  for (const Json& stretch : layout["ranks"]) {
    if (!stretch.is_array() || stretch.size() != 2 || !stretch[0].is_number_integer() ||
        !stretch[1].is_number_integer())
      return {};
    const auto count = stretch[1].get<std::int64_t>();
    const auto room = static_cast<std::int64_t>(run.processes) - static_cast<std::int64_t>(nodes.size());
    if (count < 0 || count > room) return {};
    nodes.insert(nodes.end(), static_cast<std::size_t>(count), stretch[0].get<int>());
  }
  if (nodes.size() != static_cast<std::size_t>(run.processes)) return {};
  return nodes;
}

std::vector<int> processes_per_node(const record::RunRecord& run) {
  std::vector<int> counts;
  for (const int node : node_of_rank(run)) {
    if (node < 0 || node >= run.processes) return {};
    counts.resize(std::max(counts.size(), static_cast<std::size_t>(node) + 1));
    ++counts[static_cast<std::size_t>(node)];
  }
  return counts;
}

System system_of_run(const record::Run& run) {
  const auto& head = run.head;
  System system;
  system.name = head.name;
  system.inputs.set(processes, head.processes);
  system.inputs.set(threads_per_process, head.threads_per_process);
  system.inputs.set(nodes, head.nodes);
  system.processes_per_node = processes_per_node(head);
  read_machine(head, system);
  for (const auto& summary : run.summaries) read_summary(summary, system);
  read_points(run, system);
  read_saturation(run, system);
  system.doubts.oversubscribed =
      std::ranges::any_of(run.events, [](const auto& event) { return event.code == "oversubscribed"; });
  system.curve = head.name;
  if (system.threads() > 1) system.curve += " x" + std::to_string(static_cast<int>(system.threads()));
  if (const auto share = intra_node_fraction(system.processes_per_node, IntraNode::expected))
    system.inputs.set(inter_node_share, 1 - *share);
  return system;
}

}  // namespace steelyard::balance
