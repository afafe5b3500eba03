// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/trial.hpp"

#include <algorithm>
#include <optional>

#include "measure/failure.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t trial_order = 1024;  // beyond the caches' second level, some ten milliseconds

/// The libraries that every process has, in the order of the root.
std::vector<BlasLibrary> common_libraries(const mpi::Communicator& world) {
  auto own = installed_blas();
  std::vector<BlasLibrary> common{own.front()};
  const auto count = world.broadcast(own.size());
  for (std::size_t i = 1; i < count; ++i) {
    const auto name = world.broadcast(world.is_root() ? described(own[i]) : std::string());
    const auto found = std::ranges::find(own, name, described);
    const bool here = found != own.end();
    if (world.all(here)) common.push_back(*found);
  }
  return common;
}

}  // namespace

BlasTrial try_blas_libraries(const mpi::Communicator& world, int threads) {
  auto libraries = common_libraries(world);
  BlasTrial trial{libraries.front(), {}};
  double best = 0;
  for (const auto& library : libraries) {
    double rate = 0;
    measure::all_or_none(world, [&] { rate = trial_rate(library, trial_order, threads); });
    const double mean = world.sum(rate) / world.size();
    trial.tried.push_back({described(library), mean});
    if (mean <= best) continue;
    best = mean;
    trial.best = library;
  }
  return trial;
}

}  // namespace steelyard::hpcc
