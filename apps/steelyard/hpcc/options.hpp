// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "measuring/measured_suite.hpp"
#include "options/option_table.hpp"
#include "options/values.hpp"
#include "suites/hpcc/settings.hpp"

/// Options about HPC Challenge, and the settings that they ask for.
/// Options of the linear solver and of PTRANS, by words instead of lines of an input file.
namespace steelyard::cli {

/// Options of `run` about orders, blocks, grids and the BLAS.
[[nodiscard]] Group hpcc_problem_group();
/// Group of `run` about HPC Challenge.
[[nodiscard]] Group hpcc_run_group();

/// The same as numbers of at least `low`. Throws units::ParseError.
[[nodiscard]] std::vector<std::int64_t> parse_counts(std::string_view word, std::int64_t low);
/// Orders, of which 0 is one, and block sizes. Throw units::ParseError.
[[nodiscard]] std::vector<std::int64_t> parse_blocks(std::string_view word);
/// "1x2,2x2": rows and columns of process grids. Throws units::ParseError.
[[nodiscard]] std::vector<hpcc::Grid> parse_grids(std::string_view word);

/// Sets orders, blocks and grids that the words say over those that the problem holds; blocks and grids that neither
/// says are the built-in ones. Throws UsageError for a grid of more processes than there are.
void set_problem(const Values& values, int processes, hpcc::Problem& problem);
/// Sets what of the linear solver is no part of an input file.
void set_solver_conduct(const Values& values, const Place& place, hpcc::Settings& settings);
/// Sets everything that is no part of an input file. Throws UsageError.
void set_conduct(const Values& values, const Place& place, hpcc::Settings& settings);

/// A sentence about each of PTRANS' own orders that this plan leaves out.
[[nodiscard]] std::vector<std::string> dropped_orders(const Prepared& prepared);

extern const MeasuredSuite measured_hpcc;
extern const Command hpcc_command, hpl_command;

/// The group of the front-end of the linear solver alone, for lines 9 and 13 to 31.
[[nodiscard]] Group hpl_solver_group();
/// The group of `run` and of the front-end for lines 9 and 13 to 36.
[[nodiscard]] Group hpl_group();

/// Sets what the words say; the rest stays as it is.
void set_solver(const Values& values, hpcc::Settings& settings);

}  // namespace steelyard::cli
