// SPDX-License-Identifier: Apache-2.0
#include "hpcc/options.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "measuring/computing.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/fit.hpp"
#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/input/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr std::size_t of_the_problem = 5;  // number of its options, the first ones

std::vector<std::int64_t> parse_orders(std::string_view word) {
  return parse_counts(word, 0);
}

constexpr Option hpcc_options[] = {
    {"hpcc-n", Kind::special, "orders of the linear system, from which the sizes of all tests follow",
     Argument{"N[,N]"}, FallbackText{"from the memory; none in hpcc and hpl"}, parses<parse_orders>},
    {"hpcc-nb", Kind::special, "block sizes of the matrices", Argument{"NB[,NB]"},
     FallbackText{"the fastest of a trial; in hpcc and hpl 80"}, parses<parse_blocks>},
    {"hpcc-grid", Kind::special, "grids of processes", Argument{"PxQ[,PxQ]"},
     FallbackText{"as square as the processes allow"}, parses<parse_grids>},
    {"blas", Kind::special,
     "which BLAS computes DGEMM and HPL: the fastest of those installed and of their kernels for this "
     "processor, by a trial of half a second; the one that the program was built with; or this one",
     Argument{"fastest|as-linked|FILE[:KERNEL]"},
     FallbackText{"fastest; as-linked with --base and in hpcc and hpl"}, parses<parse_blas>},
    {"blas-trial", "the same as --blas fastest"},
    {"base", "the reference's algorithms instead of the best ones that the published rules allow"},
    {"hpcc-strict",
     "as in the reference: vectors of at most 2^30 elements; figures of the first execution, after one of a "
     "64th of the size"},
    {"fft-235", "transforms of lengths with the factors 2, 3 and 5 instead of powers of two"},
    {"repeat", Kind::count,
     "executions of each test of HPC Challenge whose rule does not say how many; of the linear solver 1 "
     "unless this is said",
     Argument{"R"}, Fallback{"3"}, Within{1, 1000}},
    {"single-rank", Kind::count, "process that runs the Single tests", Argument{"RANK"},
     FallbackText{"drawn by the seed"}, Within{0, 1 << 24}},
    {"ra-time-bound", Kind::duration,
     "longest time of one execution of MPIRandomAccess; longer ones do fewer updates", Fallback{"60s"}},
    {"ring-patterns", Kind::count, "random rings of the latency test", Fallback{"30"}, Within{1, 1000}},
};

constexpr std::int64_t unknown_mebibyte = 64;  // per process, if nothing tells it

// The largest need of a test is 1.5 times the matrix of the linear solver, which takes 0.8 of the memory that is
// given to its rule.
constexpr double rule_share = 1 / 1.2;

