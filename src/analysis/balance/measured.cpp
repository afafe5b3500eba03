// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/measured.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "analysis/hpcc_summary.hpp"
#include "analysis/warnings.hpp"
#include "record/clipped.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "record/whereabouts.hpp"

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

using Points = std::vector<std::reference_wrapper<const PointRecord>>;

/// Points of suites that quantities come from; a run may hold many more.
Points of_origins(const record::Run& run) {
  Points list;
  for (const PointRecord& point : run.points)
    if (std::ranges::find(origins, point.suite, &Origin::suite) != origins.end()) list.emplace_back(point);
  return list;
}

/// Whether a point has the metric of a quantity: latency and bandwidth are points of one benchmark.
bool comes_from(const Origin& origin, const PointRecord& point) {
  if (point.suite != origin.suite || (!origin.benchmark.empty() && point.benchmark != origin.benchmark))
    return false;
  if (!origin.kernel.empty() && record::word_of(record::find(point.params, "kernel")) != origin.kernel)
    return false;
  return point.benchmark != "LatencyBandwidth" || point.metrics.empty() ||
         record::metric(point, info(origin.quantity).name) != nullptr;
}

void take_value(System& system, const record::SummaryRecord& summary, std::string_view name, Quantity to) {
  for (const auto& [key, metric] : summary.values) {
    if (key != name) continue;
    if (const auto value = record::value_of(metric)) system.inputs.set(to, *value);
  }
}

void read_ftio(const record::SummaryRecord& summary, System& system) {
  const auto list = [&](std::string_view name) {
    const auto* values = record::list_of(record::find(summary.classic, name));
    return values == nullptr ? std::vector<double>{} : *values;
  };
  const auto orders = list("matrix_orders"), fractions = list("io_fraction");
  for (std::size_t i = 0; i < std::min(orders.size(), fractions.size()); ++i)
    system.ftio.push_back({orders[i] * orders[i], fractions[i]});
}

void read_summary(const record::SummaryRecord& summary, System& system) {
  if (summary.name == "ftio") read_ftio(summary, system);
  if (summary.name == "hpcc") take_hpcc_summary(system, summary.classic);
  for (const QuantityInfo& quantity : quantities())
    if (summary.suite != "hpcc" && quantity.quantity != processes)
      take_value(system, summary, quantity.name, quantity.quantity);
  take_value(system, summary, "b_eff_at_lmax_byte_s", b_eff_lmax_byte_s);
  if (summary.suite != "b-eff" && summary.suite != "b-eff-io") return;
  for (const Origin& origin : origins) {
    if (origin.suite != summary.suite) continue;
    if (summary.official == false) system.doubts.shortened.insert(origin.quantity);
    if (summary.verified == false) system.doubts.failed.insert(origin.quantity);  // a text may have no points
  }
}

/// Reads the summaries. A text of b_eff_io has one for each partition, that of its figure first.
void read_summaries(const record::Run& run, System& system) {
  bool has_figure = false;
  for (const auto& summary : run.summaries) {
    const bool is_of_partition = summary.suite == "b-eff-io";
    if (!is_of_partition || !has_figure) read_summary(summary, system);
    has_figure |= is_of_partition;
  }
}

std::string condition_of(const PointRecord& point) {
  const auto sentence = record::word_of(record::find(point.classic, "condition"));
  return sentence.empty() ? "too small for this machine" : sentence;
}

bool is_representative(const PointRecord& point) {
  return !has_flag(point, not_representative_flag);
}

