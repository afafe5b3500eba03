// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "suites/imb/computation.hpp"
#include "suites/imb/own/figures.hpp"

namespace steelyard::imb {

/// Whether ranks of a benchmark see more than its time: what the computation beside it takes.
[[nodiscard]] bool has_overlap_figures(const Definition& definition);
/// What it is compared with, and what handing parts over needs.
[[nodiscard]] bool has_own_figures(const Definition& definition);

/// What one rank tells of a point, in the order in which RankFigures finds it; empty for most benchmarks.
[[nodiscard]] std::vector<double> figures_of_rank(const Definition& definition, const OverlapFigures& overlap,
                                                  const OwnFigures& own);

/// The figures of all ranks one after the other, as an outcome has them.
class RankFigures {
 public:
  /// `figures` outlives it.
  RankFigures(const Definition& definition, const std::vector<double>& figures);
  [[nodiscard]] int ranks() const noexcept;
  /// Zeros where the benchmark has none.
  [[nodiscard]] OverlapFigures overlap(int rank) const;
  [[nodiscard]] OwnFigures own(int rank) const;

 private:
  [[nodiscard]] const double* of(int rank) const;

  const std::vector<double>* figures_;
  std::size_t overlap_, own_;  // numbers of each kind that a rank has
};

}  // namespace steelyard::imb