std::int64_t mebibyte_of_process(const Values& values, const Place& place) {
  if (const auto said = values.size("memory")) return *said / mebi;
  const auto all =
      static_cast<std::int64_t>(static_cast<double>(place.memory_byte) * rule_share) / mebi.count();
  return all > 0 ? all : unknown_mebibyte;
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

/// Refuses collectives of the MPI library in a base run, which has only the algorithms of the input file.
void refuse_library_in_base(const hpcc::Settings& settings) {
  const bool library = settings.solver.swap == hpcc::hpl::Swap::automatic ||
                       std::ranges::find(settings.solver.broadcast, hpcc::hpl::Broadcast::automatic) !=
                           settings.solver.broadcast.end();
  if (library && settings.form == hpcc::Form::base)
    throw UsageError("--hpl-bcast auto and --hpl-swap auto are no part of a base run", "leave out --base");
}

/// All settings of `run`, but for orders that nobody said.
hpcc::Settings rule_of(const Values& values, const Place& place) {
  hpcc::Settings settings;
  set_problem(values, place.processes, settings.problem);
  set_solver(values, settings);
  set_conduct(values, place, settings);
  settings.blas_wish = blas_wish(values, hpcc::BlasWish::Kind::fastest);
  settings.most_byte = place.memory_byte;
  settings.long_vectors = true;
  return hpcc::as_built(std::move(settings));
}

/// Whether the time of a campaign decides about sizes.
bool follows_time(const Values& values, const hpcc::Settings& settings) {
  return settings.problem.orders.empty() && !values.said("memory");
}

/// Settings with an order that fits into the memory if none was said, and with the best block for it if none was.
hpcc::Settings with_order(hpcc::Settings settings, const Values& values, const Place& place) {
  auto& problem = settings.problem;
  const bool derived = problem.orders.empty();
  if (derived)
    problem.orders = {
        hpcc::default_order(static_cast<double>(mebibyte_of_process(values, place)), problem.grids.front())};
  if (!values.said("hpcc-nb"))
    problem.blocks = {hpcc::hpl::best_block(place.survey.rates.panels, std::ranges::min(problem.orders))};
  if (derived) problem.orders = {hpcc::rounded_order(problem.orders.front(), problem.blocks.front())};
  return settings;
}

/// Words between commas, as many as a line of the input file may have. Throws units::ParseError.
std::vector<std::string> parse_list(std::string_view word) {
  auto words = comma_list(word);
  if (words.empty()) throw units::ParseError("'" + std::string(word) + "' names no value");
  if (words.size() > hpcc::most_input_values)
    throw units::ParseError("names " + std::to_string(words.size()) + " values, at most " +
                            std::to_string(hpcc::most_input_values) + " are possible");
  return words;
}

std::unique_ptr<suites::Suite> hpcc_of_run(const Values& values, const CampaignShare& share,
                                           const Place& place) {
  auto settings = rule_of(values, place);
  if (share.time && follows_time(values, settings))
    settings = hpcc::fitted(std::move(settings), share.benchmarks, place.world(), *share.time,
                            values.said("hpcc-nb"));
  else
    settings = with_order(std::move(settings), values, place);
  return hpcc::measurable_suite(settings);
}

std::optional<suites::TimeRange> hpcc_range(const Values& values, const CampaignShare& share,
                                            const Place& place) {
  const auto settings = rule_of(values, place);
  if (follows_time(values, settings))
    return hpcc::time_range(settings, share.benchmarks, place.world(), values.said("hpcc-nb"));
  const hpcc::Definition suite(with_order(settings, values, place));
  const double seconds = suites::prescribed_s(suite, share.benchmarks, place.world());
  return suites::TimeRange{seconds, seconds};
}

std::unique_ptr<suites::Suite> tiny_hpcc(int processes) {
  hpcc::Settings settings;
  settings.problem = {.orders = {128}, .blocks = {16}, .grids = {hpcc::default_grid(processes)}};
  settings.effort.repetitions = 1;
  settings.latency.random_rings = settings.bandwidth.random_rings = 2;
  return hpcc::measurable_suite(settings);
}

constexpr const Command* hpcc_front_ends[] = {&hpcc_command, &hpl_command};

namespace hpl = hpcc::hpl;
using Names = std::span<const std::string_view>;

constexpr auto most_value = hpcc::most_input_value;
// Words in the order of their codes.
constexpr std::string_view mappings[] = {"row", "column"};
constexpr std::string_view factorisations[] = {"left", "crout", "right"};
constexpr std::string_view broadcasts[] = {"1rg", "1rM", "2rg", "2rM", "Lng", "LnM", "auto"};
constexpr std::string_view swaps[] = {"bin-exch", "long", "mix", "auto"};
constexpr std::string_view forms[] = {"transposed", "plain"};

template <class Code>
Code code(std::string_view word, Names names) {
  const auto name = units::parse_word(word, names);
  return static_cast<Code>(std::ranges::find(names, name) - names.begin());
}

/// Code of a word; "auto" is the last one, for which the input file has no code.
template <class Code>
Code code_or_automatic(std::string_view word, Names names) {
  const auto found = code<Code>(word, names);
  return static_cast<std::size_t>(found) + 1 == names.size() ? Code::automatic : found;
}

template <class Code>
std::vector<Code> codes(std::string_view word, Names names) {
  std::vector<Code> all;
  for (const auto& one : parse_list(word)) all.push_back(code<Code>(one, names));
  return all;
}

std::vector<int> numbers(std::string_view word, std::int64_t low) {
  const auto counts = parse_counts(word, low);
  std::vector<int> all;
  for (const auto one : counts) all.push_back(static_cast<int>(one));
  return all;
}

std::vector<hpl::Broadcast> parse_broadcasts(std::string_view word) {
  std::vector<hpl::Broadcast> all;
  for (const auto& one : parse_list(word)) all.push_back(code_or_automatic<hpl::Broadcast>(one, broadcasts));
  return all;
}

void check_factorisations(std::string_view word) {
  static_cast<void>(codes<hpl::Factorisation>(word, factorisations));
}

constexpr std::size_t of_ptrans = 2;  // number of its options, the last ones

constexpr Option options[] = {
    {"hpcc-threshold", Kind::number,
     "residuals from which on a check fails; not above 0: no checks, and no success", FallbackText{"16"}},
    {"hpl-pmap", Kind::word, "processes fill the grid row by row or column by column", FallbackText{"column"},
     OneOf{"row column"}},
    {"hpl-pfact", Kind::special, "factorisation within a panel: left, crout, right", Argument{"LIST"},
     FallbackText{"right"}, check_factorisations},
    {"hpl-nbmin", Kind::special, "columns at which the recursion in a panel stops", Argument{"LIST"},
     FallbackText{"4"}, parses<parse_counts, 1>},
    {"hpl-ndiv", Kind::special, "parts of a panel in its recursion", Argument{"LIST"}, FallbackText{"2"},
     parses<parse_counts, 2>},
    {"hpl-rfact", Kind::special, "recursive factorisation of a panel: left, crout, right", Argument{"LIST"},
     FallbackText{"crout"}, check_factorisations},
    {"hpl-bcast", Kind::special,
     "way of a panel along the rows of the grid: 1rg, 1rM, 2rg, 2rM, Lng, LnM; auto: a nonblocking "
     "broadcast of the MPI library",
     Argument{"LIST"}, FallbackText{"1rM"}, parses<parse_broadcasts>},
    {"hpl-depth", Kind::special, "panels that are factored ahead", Argument{"LIST"}, FallbackText{"1"},
     parses<parse_counts, 0>},
    {"hpl-swap", Kind::word,
     "interchange of rows; mix: bin-exch up to the threshold, then long; auto: by nonblocking collectives "
     "of the MPI library",
     FallbackText{"mix"}, OneOf{"bin-exch long mix auto"}},
    {"hpl-swap-threshold", Kind::count, "of mix", Argument{"COLUMNS"}, FallbackText{"64"},
     Within{0, most_value}},
    {"hpl-l1", Kind::word, "form of the triangle of a panel", FallbackText{"transposed"},
     OneOf{"transposed plain"}},
    {"hpl-u", Kind::word, "form of the rows of a panel", FallbackText{"transposed"},
     OneOf{"transposed plain"}},
    {"hpl-equil", Kind::on_off, "whether the long interchange gives every process equally many rows",
     FallbackText{"on"}},
    {"hpl-align", Kind::count, "alignment of the matrix", Argument{"DOUBLES"}, FallbackText{"8"},
     Within{1, most_value}},
    {"hpl-detail", "time of the solver's phases, as the longest of all processes"},
    {"hpl-timeline",
     "a picture of one iteration of the solver: what each process did when, and when panels were on their "
     "way"},
    {"ptrans-n", Kind::special, "orders of PTRANS beside half of those of the linear solver",
     Argument{"LIST"}, parses<parse_counts, 0>},
    {"ptrans-nb", Kind::special, "block sizes of PTRANS beside those of the linear solver", Argument{"LIST"},
     parses<parse_counts, 1>},
};

void set_lists(const Values& values, hpl::Options& solver) {
  if (const auto word = values.word("hpl-pfact"))
    solver.panel = codes<hpl::Factorisation>(*word, factorisations);
  if (const auto word = values.word("hpl-nbmin")) solver.stop = numbers(*word, 1);
  if (const auto word = values.word("hpl-ndiv")) solver.parts = numbers(*word, 2);
  if (const auto word = values.word("hpl-rfact"))
    solver.recursive = codes<hpl::Factorisation>(*word, factorisations);
  if (const auto word = values.word("hpl-bcast")) solver.broadcast = parse_broadcasts(*word);
  if (const auto word = values.word("hpl-depth")) solver.depth = numbers(*word, 0);
}

void set_single_values(const Values& values, hpl::Options& solver) {
  using enum hpl::Equilibration;
  if (const auto word = values.word("hpl-pmap")) solver.mapping = code<hpl::Mapping>(*word, mappings);
  if (const auto word = values.word("hpl-swap")) solver.swap = code_or_automatic<hpl::Swap>(*word, swaps);
  if (const auto count = values.count("hpl-swap-threshold")) solver.swap_threshold = *count;
  if (const auto word = values.word("hpl-l1")) solver.l1 = code<hpl::Storage>(*word, forms);
  if (const auto word = values.word("hpl-u")) solver.u = code<hpl::Storage>(*word, forms);
  if (const auto word = values.word("hpl-equil")) solver.equilibration = units::parse_bool(*word) ? yes : no;
  if (const auto count = values.count("hpl-align")) solver.alignment = static_cast<int>(*count);
}

}  // namespace

