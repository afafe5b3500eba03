// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <tuple>

#include "stats/order.hpp"

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

/// Identity of a machine: results that agree in it are of one machine.
auto machine_of(const System& system) {
  const bool alone = system.campaign.empty();
  return std::tuple(system.name, system.campaign, alone ? system.source : "", alone ? system.started : "");
}

auto layout_of(const System& system) {
  return std::tuple(system.curve, system.processes(), system.threads(), system.processes_per_node);
}

/// Whether both are of one kind of run; a result without HPC Challenge has none.
bool are_of_one_kind(const System& a, const System& b) {
  return a.run_type == b.run_type || a.run_type.empty() || b.run_type.empty();
}

using Group = std::vector<const System*>;

Inputs medians(const Group& group) {
  Inputs inputs = group.front()->inputs;
  for (const QuantityInfo& quantity : quantities()) {
    std::vector<double> values;
    for (const System* system : group)
      if (const auto value = system->inputs.get(quantity.quantity)) values.push_back(*value);
    if (!values.empty()) inputs.set(quantity.quantity, stats::median(values));
  }
  return inputs;
}

/// The run that gives b_eff_io of the system: of those that count most, the one with the largest value.
const System* of_largest_io(const Group& group) {
  const System* best = nullptr;
  const auto worth = [](const System& system) {
    const Doubts& doubts = system.doubts;
    const Quantity io = Quantity::b_eff_io_byte_s;
    return std::tuple(!doubts.failed.contains(io), !doubts.cached.contains(io),
                      !doubts.shortened.contains(io), system.inputs.get(io).value_or(0));
  };
  for (const System* system : group)
    if (system->inputs.get(Quantity::b_eff_io_byte_s) && (best == nullptr || worth(*best) < worth(*system)))
      best = system;
  return best;
}

void take_io(const System& from, System& to) {
  for (const Quantity quantity :
       {Quantity::b_eff_io_byte_s, Quantity::b_eff_io_write_byte_s, Quantity::b_eff_io_read_byte_s}) {
    to.inputs.erase(quantity);
    to.inputs.set(quantity, from.inputs.get(quantity));
    to.doubts.cached.erase(quantity);
    if (const auto why = from.doubts.cached.find(quantity); why != from.doubts.cached.end())
      to.doubts.cached.insert(*why);
    to.doubts.remarks.erase(quantity);
    if (const auto words = from.doubts.remarks.find(quantity); words != from.doubts.remarks.end())
      to.doubts.remarks.insert(*words);
    for (auto list : {&Doubts::failed, &Doubts::unverified, &Doubts::shortened}) {
      (to.doubts.*list).erase(quantity);
      if ((from.doubts.*list).contains(quantity)) (to.doubts.*list).insert(quantity);
    }
  }
}

template <class T>
void fill(std::optional<T>& to, const std::optional<T>& from) {
  if (!to) to = from;
}

/// Fills what the first results do not tell.
void fill_gaps(const System& from, System& to) {
  if (to.run_type.empty()) to.run_type = from.run_type;
  if (to.saturation.empty()) to.saturation = from.saturation;
  for (auto member : {&Doubts::hpl_order, &Doubts::stream_elements, &Doubts::node_cache_byte, &Doubts::cores,
                      &Doubts::adapters_per_node, &Doubts::saturation_gain})
    fill(to.doubts.*member, from.doubts.*member);
  if (to.ftio.empty()) to.ftio = from.ftio;
  fill(to.evidence.products, from.evidence.products);
  fill(to.evidence.blas, from.evidence.blas);
  fill(to.evidence.quota, from.evidence.quota);
  fill(to.evidence.waiting, from.evidence.waiting);
  for (auto member : {&Evidence::arithmetic, &Evidence::memory})
    fill(to.evidence.*member, from.evidence.*member);
  for (auto member : {&Evidence::latency, &Evidence::bandwidth})
    fill(to.evidence.*member, from.evidence.*member);
}

