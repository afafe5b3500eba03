// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <climits>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "record/point_view.hpp"
#include "suites/imb/io/rules.hpp"
#include "suites/imb/mt/partners.hpp"
#include "suites/imb/p2p/sequence.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/sides.hpp"
#include "units/text.hpp"

namespace steelyard::imb {
namespace {

using suites::BlockPlan;
using suites::PointPlan;

// Number of times that each key has been planned: a size or a benchmark that the user repeats is an
// experiment of its own.
using Occurrences = std::map<std::string, std::int64_t, std::less<>>;

struct Where {
  const Part& part;
  const Settings& settings;
  const Definition& definition;
  int processes = 1;
  int groups = 1;
  Mode mode = Mode::none;
  const suites::Rates* rates = nullptr;
};

// Processes that one repetition reaches.
int targets(const Where& where) {
  return std::max(where.processes - 1, 1);
}

/// Whether a file is accessed by collective calls.
bool called_together(const Where& where) {
  return where.part.files && where.definition.kind == Class::collective && where.processes > 1;
}

/// Seconds of an operation without its bytes: a transfer of an aggregate is one of many, any other one stands
/// between two synchronisations; a file is opened, or called once and synchronised where it counts.
double latency_s(const Where& where) {
  const auto& rates = *where.rates;
  if (where.part.files)
    return where.definition.kind == Class::sync
               ? rates.file_open_s
               : (called_together(where) ? rates.file_together_call_s : rates.file_call_s) + rates.barrier_s;
  if (!where.definition.one_sided) return std::max(rates.message_s, rates.far_message_s);
  if (where.definition.completed_at_end) return rates.queued_put_s * targets(where);
  if (where.definition.table == Table::h) return 2 * (rates.one_sided_s + rates.barrier_s);
  return where.mode == Mode::aggregate ? rates.queued_put_s : rates.one_sided_s;
}

/// Whether only the calls are left, as in an aggregate of nothing.
bool nothing_travels(const Where& where, Bytes size) {
  return size.count() == 0 && where.definition.one_sided && !where.definition.reduction &&
         complete_together(where.definition, where.mode);
}

double byte_s(const Where& where) {
  const auto& rates = *where.rates;
  if (called_together(where))
    return std::min(rates.file_together_write_byte_s, rates.file_together_read_byte_s);
  if (where.part.files) return std::min(rates.file_write_byte_s, rates.file_read_byte_s);
  return std::min(rates.exchange_byte_s, rates.far_exchange_byte_s);
}

/// Time of a point's memory, in multiples of what the survey's check takes for as much: up to four placements
/// are written, filled and compared. Most blocks of IMB-MPI1 and IMB-EXT took 1 to 2.7 times as long beside
/// their visits, the first ones of a suite, in pages never used before, 4 to 8.
constexpr double arenas_of_a_point = 2;
/// A file or window for the check, and a file that is opened again to be read.
constexpr double opened_by_a_check = 2;

/// Operations that are added to one: before it the same alone, and a computation of the same length that
/// it does not overlap.
constexpr double with_computation = 2;

/// Operation that is added to one for a comparison.
constexpr double with_comparison = 1;

double operations_of_one(const Definition& definition) {
  return 1 + (definition.with_computation ? with_computation : 0) +
         (definition.comparison != Comparison::none ? with_comparison : 0);
}

suites::CostModel cost(const Where& where, Bytes size) {
  const auto need = buffer_need(where.definition, where.settings.version, size, where.processes,
                                sections(where.settings, where.definition));
  const auto doublings = std::bit_width(static_cast<unsigned>(std::max(where.processes - 1, 1)));
  const bool collective = where.definition.kind == Class::collective || where.definition.kind == Class::sync;
  const bool tree = collective && !where.definition.passive;
  const bool in_flight =
      where.definition.kind == Class::message_rate || where.definition.table == Table::bands;
  const auto window = in_flight ? where.settings.window : 1;
  const double window_s = where.definition.one_sided ? where.rates->window_s : 0;
  const double open_s = where.part.files ? where.rates->file_open_s : window_s;
  const double times = operations_of_one(where.definition);
  // one target takes what all others accumulate, one after the other
  const bool gathered = collective && where.definition.one_sided && where.definition.reduction;
  const double reached = where.definition.completed_at_end || gathered ? targets(where) : 1;
  const double moved =
      size.count() == 0 ? 0.0 : times * reached * static_cast<double>(need.send + need.receive);
  const double operation_s = nothing_travels(where, size) ? 0 : latency_s(where);
  const int steps = gathered ? targets(where) : tree && !where.part.files ? static_cast<int>(doublings) : 1;
  return {.latency_s = times * operation_s * steps * std::max(window / 8, 1),
          .moved_byte = moved,
          .byte_s = byte_s(where),
          .visit_s = open_s,
          .check_s = opened_by_a_check * open_s + static_cast<double>(checked_repetitions(size)) * moved *
                                                      (1 / where.rates->checked_byte_s + 1 / byte_s(where))};
}

std::string key(const Where& where, const record::Params& params) {
  return record::make_key(where.part.name, where.definition.name, where.processes, where.settings.threads,
                          where.groups, params);
}

void name_point(const Where& where, Occurrences& occurrences, PointPlan& point) {
  point.key = key(where, point.params);
  const auto occurrence = ++occurrences[point.key];
  if (occurrence == 1) return;
  point.params["occurrence"] = occurrence;
  point.key = key(where, point.params);
}

void check_memory(const Settings& settings, PointPlan& point) {
  if (!settings.memory || point.memory_byte <= settings.memory->count()) return;
  point.skip = record::ReasonCode::memory;
  point.needed_byte = point.memory_byte;
  point.available_byte = settings.memory->count();
  point.skip_text = "needs " + std::to_string(point.needed_byte) + " byte per process, allowed are " +
                    std::to_string(point.available_byte);
}

// The library adds up the counts of all ranks in an int, and a vector in rank order cannot be cut into
// pieces; pieces of an operation that is started would be several operations.
void check_counts(const Where& where, Bytes size, PointPlan& point) {
  const auto& definition = where.definition;
  const bool scatters = definition.reduction && (definition.send == Side::per_rank ||
                                                 definition.receive == Side::reduce_scatter_piece);
  const bool whole = definition.reduction && where.part.started;
  if ((!scatters && !whole) || point.skip == record::ReasonCode::memory) return;
  const auto need = buffer_need(definition, where.settings.version, size, where.processes,
                                sections(where.settings, definition));
  if (need.send / size_of(where.settings.reduction_type) <= INT_MAX) return;
  point.skip = record::ReasonCode::unsupported;
  point.skip_text = scatters
                        ? "more than 2^31 - 1 elements over all ranks in one reduction with scattered result"
                        : "more than 2^31 - 1 elements in one reduction that is started and waited for";
}

void check_library(const Where& where, PointPlan& point) {
  const std::string reason = obstacle(where.settings, where.definition);
  if (reason.empty()) return;
  point.skip = record::ReasonCode::unsupported;
  point.skip_text = reason;
}

// Adds the grid that the library makes of so many processes; no parameter if there is no library yet.
void add_topology(const Settings& settings, int processes, PointPlan& point) {
  auto sides = settings.cart.sides;
  if (sides.empty() && settings.sides_of_grid)
    sides = settings.sides_of_grid(processes, settings.cart.dimensions);
  if (!sides.empty()) point.params["topology"] = text(Cart{settings.cart.dimensions, sides});
  point.params["neighbours"] = std::int64_t{neighbours(settings)};
}

// Beginning of the names of the library's functions that this benchmark needs; empty for those that
// every library has.
std::string form_of(const Settings& settings, Family family) {
  switch (family) {
    case Family::usual: return {};
    case Family::partitioned: return "MPI_";
    case Family::persistent_collectives:
    case Family::persistent_neighbours: break;
  }
  return settings.persistent_form;
}

// Bytes that a process allocates for so many operations. Buffers of files are not kept out of cache, and each read
// that is under way has a section of its own.
std::int64_t memory_byte(const Where& where, Bytes size, std::uint64_t operations) {
  const auto& [part, settings, definition, processes, groups, mode, rates] = where;
  if (!part.files)
    return in_memory(settings.threads,
                     sides(settings, definition, size, processes, operations, mode).memory_byte());
  const auto need = buffer_need(definition, settings.version, size, processes, settings.window);
  return in_memory(sections(settings, definition, operations), need.send + need.receive);
}

PointPlan make_point(const Where& where, const PointSpec& what, Occurrences& occurrences) {
  const auto& [part, settings, definition, processes, groups, mode, rates] = where;
  const Bytes size = what.size;
  PointPlan point;
  point.params = identity(part, settings, definition, what);
  point.specification = what;
  name_point(where, occurrences, point);
  if (definition.neighbours) add_topology(settings, processes, point);
  if (const auto form = form_of(settings, definition.family); !form.empty()) point.params["form"] = form;
  if (definition.pairs) point.params["pairs"] = std::int64_t{processes / 2};
  if (definition.dimensions > 0)
    point.params["grid"] =
        text(grid(definition.dimensions, processes).value_or(Grid{}), definition.dimensions);
  const bool threads = definition.kind == Class::threads;
  if (threads)
    point.params["taking_part"] = std::int64_t{taking_part(definition, processes, settings.stride)};
  const auto counted_bytes = threads ? thread_volume(definition, settings, size, processes).bytes
                                     : counted_byte(definition, size, processes, settings.window);
  if (counted_bytes != 0 && counted_bytes != size.count()) point.params["count_byte"] = counted_bytes;
  point.bytes = size.count();
  point.size_params = {std::string(part.size_name), "count_byte"};
  point.classic_operations = planned_repetitions(settings, definition, size, processes, mode);
  if (complete_together(definition, mode)) point.bundle = point.classic_operations;
  point.memory_byte = memory_byte(where, size, point.classic_operations);
  point.cost = cost(where, size);
  point.cost.check_s += arenas_of_a_point * static_cast<double>(point.memory_byte) / rates->checked_byte_s;
  check_memory(settings, point);
  check_counts(where, size, point);
  check_library(where, point);
  return point;
}

BlockPlan too_few(const Where& where, Occurrences& occurrences) {
  PointPlan point;
  point.params = identity(where.part, where.settings, where.definition, PointSpec{});
  point.params.erase(std::string(where.part.size_name));
  point.specification = PointSpec{};
  name_point(where, occurrences, point);
  point.skip = record::ReasonCode::processes;
  point.skip_text =
      std::string(where.definition.name) + " cannot run with " + units::counted(where.processes, "process");
  if (where.definition.kind == Class::threads && where.settings.stride > 0)
    point.skip_text += " and a stride of " + std::to_string(where.settings.stride);
  if (where.definition.neighbours && !where.settings.cart.sides.empty())
    point.skip_text += " in a grid of " + text(where.settings.cart);
  return {.suite = std::string(where.part.name),
          .benchmark = std::string(where.definition.name),
          .processes = where.processes,
          .rank_order = {},
          .points = {std::move(point)}};
}

// A table without rows tells why in one.
PointPlan without_parts(const Where& where, Bytes size, Occurrences& occurrences) {
  const auto& parts = where.settings.partitions;
  std::string list;
  for (const int number : parts) list += (list.empty() ? "" : ",") + std::to_string(number);
  auto point = make_point(where, {size, where.mode, parts.front()}, occurrences);
  point.skip = record::ReasonCode::unsupported;
  point.skip_text = "no size can be cut into " + list + " equal parts of " +
                    std::to_string(smallest_partition) + " byte or more";
  check_library(where, point);
  return point;
}

BlockPlan make_block(const Where& where, const std::vector<int>& order, Occurrences& occurrences) {
  BlockPlan block{.suite = std::string(where.part.name),
                  .benchmark = std::string(where.definition.name),
                  .processes = where.processes,
                  .groups = where.groups,
                  .rank_order = order,
                  .files = where.part.files,
                  .points = {}};
  const auto all = sizes(where.settings, where.definition);
  for (const auto size : all)
    for (const int parts : partitions(where.settings, where.definition, size))
      block.points.push_back(make_point(where, {size, where.mode, parts}, occurrences));
  if (block.points.empty() && !all.empty())
    block.points.push_back(without_parts(where, all.front(), occurrences));
  return block;
}

std::vector<int> order_of(const Settings& settings, int world) {
  if (!settings.map) return {};
  const auto [p, q] = *settings.map;
  if (std::int64_t{p} * q == world) return rank_order(p, q);
  std::string divisors;
  for (int d = 1; d <= world; ++d)
    if (world % d == 0) divisors += (divisors.empty() ? "" : ", ") + std::to_string(d);
  throw std::invalid_argument("map " + std::to_string(p) + "x" + std::to_string(q) + " does not hold " +
                              units::counted(world, "process") + ": both numbers must be divisors (" +
                              divisors + ") whose product is " + std::to_string(world));
}

bool possible(const Settings& settings, const Definition& definition, int processes) {
  const auto& sides = settings.cart.sides;
  if (definition.neighbours && !sides.empty())
    return std::accumulate(sides.begin(), sides.end(), std::int64_t{1}, std::multiplies<>{}) == processes;
  const bool pairs_of_threads = definition.kind == Class::threads && definition.pairs;
  if (pairs_of_threads) return taking_part(definition, processes, settings.stride) > 0;
  return possible(definition, processes);
}

// Numbers that the user gave, as far as this benchmark can run with them.
std::vector<int> chosen_numbers(const std::vector<int>& wanted, const Definition& definition, int world) {
  std::vector<int> numbers;
  for (const int processes : wanted) {
    const int usable = definition.kind == Class::message_rate ? processes - processes % 2 : processes;
    if (usable >= definition.fewest && usable <= world && std::ranges::find(numbers, usable) == numbers.end())
      numbers.push_back(usable);
  }
  return numbers;
}

}  // namespace

std::vector<int> process_numbers(const Settings& settings, const Definition& definition, int world) {
  const bool pair = definition.kind == Class::single_transfer || definition.kind == Class::single_element;
  if (settings.processes && !pair) return chosen_numbers(*settings.processes, definition, world);
  return process_series(definition, world, settings.npmin);
}

bool has_sizes(const Definition& definition) {
  const bool threads_alone = definition.kind == Class::threads && definition.receive == Side::none;
  return definition.kind != Class::sync && !threads_alone;
}

std::vector<Bytes> sizes(const Settings& settings, const Definition& definition) {
  if (!has_sizes(definition)) return {Bytes{0}};
  if (definition.usual_sizes && settings.usual_sizes && !settings.sizes.listed)
    return sizes(*definition.usual_sizes, settings.sizes.zero);
  if (definition.kind == Class::single_element) return {Bytes{size_of(element_type(settings, definition))}};
  return sizes(settings.sizes, std::max(definition.step, size_of(element_type(settings, definition))));
}

std::vector<int> partitions(const Settings& settings, const Definition& definition, Bytes size) {
  if (!definition.partitions) return {1};
  std::vector<int> numbers;
  for (const int parts : settings.partitions)
    if (size.count() % parts == 0 && size.count() / parts >= smallest_partition) numbers.push_back(parts);
  return numbers;
}

std::vector<Mode> modes(const Settings& settings, const Definition& definition) {
  if (definition.modes == Modes::none) return {Mode::none};
  if (definition.modes == Modes::only_aggregate) return {Mode::aggregate};
  if (settings.mode != Mode::none) return {settings.mode};
  if (definition.passive) return {Mode::non_aggregate, Mode::aggregate};
  return {Mode::aggregate, Mode::non_aggregate};
}

bool complete_together(const Definition& definition, Mode mode) {
  if (definition.completed_at_end) return true;
  return mode == Mode::aggregate && (definition.modes == Modes::both || definition.rows_at_once);
}

Mode mode_of(const record::Params& params) {
  const auto word = record::word_of(record::find(params, "mode"));
  if (word.empty()) return Mode::none;
  return word == text(Mode::aggregate) ? Mode::aggregate : Mode::non_aggregate;
}
Mode mode_of(const suites::BlockPlan& block) {
  return block.points.empty() ? Mode::none : block.points.front().spec<PointSpec>().mode;
}

// Adds the parameters of a pattern that are not the default; what the number of processes says is not told.
void add_pattern(const Settings& settings, const Definition& definition, record::Params& params) {
  if (!settings.writes) params["msgwr"] = std::string("off");
  if (!settings.reads) params["msgrd"] = std::string("off");
  const bool random = definition.random_pairs || definition.name == "Corandom";
  if (random && settings.seed != 0) params["seed"] = static_cast<std::int64_t>(settings.seed);
}

void add_threads(const Settings& settings, const Definition& definition, record::Params& params) {
  constexpr std::string_view allocations[] = {"serial", "continuous", "parallel"};
  constexpr std::string_view barriers[] = {"on", "off", "special"};
  if (settings.stride != 0 && definition.messages > 0) params["stride"] = std::int64_t{settings.stride};
  if (definition.table == Table::bands) params["window"] = std::int64_t{settings.window};
  if (settings.gap != GapBarrier::on && definition.name != "BarrierMT")
    params["barrier"] = std::string(barriers[static_cast<std::size_t>(settings.gap)]);
  if (settings.threads > 1 && settings.allocation != Allocation::parallel)
    params["malloc_algo"] = std::string(allocations[static_cast<std::size_t>(settings.allocation)]);
}

void add_partitions(const Settings& settings, const Definition& definition, int parts,
                    record::Params& params) {
  params["partitions"] = std::int64_t{parts};
  if (settings.part_order != PartOrder::forward)
    params["pready"] = std::string(part_orders[static_cast<std::size_t>(settings.part_order)]);
  if (settings.part_call != PartCall::one)
    params["pready_call"] = std::string(part_calls[static_cast<std::size_t>(settings.part_call)]);
  if (settings.part_threads) params["pready_by"] = std::string("threads");
  if (definition.comparison != Comparison::whole_message) return;
  params["noise"] = settings.noise;
  params["noise_model"] = std::string(noise_models[static_cast<std::size_t>(settings.noise_model)]);
}

record::Params identity(const Part& part, const Settings& settings, const Definition& definition,
                        const PointSpec& what) {
  const auto& [size, mode, parts] = what;
  record::Params params;
  if (settings.multi == 1) params["group"] = std::int64_t{0};
  if (settings.map)
    params["map"] = std::to_string(settings.map->first) + "x" + std::to_string(settings.map->second);
  if (definition.with_computation && settings.progress_calls > 0)
    params["progress_calls"] = static_cast<std::int64_t>(settings.progress_calls);
  if (definition.kind == Class::threads) add_threads(settings, definition, params);
  if (!has_sizes(definition)) return params;
  if (mode != Mode::none) params["mode"] = std::string(text(mode));
  params[std::string(part.size_name)] = size.count();
  if (definition.kind == Class::pattern) add_pattern(settings, definition, params);
  if (definition.partitions) add_partitions(settings, definition, parts, params);
  if (definition.neighbours) params["cart"] = text(settings.cart);
  params["type"] = std::string(mpi_name(element_type(settings, definition), definition.reduction));
  if (definition.reduction) params["op"] = std::string("MPI_SUM");
  if (definition.rooted) params["root"] = std::string(settings.root_shift ? "shift" : "zero");
  if (definition.kind == Class::collective && !definition.one_sided && settings.sync)
    params["sync"] = std::string("on");
  if (definition.kind == Class::message_rate) params["window"] = std::int64_t{settings.window};
  if (settings.outstanding && complete_together(definition, mode))
    params["outstanding"] = static_cast<std::int64_t>(*settings.outstanding);
  if (settings.off_cache.on() && !part.files) {
    params["off_cache_byte"] = settings.off_cache.cache_byte;
    params["off_cache_line_byte"] = settings.off_cache.line_byte;
  }
  if (part.files && settings.drop_cache) params["cache"] = std::string("dropped");
  if (definition.overlapped && settings.balance_overlap) params["computation"] = std::string("balanced");
  if (settings.contiguous_type != ContiguousType::base)
    params["contiguous_type"] = std::string(text(settings.contiguous_type));
  return params;
}

std::vector<BlockPlan> PartDefinition::plan(std::span<const std::string> benchmarks,
                                            const suites::World& place) const {
  const int world = place.processes;
  const auto order = order_of(settings_, world);
  Occurrences occurrences;
  std::vector<BlockPlan> blocks;
  for (const auto& name : benchmarks) {
    const auto* definition = find(*part_, name);
    if (definition == nullptr)
      throw std::invalid_argument(std::string(part_->name) + " has no benchmark '" + name + "'");
    const auto numbers = process_numbers(settings_, *definition, world);
    if (numbers.empty()) blocks.push_back(too_few({*part_, settings_, *definition, world}, occurrences));
    for (const int processes : numbers) {
      if (!possible(settings_, *definition, processes)) {
        blocks.push_back(too_few({*part_, settings_, *definition, processes}, occurrences));
        continue;
      }
      for (const Mode mode : modes(settings_, *definition))
        blocks.push_back(make_block({*part_, settings_, *definition, processes,
                                     settings_.multi ? world / processes : 1, mode, &place.rates},
                                    order, occurrences));
    }
  }
  return blocks;
}

std::vector<suites::RateGroup> PartDefinition::rate_groups() const {
  using enum suites::RateGroup;
  std::vector<suites::RateGroup> groups{messages};
  if (part_->files) groups.push_back(files);
  if (std::ranges::any_of(part_->benchmarks, &Definition::one_sided)) groups.push_back(one_sided);
  return groups;
}

std::unique_ptr<suites::Suite> definition(const Part& part, const Settings& settings) {
  return std::make_unique<PartDefinition>(part, settings);
}

}  // namespace steelyard::imb
