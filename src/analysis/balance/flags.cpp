// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/flags.hpp"

#include <algorithm>
#include <array>

#include "analysis/warnings.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

struct Named {
  Flag flag;
  std::string_view word, text;
};
/// In the order of the enumeration.
constexpr auto named = std::to_array<Named>({
    {Flag::one_node, "one node", "message passing stays in shared memory; the network was not judged"},
    {Flag::few_nodes, "few nodes",
     "fewer than 8 nodes: part of the random ring stays inside nodes; see the inter-node balance"},
    {Flag::unsaturated, "unsaturated",
     "the processes may not saturate the network of their node: the ratio is a lower bound"},
    {Flag::borrowed_hpl, "borrowed HPL", "HPL is from another run or another layout than the other values"},
    {Flag::hpl_grid, "HPL grid", "HPL used another number of processes; its rate was scaled to all of them"},
    {Flag::subset, "subset", "measured by a part of the processes and used unscaled"},
    {Flag::cache, "in the cache",
     "STREAM's arrays are smaller than four times the last-level cache, or than 10^6 elements"},
    {Flag::failed, "failed", "its verification failed: the value is shown and used for nothing"},
    {Flag::optimised, "not base", "not a base run: the published tables hold base runs only"},
    {Flag::oversubscribed, "oversubscribed", "more processes and threads than usable cores"},
    {Flag::weak_hpl, "weak HPL",
     "HPL is low for this machine or its matrix small: every ratio to HPL is overstated"},
    {Flag::short_run, "short run",
     "measured with a smaller problem or a shorter schedule than the rule asks for"},
    {Flag::adapters_unknown, "adapters unknown", "the number of network adapters per node is not recorded"},
    {Flag::nodes_unknown, "nodes unknown",
     "the number of nodes is unknown (--nodes): one or few nodes were not recognised"},
    {Flag::page_cache, "page cache",
     "the files lay in memory, at least for a half: the value is no disk's and is used for nothing"},
    {Flag::not_representative, "not representative",
     "measured at a size that says nothing about this machine: shown in a table of its own, used for "
     "nothing"},
});

constexpr bool flags_in_order() {
  for (std::size_t i = 0; i < named.size(); ++i)
    if (static_cast<std::size_t>(named[i].flag) != i + 1) return false;
  return true;
}
static_assert(flags_in_order());

constexpr auto every = [] {
  std::array<Flag, named.size()> flags{};
  for (std::size_t i = 0; i < named.size(); ++i) flags[i] = named[i].flag;
  return flags;
}();

const Named& entry(Flag flag) {
  return named[static_cast<std::size_t>(flag) - 1];
}

constexpr double enough_nodes = 8, saturated = 1.1;
constexpr double weak_share = 0.5, weak_fill = 0.3;
constexpr double cache_factor = 4, double_byte = 8;
constexpr double fewest_elements = 1e6;  // of STREAM, whatever the cache

const std::set<Quantity>& network() {
  static const std::set<Quantity> all = {
      random_ring_byte_s,  random_ring_latency_s,  natural_ring_byte_s, natural_ring_latency_s,
      pingpong_min_byte_s, pingpong_max_latency_s, b_eff_byte_s,        b_eff_lmax_byte_s};
  return all;
}

const std::set<Quantity>& stream() {
  static const std::set<Quantity> all = {stream_star_copy_byte_s, stream_star_scale_byte_s,
                                         stream_star_add_byte_s, stream_star_triad_byte_s,
                                         stream_single_triad_byte_s};
  return all;
}

bool alone_on_wide_nodes(const System& system) {
  const auto nodes = system.nodes();
  if (!nodes || *nodes < 2 || system.threads() > 1 || !system.doubts.cores) return false;
  const bool alone = std::ranges::all_of(system.processes_per_node, [](int m) { return m == 1; });
  return alone && !system.processes_per_node.empty() && *system.doubts.cores / *nodes > 1;
}

bool unsaturated(const System& system) {
  return alone_on_wide_nodes(system) || system.doubts.saturation_gain.value_or(1) >= saturated;
}

/// Whether STREAM's arrays on the fullest node are small for its last-level cache; if nodes are
/// unknown, all are on one.
bool fits_cache(const System& system) {
  const Doubts& doubts = system.doubts;
  if (!doubts.stream_elements) return false;
  if (*doubts.stream_elements < fewest_elements) return true;
  if (!doubts.node_cache_byte) return false;
  double most = system.processes() / system.nodes().value_or(1);
  for (const int m : system.processes_per_node) most = std::max(most, static_cast<double>(m));
  return double_byte * *doubts.stream_elements * most < cache_factor * *doubts.node_cache_byte;
}

bool weak_hpl(const System& system) {
  Reading read(system.inputs);
  if (read.hpl() < weak_share * read.accumulated(dgemm_star_flop_s)) return true;
  const auto memory = system.inputs.get(memory_byte);
  const auto order = system.doubts.hpl_order;
  return memory && order && read.has(hpl_flop_s) && double_byte * *order * *order < weak_fill * *memory;
}

bool oversubscribed(const System& system) {
  const auto cores = system.doubts.cores;
  return system.doubts.oversubscribed || (cores && system.processes() * system.threads() > *cores);
}