/// Reads the summaries, with the figures of HPC Challenge from representative points alone.
void read_representative(const record::Run& run, System& system) {
  read_summaries(run, system);
  const auto flagged = [](const PointRecord& point) {
    return point.suite == "hpcc" && !is_representative(point);
  };
  if (std::ranges::none_of(run.points, flagged)) return;
  std::vector<PointRecord> kept;  // the summary takes no others
  for (const PointRecord& point : run.points)
    if (point.suite == "hpcc" && !flagged(point)) kept.push_back(point);
  const Inputs all = system.inputs;
  for (const Origin& origin : origins)
    if (origin.suite == "hpcc") system.inputs.erase(origin.quantity);
  system.doubts.hpl_order = system.doubts.stream_elements = {};
  if (const auto summary = analysis::hpcc_summary(kept, analysis::hpcc_frame(run.head)))
    take_hpcc_summary(system, summary->classic);
  system.inputs.set(processes, all.get(processes));
  system.inputs.set(peak_measured_flop_s, all.get(peak_measured_flop_s));
}

/// Doubts of the points of a withheld figure that most of them bear, those about its data first. The system tells for
/// itself of files in memory and of more processes than cores.
std::string doubts_of_withheld(const Origin& origin, const Points& points) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  std::size_t its_points = 0;
  const auto count = [&counts](std::string words) {
    const auto found = std::ranges::find(counts, words, &std::pair<std::string, std::size_t>::first);
    ++(found == counts.end() ? counts.emplace_back(std::move(words), 0) : *found).second;
  };
  for (const PointRecord& point : points) {
    if (!measured(point) || !comes_from(origin, point) || is_representative(point)) continue;
    ++its_points;
    if (point.verified == false) count("wrong data");
    for (const analysis::Doubt& doubt : analysis::doubts(point))
      if (doubt.code == "wide_interval")
        count("interval of " + doubt.words);
      else if (doubt.code != "cached_read" && doubt.code != "oversubscribed")
        count(doubt.words);
  }
  std::string text;
  for (const auto& [words, of_points] : counts)
    if (2 * of_points > its_points) text += (text.empty() ? "" : ", ") + words;
  return text;
}

/// Reads figures whose points say nothing about the machine, and those that were planned and left out.
void read_withheld(const Points& points, const Inputs& measured, System& system) {
  Doubts& doubts = system.doubts;
  for (const PointRecord& point : points)
    for (const Origin& origin : origins) {
      if (!comes_from(origin, point)) continue;
      const bool whole_suite = origin.benchmark.empty();
      if (!is_representative(point) && whole_suite) system.inputs.erase(origin.quantity);
      if (system.inputs.get(origin.quantity)) continue;
      if (const auto value = measured.get(origin.quantity); value && !is_representative(point))
        doubts.withheld[origin.quantity] = {*value, condition_of(point), doubts_of_withheld(origin, points)};
      else if (point.status != record::Status::ok && point.reason && !point.reason->text.empty()) {
        const bool is_first = doubts.not_run.emplace(origin.quantity, point.reason->text).second;
        if (is_first && point.reason->code == record::ReasonCode::memory)
          doubts.needs_memory.insert(origin.quantity);
      }
    }
}

/// Quantities whose measured points were not verified, none of them.
std::set<Quantity> unverified(const Points& points) {
  std::set<Quantity> found, verified;
  for (const PointRecord& point : points)
    for (const Origin& origin : origins)
      if (measured(point) && comes_from(origin, point) && is_representative(point))
        (point.verified ? verified : found).insert(origin.quantity);
  for (const Quantity quantity : verified) found.erase(quantity);
  return found;
}

void read_points(const Points& points, System& system) {
  system.doubts.unverified = unverified(points);
  for (const PointRecord& point : points)
    for (const Origin& origin : origins) {
      if (!comes_from(origin, point) || !is_representative(point)) continue;
      if (point.verified == false) system.doubts.failed.insert(origin.quantity);
      if (has_flag(point, "smaller_than_the_rules_ask")) system.doubts.shortened.insert(origin.quantity);
      const bool one_point = !origin.benchmark.empty() && point.benchmark != "LatencyBandwidth";
      if (!one_point) continue;
      if (const auto width = analysis::half_width(point))
        system.inputs.set_half_width(origin.quantity, *width);
      if (const auto interval = analysis::relative_interval(point, point.primary))
        system.inputs.set_interval(origin.quantity, *interval);
    }
}

