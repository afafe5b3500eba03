// SPDX-License-Identifier: Apache-2.0
#include "hpcc/hpl_options.hpp"

#include <algorithm>
#include <span>

#include "hpcc/options.hpp"
#include "options/checks.hpp"
#include "suites/hpcc/input/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

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
void check_broadcasts(std::string_view word) {
  static_cast<void>(parse_broadcasts(word));
}
template <std::int64_t low>
void check_numbers(std::string_view word) {
  static_cast<void>(parse_counts(word, low));
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
     FallbackText{"4"}, check_numbers<1>},
    {"hpl-ndiv", Kind::special, "parts of a panel in its recursion", Argument{"LIST"}, FallbackText{"2"},
     check_numbers<2>},
    {"hpl-rfact", Kind::special, "recursive factorisation of a panel: left, crout, right", Argument{"LIST"},
     FallbackText{"crout"}, check_factorisations},
    {"hpl-bcast", Kind::special,
     "way of a panel along the rows of the grid: 1rg, 1rM, 2rg, 2rM, Lng, LnM; auto: a nonblocking "
     "broadcast of the MPI library",
     Argument{"LIST"}, FallbackText{"1rM"}, check_broadcasts},
    {"hpl-depth", Kind::special, "panels that are factored ahead", Argument{"LIST"}, FallbackText{"1"},
     check_numbers<0>},
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
     Argument{"LIST"}, check_numbers<0>},
    {"ptrans-nb", Kind::special, "block sizes of PTRANS beside those of the linear solver", Argument{"LIST"},
     check_numbers<1>},
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