bool hpl_grid_differs(const System& system) {
  const auto grid = system.inputs.get(hpl_processes);
  return grid && *grid != system.processes();
}

template <class T>
std::set<Quantity> keys_of(const std::map<Quantity, T>& map) {
  std::set<Quantity> keys;
  for (const auto& [quantity, value] : map) keys.insert(quantity);
  return keys;
}

class Collector {
 public:
  void add(bool holds, Flag flag, std::set<Quantity> quantities = {}) {
    if (holds) list_.push_back({flag, std::move(quantities)});
  }
  [[nodiscard]] std::vector<Flagged> take() { return std::move(list_); }

 private:
  std::vector<Flagged> list_;
};

}  // namespace

std::string code(Flag flag) {
  return 'V' + std::to_string(static_cast<int>(flag));
}

std::span<const Flag> every_flag() {
  return every;
}

std::string_view word(Flag flag) {
  return entry(flag).word;
}

std::string_view text(Flag flag) {
  return entry(flag).text;
}

std::vector<Flagged> flags(const System& system) {
  const Doubts& doubts = system.doubts;
  const auto nodes = system.nodes();
  Collector found;
  found.add(system.one_node(), Flag::one_node, network());
  found.add(nodes && *nodes >= 2 && *nodes < enough_nodes, Flag::few_nodes, network());
  found.add(unsaturated(system), Flag::unsaturated, network());
  found.add(doubts.borrowed_hpl || system.status == Status::mixed, Flag::borrowed_hpl, {hpl_flop_s});
  found.add(hpl_grid_differs(system), Flag::hpl_grid, {hpl_flop_s});
  found.add(!doubts.subset.empty(), Flag::subset, doubts.subset);
  found.add(fits_cache(system), Flag::cache, stream());
  found.add(!doubts.failed.empty(), Flag::failed, doubts.failed);
  found.add(doubts.optimised, Flag::optimised);
  found.add(oversubscribed(system), Flag::oversubscribed);
  found.add(weak_hpl(system), Flag::weak_hpl, {hpl_flop_s});
  found.add(!doubts.shortened.empty(), Flag::short_run, doubts.shortened);
  found.add(!doubts.adapters_per_node && nodes != 1.0, Flag::adapters_unknown);
  found.add(!nodes, Flag::nodes_unknown, network());
  found.add(!doubts.cached.empty(), Flag::page_cache, keys_of(doubts.cached));
  found.add(!doubts.withheld.empty(), Flag::not_representative, keys_of(doubts.withheld));
  return found.take();
}

bool has(std::span<const Flagged> flags, Flag flag) {
  return std::ranges::find(flags, flag, &Flagged::flag) != flags.end();
}

std::vector<Flag> touching(std::span<const Flagged> flags, std::span<const Quantity> used) {
  std::vector<Flag> list;
  for (const Flagged& flagged : flags)
    if (std::ranges::any_of(used, [&](Quantity q) { return flagged.quantities.contains(q); }))
      list.push_back(flagged.flag);
  return list;
}

bool parenthesised(std::span<const Flag> flags) {
  constexpr std::array doubtful = {Flag::one_node, Flag::borrowed_hpl, Flag::cache, Flag::failed,
                                   Flag::page_cache};
  return std::ranges::any_of(flags, [&](Flag f) { return std::ranges::find(doubtful, f) != doubtful.end(); });
}

bool left_out(std::span<const Flag> flags) {
  return std::ranges::any_of(
      flags, [](Flag f) { return f == Flag::one_node || f == Flag::failed || f == Flag::page_cache; });
}

std::string codes(std::span<const Flag> flags) {
  std::string text;
  for (const Flag flag : flags) text += (text.empty() ? "" : "+") + code(flag);
  return text;
}

std::string words(std::span<const Flag> flags) {
  std::string text;
  for (const Flag flag : flags)
    text.append(text.empty() ? "" : ", ").append(code(flag)).append(" ").append(word(flag));
  return text;
}

std::string doubt_words(const System& system, Quantity quantity) {
  const Doubts& doubts = system.doubts;
  std::string text;
  const auto add = [&](bool holds, const std::string& words) {
    if (holds) text += (text.empty() ? "" : ", ") + words;
  };
  if (const auto held = doubts.withheld.find(quantity); held != doubts.withheld.end())
    add(true, held->second.doubts.empty() ? "too small to stand for this machine" : held->second.doubts);
  add(doubts.failed.contains(quantity), "wrong data");
  add(doubts.cached.contains(quantity), "of files in memory");
  add(fits_cache(system) && stream().contains(quantity), "in the cache");
  add(doubts.shortened.contains(quantity), "less than the rules ask");
  add(doubts.subset.contains(quantity), "by a part of the processes");
  const double width = system.inputs.half_width(quantity).value_or(0);
  add(width > analysis::wide_half_width, "interval of +-" + units::format_fixed(100 * width, 0) + " %");
  add(doubts.oversubscribed && quantity != memory_byte, "more processes than cores");
  if (const auto found = doubts.remarks.find(quantity); found != doubts.remarks.end())
    for (const std::string& words : found->second) add(true, words);
  return text;
}

bool is_strict(Flag flag) {
  return (flag >= Flag::borrowed_hpl && flag <= Flag::short_run) || flag >= Flag::page_cache;
}

}  // namespace steelyard::balance