System merged(const Group& group) {
  System system = *group.front();
  if (group.size() == 1) return system;
  system.inputs = medians(group);
  system.source = "median of " + std::to_string(group.size()) + " runs";
  for (const System* other : group) {
    fill_gaps(*other, system);
    system.doubts.optimised = system.doubts.optimised || other->doubts.optimised;
    system.doubts.borrowed_hpl = system.doubts.borrowed_hpl || other->doubts.borrowed_hpl;
    system.doubts.failed.insert(other->doubts.failed.begin(), other->doubts.failed.end());
    system.doubts.unverified.insert(other->doubts.unverified.begin(), other->doubts.unverified.end());
    system.doubts.subset.insert(other->doubts.subset.begin(), other->doubts.subset.end());
    system.doubts.shortened.insert(other->doubts.shortened.begin(), other->doubts.shortened.end());
    system.doubts.cached.insert(other->doubts.cached.begin(), other->doubts.cached.end());
    system.doubts.withheld.insert(other->doubts.withheld.begin(), other->doubts.withheld.end());
    for (const auto& [quantity, words] : other->doubts.remarks)
      system.doubts.remarks[quantity].insert(words.begin(), words.end());
    system.doubts.not_run.insert(other->doubts.not_run.begin(), other->doubts.not_run.end());
    system.doubts.needs_memory.insert(other->doubts.needs_memory.begin(), other->doubts.needs_memory.end());
    system.doubts.oversubscribed = system.doubts.oversubscribed || other->doubts.oversubscribed;
  }
  const auto measured = [&](const auto& one) { return system.inputs.get(one.first).has_value(); };
  std::erase_if(system.doubts.withheld, measured);
  std::erase_if(system.doubts.not_run, measured);
  std::erase_if(system.doubts.needs_memory,
                [&](Quantity one) { return !system.doubts.not_run.contains(one); });
  if (const System* best = of_largest_io(group)) take_io(*best, system);
  return system;
}

/// Short name of a source: "mine" for "mine/result.jsonl" and for "mine"; the file's own name if it
/// stands in no directory.
std::string short_name(const std::string& source) {
  const std::filesystem::path path = std::filesystem::path(source).lexically_normal();
  const bool records = path.filename().string().starts_with("result.jsonl");
  const auto place = records || path.filename().empty() ? path.parent_path() : path;
  return place.filename().empty() ? source : place.filename().string();
}

bool all_different(const std::vector<std::string>& words) {
  return std::ranges::none_of(words, &std::string::empty) &&
         std::set(words.begin(), words.end()).size() == words.size();
}

/// Words that tell machines of one name apart, in the order of the systems.
std::vector<std::string> distinctions(const std::vector<const System*>& machines) {
  std::vector<std::string> words;
  for (auto* word :
       {+[](const System& one) { return short_name(one.source); },
        +[](const System& one) { return one.source; }, +[](const System& one) { return one.started; }}) {
    words.clear();
    for (const System* one : machines) words.push_back(word(*one));
    if (all_different(words)) return words;
  }
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::to_string(i + 1);
  return words;
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

void rename(System& system, const std::string& name) {
  const bool follows = system.curve.starts_with(system.name);
  system.curve = follows ? name + system.curve.substr(system.name.size()) : name;
  system.name = name;
}

std::vector<System> joined_runs(std::vector<System> systems, Joined how) {
  if (how == Joined::all)
    for (System& system : systems) {
      rename(system, std::string(systems.front().name));
      system.campaign = "one machine";
    }
  std::vector<Group> groups;
  for (const System& system : systems) {
    const auto found = std::ranges::find_if(groups, [&](const Group& group) {
      const System& first = *group.front();
      return machine_of(first) == machine_of(system) && layout_of(first) == layout_of(system) &&
             are_of_one_kind(first, system);
    });
    if (found == groups.end())
      groups.push_back({&system});
    else
      found->push_back(&system);
  }
  std::vector<System> list;
  for (const Group& group : groups) list.push_back(merged(group));
  return list;
}

void make_names_unique(std::vector<System>& systems) {
  std::set<std::string> names;
  for (const System& system : systems) names.insert(system.name);
  for (const std::string& name : names) {
    std::vector<const System*> machines;
    for (const System& system : systems)
      if (system.name == name && std::ranges::none_of(machines, [&](const System* one) {
            return machine_of(*one) == machine_of(system);
          }))
        machines.push_back(&system);
    if (machines.size() < 2) continue;
    const auto words = distinctions(machines);
    std::vector<std::pair<decltype(machine_of(systems.front())), std::string>> renamed;
    for (std::size_t i = 0; i < machines.size(); ++i)
      renamed.emplace_back(machine_of(*machines[i]), name + " (" + words[i] + ")");
    for (System& system : systems)
      if (const auto found =
              std::ranges::find(renamed, machine_of(system), [](const auto& one) { return one.first; });
          found != renamed.end())
        rename(system, found->second);
  }
}

}  // namespace steelyard::balance
