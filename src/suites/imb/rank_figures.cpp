// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/rank_figures.hpp"

namespace steelyard::imb {

bool has_overlap_figures(const Definition& definition) {
  return definition.with_computation;
}

bool has_own_figures(const Definition& definition) {
  return definition.comparison != Comparison::none || definition.partitions;
}

std::vector<double> figures_of_rank(const Definition& definition, const OverlapFigures& overlap,
                                    const OwnFigures& own) {
  std::vector<double> figures;
  if (has_overlap_figures(definition)) figures = overlap.values();
  if (!has_own_figures(definition)) return figures;
  const auto values = own.values();
  figures.insert(figures.end(), values.begin(), values.end());
  return figures;
}

RankFigures::RankFigures(const Definition& definition, const std::vector<double>& figures)
    : figures_(&figures),
      overlap_(has_overlap_figures(definition) ? OverlapFigures::count : 0),
      own_(has_own_figures(definition) ? OwnFigures::count : 0) {}

int RankFigures::ranks() const noexcept {
  const auto of_one = overlap_ + own_;
  return of_one == 0 ? 0 : static_cast<int>(figures_->size() / of_one);
}

OverlapFigures RankFigures::overlap(int rank) const {
  return overlap_ == 0 ? OverlapFigures{} : OverlapFigures::from(of(rank));
}

OwnFigures RankFigures::own(int rank) const {
  return own_ == 0 ? OwnFigures{} : OwnFigures::from(of(rank) + overlap_);
}

const double* RankFigures::of(int rank) const {
  return figures_->data() + static_cast<std::size_t>(rank) * (overlap_ + own_);
}

}  // namespace steelyard::imb