Group hpcc_problem_group() {
  return {"Problem", std::span(hpcc_options).first(of_the_problem)};
}

Group hpcc_run_group() {
  return {"HPC Challenge", hpcc_options};
}

std::vector<std::int64_t> parse_counts(std::string_view word, std::int64_t low) {
  std::vector<std::int64_t> counts;
  for (const auto& one : parse_list(word))
    counts.push_back(units::parse_count(one, low, hpcc::most_input_value));
  return counts;
}

std::vector<std::int64_t> parse_blocks(std::string_view word) {
  return parse_counts(word, 1);
}

std::vector<hpcc::Grid> parse_grids(std::string_view word) {
  std::vector<hpcc::Grid> grids;
  for (const auto& one : parse_list(word)) {
    const auto [rows, columns] = parse_map(one);
    grids.push_back({rows, columns});
  }
  return grids;
}

void set_problem(const Values& values, int processes, hpcc::Problem& problem) {
  if (const auto word = values.word("hpcc-n")) problem.orders = parse_orders(*word);
  if (const auto word = values.word("hpcc-nb")) problem.blocks = parse_blocks(*word);
  if (const auto word = values.word("hpcc-grid")) problem.grids = grids(*word, processes);
  if (problem.blocks.empty()) problem.blocks = {hpcc::default_block};
  if (problem.grids.empty()) problem.grids = {hpcc::default_grid(processes)};
}

