// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "measuring/prepared.hpp"
#include "suites/hpcc/settings.hpp"
#include "words/option_table.hpp"
#include "words/values.hpp"

/// What users say about HPC Challenge.
namespace steelyard::cli {

/// What the group of `run` has about orders, blocks, grids and the BLAS.
[[nodiscard]] Group hpcc_problem_group();
/// The group of `run` for it.
[[nodiscard]] Group hpcc_run_group();

/// Numbers of at least 1 between commas. Throws units::ParseError.
[[nodiscard]] std::vector<std::int64_t> parse_orders(std::string_view word);
/// "1x2,2x2": rows and columns of process grids. Throws units::ParseError.
[[nodiscard]] std::vector<hpcc::Grid> parse_grids(std::string_view word);

/// "fastest", "as-linked", or a library's file and behind a colon the kernel that it shall take. Throws
/// units::ParseError.
[[nodiscard]] hpcc::BlasWish parse_blas(std::string_view word);
/// What --blas and --blas-trial say; nothing said: `otherwise`, of a base run as-linked. Throws UsageError
/// where they contradict each other.
[[nodiscard]] hpcc::BlasWish blas_wish(const Values& values, hpcc::BlasWish::Kind otherwise);

/// Orders, blocks and grids that the words say over those that the problem holds; blocks and grids that
/// neither says are the built-in ones. Throws UsageError for a grid of more processes than there are.
void set_problem(const Values& values, int processes, hpcc::Problem& problem);
/// What of the linear solver is no part of an input file.
void set_solver_conduct(const Values& values, const Place& place, hpcc::Settings& settings);
/// Everything that is no part of an input file. Throws UsageError.
void set_conduct(const Values& values, const Place& place, hpcc::Settings& settings);

}  // namespace steelyard::cli
