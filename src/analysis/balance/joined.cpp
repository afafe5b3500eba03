// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/joined.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "stats/order.hpp"

namespace steelyard::balance {
namespace {

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