void set_solver_conduct(const Values& values, const Place& place, hpcc::Settings& settings) {
  if (values.said("repeat")) settings.solver_repetitions = static_cast<int>(*values.count("repeat"));
  settings.node_share_byte = place.node_share_byte;
  settings.nodes = place.nodes;
  settings.cache = place.cache_share;
  settings.threads = compute_threads(values);
  settings.blas_in_use = place.blas;
}

void set_conduct(const Values& values, const Place& place, hpcc::Settings& settings) {
  set_solver_conduct(values, place, settings);
  settings.form = values.on("base") ? hpcc::Form::base : hpcc::Form::optimized;
  refuse_library_in_base(settings);
  if (values.on("hpcc-strict")) settings.limit = hpcc::LengthLimit::strict;
  if (values.on("fft-235")) settings.fft = hpcc::Smoothness::two_three_five;
  settings.seed = static_cast<std::uint64_t>(*values.count("seed"));
  settings.effort.repetitions = static_cast<int>(*values.count("repeat"));
  settings.update_bound_s = values.duration("ra-time-bound")->value();
  settings.latency.random_rings = static_cast<int>(*values.count("ring-patterns"));
  set_rank(values, place.processes, settings);
}

std::vector<std::string> dropped_orders(const Prepared& prepared) {
  std::set<const suites::Suite*> transposing;
  for (const auto& block : prepared.plan.blocks)
    if (block.benchmark == "PTRANS") transposing.insert(block.planned_by);
  std::vector<std::string> sentences;
  for (const auto& suite : prepared.suites) {
    const auto* hpcc = dynamic_cast<const hpcc::Definition*>(suite.get());
    if (hpcc == nullptr || !transposing.contains(hpcc)) continue;
    for (const auto order : hpcc::dropped_ptrans_orders(hpcc->settings()))
      sentences.push_back("PTRANS of order " + std::to_string(order) +
                          " would use less than 90 % of the linear solver's memory and is left out");
  }
  return sentences;
}

constinit const MeasuredSuite measured_hpcc{.name = hpcc::suite_name,
                                            .of_run = hpcc_of_run,
                                            .range = hpcc_range,
                                            .tiny = tiny_hpcc,
                                            .front_ends = hpcc_front_ends};

Group hpl_solver_group() {
  return {"Linear solver", std::span(options).first(std::size(options) - of_ptrans)};
}

Group hpl_group() {
  return {"Linear solver and PTRANS of HPC Challenge", options};
}

void set_solver(const Values& values, hpcc::Settings& settings) {
  if (const auto number = values.number("hpcc-threshold")) settings.threshold = *number;
  if (const auto word = values.word("ptrans-n")) settings.extra_orders = parse_orders(*word);
  if (const auto word = values.word("ptrans-nb")) settings.extra_blocks = parse_blocks(*word);
  settings.solver_detail = values.on("hpl-detail");
  settings.solver_timeline = values.on("hpl-timeline");
  set_lists(values, settings.solver);
  set_single_values(values, settings.solver);
}

}  // namespace steelyard::cli
