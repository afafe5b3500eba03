// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/workloads.hpp"

#include "suites/imb/ext/catalogue.hpp"
#include "suites/imb/mpi1/catalogue.hpp"
#include "suites/imb/own/compared.hpp"
#include "suites/imb/p2p/patterns.hpp"
#include "suites/imb/rma/catalogue.hpp"

namespace steelyard::imb {
namespace {

constexpr auto mpi1_functions = open_functions<mpi1_benchmarks>();
constexpr auto ext_functions = open_functions<ext_benchmarks>();
constexpr auto rma_functions = open_functions<rma_benchmarks, "rma">();

OpenWorkload function(std::span<const OpenWorkload> functions, const Part& part, std::string_view benchmark) {
  const auto row = std::ranges::find(part.benchmarks, benchmark, &Definition::name);
  const auto place = static_cast<std::size_t>(row - part.benchmarks.begin());
  return place < functions.size() ? functions[place] : nullptr;
}

// Workload of suite mpi4, by the benchmark's name.
std::unique_ptr<measure::Workload> open_own(const Point& point) {
  for (const OpenWorkload open : {open_requests, open_made_collective, open_partitioned, open_neighbours})
    if (auto workload = open(point)) return workload;
  return nullptr;
}

}  // namespace

OpenWorkload workload_of(std::string_view suite, std::string_view benchmark) {
  if (suite == mpi1().name) return function(mpi1_functions, mpi1(), benchmark);
  if (suite == ext().name) return function(ext_functions, ext(), benchmark);
  if (suite == mpi4().name) return function(persistent_functions(), mpi4(), benchmark);
  if (suite == nbc().name) return function(nonblocking_functions(), nbc(), benchmark);
  if (suite == rma().name) return function(rma_functions, rma(), benchmark);
  if (suite == p2p().name) return open_pattern;
  if (suite == own_mpi4().name) return open_own;
  return nullptr;
}

}  // namespace steelyard::imb
