// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/block_trial.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <vector>

#include "suites/hpcc/blas.hpp"
#include "suites/hpcc/hpl/blas.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::array<std::int64_t, 8> candidates = {64, 96, 128, 160, 192, 256, 320, 384};
constexpr std::int64_t order = 640, unknown = 192;
constexpr int attempts = 3;
constexpr double almost = 0.97;

/// A trailing matrix and the widest panel and rows that change it.
class Trial {
 public:
  Trial() : panel_(order * candidates.back(), 0.5), rows_(panel_), trailing_(order * order, 1.0) {}

  /// Best of a few updates, of the slowest process.
  double seconds(const mpi::Communicator& world, std::int64_t block) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < attempts; ++i) {
      world.barrier();
      const double start = MPI_Wtime();
      routines_.gemm(blas::Op::plain, blas::Op::plain, order, order, block, -1, {panel_.data(), order},
                 {rows_.data(), candidates.back()}, 1, {trailing_.data(), order});
      best = std::min(best, MPI_Wtime() - start);
    }
    return world.max(best);
  }

 private:
  blas::Routines routines_ = blas::Routines::linked();
  std::vector<double> panel_, rows_, trailing_;
};

}  // namespace

std::int64_t narrowest_fast(std::span<const BlockRate> rates) {
  if (rates.empty()) throw std::invalid_argument("no block sizes to choose from");
  const double fastest = std::ranges::max(rates, {}, &BlockRate::flop_s).flop_s;
  std::int64_t narrowest = std::numeric_limits<std::int64_t>::max();
  for (const auto& rate : rates)
    if (rate.flop_s >= almost * fastest) narrowest = std::min(narrowest, rate.block);
  return narrowest;
}

std::int64_t best_block(const mpi::Communicator& world) {
  if (!blas::available()) return unknown;
  blas::set_threads(1);
  Trial trial;
  std::vector<BlockRate> rates;
  for (const auto block : candidates) {
    const double operations = 2.0 * static_cast<double>(order * order * block);
    rates.push_back({block, operations / trial.seconds(world, block)});
  }
  return narrowest_fast(rates);
}

}  // namespace steelyard::hpcc
