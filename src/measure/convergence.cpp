// SPDX-License-Identifier: Apache-2.0
#include "measure/convergence.hpp"

#include <algorithm>

#include "stats/order.hpp"

namespace steelyard::measure {

std::vector<bool> in_dominant_state(std::span<const VisitSamples> visits) {
  std::vector<stats::Probe> probes;
  for (const VisitSamples& visit : visits) probes.push_back(visit.probe);
  const auto probed = [](const stats::Probe& p) { return p.c2c_s || p.chain_s || p.wide_s; };
  if (std::ranges::none_of(probes, probed)) return std::vector<bool>(visits.size(), true);
  std::vector<bool> dominant;
  for (const int state : stats::classify(probes)) dominant.push_back(state == 0);
  return dominant;
}

std::optional<double> half_width_of(std::span<const VisitSamples> visits, std::span<const double> medians,
                                    const std::vector<bool>& chosen, double half_grid_s) {
  std::vector<double> batches;
  std::vector<double> chosen_medians;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (!chosen[i]) continue;
    batches.insert(batches.end(), visits[i].batches.begin(), visits[i].batches.end());
    chosen_medians.push_back(medians[i]);
  }
  if (batches.empty()) return std::nullopt;
  std::ranges::sort(batches);
  const double median = stats::quantile(batches, 0.5);
  const auto interval = stats::launch_interval(batches, std::move(chosen_medians), half_grid_s).both;
  if (!interval || median <= 0) return std::nullopt;
  return stats::relative_half_width(*interval, median);
}

}  // namespace steelyard::measure
