// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "words/checks.hpp"
#include "measuring/compute_threads.hpp"
#include "errors.hpp"
#include "hpcc/words.hpp"
#include "hpcc/hpl_words.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/fit.hpp"

namespace steelyard::cli {
namespace {

constexpr std::int64_t quick_mebibyte = 64;  // per process, at most
constexpr std::int64_t largest_order = std::int64_t{1} << 31;

// The largest need of a test is 1.5 times the matrix of the linear solver, which takes 0.8 of the memory that its rule
// is given.
constexpr double rule_share = 1 / 1.2;

std::int64_t mebibyte_of_process(const Values& values, const CampaignShare& share, const Place& place) {
  if (const auto said = values.size("memory")) return *said / mebi;
  const auto all = static_cast<std::int64_t>(static_cast<double>(place.memory_byte) * rule_share) / mebi.count();
  if (all == 0) return quick_mebibyte;
  return share.hurry ? std::min(all, quick_mebibyte) : all;
}

std::vector<hpcc::Grid> grids(std::string_view word, int processes) {
  auto grids = parse_grids(word);
  for (const auto& grid : grids)
    if (grid.processes() > processes)
      throw UsageError("--hpcc-grid: " + std::to_string(grid.rows) + "x" + std::to_string(grid.columns) +
                       " are more than the " + std::to_string(processes) + " processes of this run");
  return grids;
}

void set_rank(const Values& values, int processes, hpcc::Settings& settings) {
  const auto rank = values.count("single-rank");
  if (!rank) return;
  if (*rank >= processes)
    throw UsageError("--single-rank: " + std::to_string(*rank) + " is none of " + std::to_string(processes) +
                     " processes");
  settings.single_rank = static_cast<int>(*rank);
}

/// A base run has no algorithms but those of the input file.
void refuse_library_in_base(const hpcc::Settings& settings) {
  const bool library = settings.solver.swap == hpcc::hpl::Swap::automatic ||
                       std::ranges::find(settings.solver.broadcast, hpcc::hpl::Broadcast::automatic) !=
                           settings.solver.broadcast.end();
  if (library && settings.form == hpcc::Form::base)
    throw UsageError("--hpl-bcast auto and --hpl-swap auto are no part of a base run", "leave out --base");
}

/// An order that fits into the share of the campaign's time, or without one into the memory.
hpcc::Settings with_order(hpcc::Settings settings, const Values& values, const CampaignShare& share,
                          const Place& place) {
  const auto memory = mebibyte_of_process(values, share, place);
  if (share.seconds && !values.said("memory"))
    return hpcc::fitted(std::move(settings), share.benchmarks, place.processes, memory, *share.seconds);
  settings.problem.orders = {hpcc::default_order(memory, settings.problem.grids.front())};
  return settings;
}

}  // namespace

std::vector<std::int64_t> parse_orders(std::string_view word) {
  std::vector<std::int64_t> orders;
  for (const auto& one : comma_words(word)) orders.push_back(units::parse_count(one, 1, largest_order));
  if (orders.empty()) throw units::ParseError("'" + std::string(word) + "' names no number");
  return orders;
}

std::vector<hpcc::Grid> parse_grids(std::string_view word) {
  std::vector<hpcc::Grid> grids;
  for (const auto& one : comma_words(word)) {
    const auto [rows, columns] = parse_map(one);
    grids.push_back({rows, columns});
  }
  if (grids.empty()) throw units::ParseError("'" + std::string(word) + "' names no grid (example: 2x4)");
  return grids;
}

void set_problem(const Values& values, int processes, hpcc::Problem& problem) {
  if (const auto word = values.word("hpcc-n")) problem.orders = parse_orders(*word);
  if (const auto word = values.word("hpcc-nb")) problem.blocks = parse_orders(*word);
  if (const auto word = values.word("hpcc-grid")) problem.grids = grids(*word, processes);
  if (problem.blocks.empty()) problem.blocks = {hpcc::default_block};
  if (problem.grids.empty()) problem.grids = {hpcc::default_grid(processes)};
}

void set_solver_conduct(const Values& values, const Place& place, hpcc::Settings& settings) {
  if (values.said("repeat")) settings.solver_repetitions = static_cast<int>(*values.count("repeat"));
  settings.node_share_byte = place.node_share_byte;
  settings.threads = compute_threads(values);
  if (values.on("blas-trial")) settings.blas_choice = hpcc::BlasChoice::fastest;
}

void set_conduct(const Values& values, const Place& place, hpcc::Settings& settings) {
  set_solver_conduct(values, place, settings);
  settings.form = values.on("base") ? hpcc::Form::base : hpcc::Form::optimized;
  refuse_library_in_base(settings);
  if (values.on("hpcc-strict")) settings.limit = hpcc::LengthLimit::strict;
  if (values.on("fft-235")) settings.fft = hpcc::Smoothness::two_three_five;
  settings.seed = static_cast<std::uint64_t>(*values.count("seed"));
  settings.repetitions = static_cast<int>(*values.count("repeat"));
  settings.update_bound_s = values.duration("ra-time-bound")->value();
  settings.latency.random_rings = static_cast<int>(*values.count("ring-patterns"));
  set_rank(values, place.processes, settings);
}

hpcc::Settings hpcc_settings(const Values& values, const CampaignShare& share, const Place& place) {
  hpcc::Settings settings;
  set_problem(values, place.processes, settings.problem);
  settings.last_level_cache_byte = place.cache.cache_byte;
  set_solver(values, settings);
  set_conduct(values, place, settings);
  settings = hpcc::as_built(std::move(settings));
  const bool derived = settings.problem.orders.empty();
  if (derived) settings = with_order(std::move(settings), values, share, place);
  auto& problem = settings.problem;
  if (!values.said("hpcc-nb")) problem = hpcc::with_suitable_block(std::move(problem));
  if (derived) problem.orders = {hpcc::rounded_order(problem.orders.front(), problem.blocks.front())};
  return settings;
}

}  // namespace steelyard::cli