/// Reads what of the schedule of HPC Challenge was shorter than the rules ask; its points tell smaller sizes.
void read_schedule(const record::RunRecord& head, System& system) {
  for (const analysis::HpccShortage& one : analysis::hpcc_shortages(analysis::hpcc_frame(head)))
    for (const Origin& origin : origins) {
      const bool is_concerned = origin.suite == "hpcc" &&
                                std::ranges::find(one.benchmarks, origin.benchmark) != one.benchmarks.end();
      const bool is_figure = one.figure.empty() || one.figure == info(origin.quantity).name;
      if (is_concerned && is_figure && system.inputs.get(origin.quantity))
        system.doubts.shortened.insert(origin.quantity);
    }
}

/// Whether a doubt is a remark on the measurement: not if a figure tells it for itself, or the system.
bool is_remark(const analysis::Doubt& doubt) {
  constexpr std::array told{"wide_interval", "not_representative", "smaller_than_the_rules_ask",
                            "cached_read", "oversubscribed"};
  return std::ranges::find(told, doubt.code) == told.end();
}

/// Whether a figure is of messages: those of a node take what a cache line takes between its processors.
bool is_of_messages(const Origin& origin) {
  return origin.suite == "b-eff" || origin.benchmark == "LatencyBandwidth";
}

/// Remarks of a point against its figure: its own doubts, and of messages that they were measured in one of
/// several states of the machine.
std::vector<std::string> remarks_of(const Origin& origin, const PointRecord& point,
                                    const analysis::StatesOfRun& states) {
  std::vector<std::string> remarks;
  for (const analysis::Doubt& doubt : analysis::doubts(point))
    if (is_remark(doubt)) remarks.push_back(doubt.words);
  if (is_of_messages(origin) && states.others_than_of(point) && !has_flag(point, "mixed_states"))
    remarks.emplace_back("other machine states in this run");
  return remarks;
}

/// Reads the remarks: a figure of many points bears the remark of most of them.
void read_remarks(const Points& points, const analysis::StatesOfRun& states, System& system) {
  for (const Origin& origin : origins) {
    std::map<std::string, std::size_t> counts;
    std::size_t its_points = 0;
    for (const PointRecord& point : points) {
      if (!measured(point) || !comes_from(origin, point) || !is_representative(point)) continue;
      ++its_points;
      for (auto& words : remarks_of(origin, point, states)) ++counts[std::move(words)];
    }
    for (const auto& [words, count] : counts)
      if (2 * count > its_points) system.doubts.remarks[origin.quantity].insert(words);
  }
}

const std::vector<double>* numbers(const PointRecord& point, std::string_view name) {
  return record::list_of(record::find(point.classic, name));
}

/// Reads the saturation of a node; the last of its points has all processes of a node.
void read_saturation(const Points& points, System& system) {
  for (const PointRecord& point : points) {
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

/// Size of all caches of the last level of one node.
std::optional<double> last_level_cache(const Json& machine) {
  const auto caches = machine.find("caches");
  if (caches == machine.end() || !caches->is_array()) return std::nullopt;
  double level = 0, size = 0;
  for (const Json& cache : *caches) {
    const auto at = number_in(cache, "level"), byte = number_in(cache, "size_byte");
    if (!at || !byte || *at < level || record::text_in(cache, "kind") == "instruction") continue;
    if (*at > level) size = 0;
    level = *at;
    size += *byte * number_in(cache, "count").value_or(1);  // chips may have caches of several sizes
  }
  return size > 0 ? std::optional(size) : std::nullopt;
}

/// Memory of a node that the control group leaves.
std::optional<double> memory_of_node(const Json& machine) {
  const auto all = number_in(machine, "memory_byte");
  const auto container = machine.find("container");
  const auto limit = container != machine.end() && container->is_object()
                         ? number_in(*container, "memory_limit_byte")
                         : std::nullopt;
  return all && limit ? std::min(*all, *limit) : all ? all : limit;
}

void read_machine(const record::RunRecord& head, System& system) {
  const Json& machine = head.machine.json();
  if (!machine.is_object()) return;
  if (head.nodes < 1) return;
  if (const auto memory = memory_of_node(machine)) system.inputs.set(memory_byte, *memory * head.nodes);
  if (const auto cores = number_in(machine, "cores")) system.doubts.cores = *cores * head.nodes;
  system.doubts.node_cache_byte = last_level_cache(machine);
  if (const auto model = machine.find("processor"); model != machine.end() && model->is_string())
    system.cpu = model->get<std::string>();
}

/// Figures of files that lay in memory, and why, by the data that were moved and the memory that there was.
std::map<Quantity, std::string> cached_figures(const record::Run& run) {
  using enum Quantity;
  std::map<Quantity, std::string> found;
  const auto note = [&](std::initializer_list<Quantity> quantities, const std::string& why) {
    for (const Quantity quantity : quantities)
      if (!why.empty()) found[quantity] = why;
  };
  note({b_eff_io_byte_s, b_eff_io_write_byte_s, b_eff_io_read_byte_s},
       analysis::beffio_in_memory(run.head, run.points));
  note({ftio_io_fraction}, analysis::ftio_in_memory(run.head, run.points));
  return found;
}

}  // namespace

std::vector<int> processes_per_node(const record::RunRecord& run) {
  std::vector<int> counts;
  for (const int node : record::nodes_of_ranks(run)) {
    if (node < 0 || node >= run.processes) return {};
    counts.resize(std::max(counts.size(), static_cast<std::size_t>(node) + 1));
    ++counts[static_cast<std::size_t>(node)];
  }
  return counts;
}

std::optional<Quantity> quantity_of_summary(std::string_view name) {
  constexpr auto others = std::to_array<std::pair<std::string_view, Quantity>>(
      {{"star_dgemm_flop_s", dgemm_star_flop_s},
       {"star_stream_copy_byte_s", stream_star_copy_byte_s},
       {"star_stream_triad_byte_s", stream_star_triad_byte_s},
       {"mpi_random_access_update_s", random_access_global_update_s},
       {"mpi_fft_flop_s", fft_global_flop_s},
       {"b_eff_at_lmax_byte_s", b_eff_lmax_byte_s}});
  const auto* found = std::ranges::find(others, name, &std::pair<std::string_view, Quantity>::first);
  return found == others.end() ? quantity_named(name) : found->second;
}

System system_of_run(const record::Run& run) {
  return system_of_run(run, analysis::StatesOfRun(run.points));
}

System system_of_run(const record::Run& run, const analysis::StatesOfRun& states) {
  const auto& head = run.head;
  System system;
  system.name = head.name;
  system.campaign = head.series;
  system.started = head.started_utc;
  system.inputs.set(processes, head.processes);
  system.inputs.set(threads_per_process, head.threads_per_process);
  if (head.nodes > 0) system.inputs.set(nodes, head.nodes);
  system.processes_per_node = processes_per_node(head);
  read_machine(head, system);
  System whole;
  read_summaries(run, whole);
  read_representative(run, system);
  const Points points = of_origins(run);
  read_withheld(points, whole.inputs, system);
  system.doubts.cached = cached_figures(run);
  system.evidence = evidence_of(run);
  read_points(points, system);
  read_schedule(head, system);
  read_remarks(points, states, system);
  read_saturation(points, system);
  take_imported(run, system);
  system.doubts.oversubscribed =
      std::ranges::any_of(run.events, [](const auto& event) { return event.code == "oversubscribed"; });
  system.curve = head.name;
  if (system.threads() > 1) system.curve += " x" + std::to_string(record::clipped<int>(system.threads()));
  if (const auto share = intra_node_fraction(system.processes_per_node, IntraNode::expected))
    system.inputs.set(inter_node_share, 1 - *share);
  return system;
}

}  // namespace steelyard::balance
