// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/balance/measured.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

std::optional<double> value_of_metric(const record::PointRecord& point, std::string_view name) {
  for (const auto& [metric, value] : point.metrics)
    if (metric == name) return record::value_of(value);
  return std::nullopt;
}

/// The best row whose residual passed, or that has none.
void take_solver(const record::Run& run, System& system) {
  const record::PointRecord* best = nullptr;
  double most = 0;
  for (const auto& point : run.points) {
    const auto rate = value_of_metric(point, "flop_rate_flop_s");
    if (point.suite != "hpcc" || point.benchmark != "HPL" || point.verified == false || !rate ||
        *rate <= most)
      continue;
    best = &point;
    most = *rate;
  }
  if (best == nullptr) return;
  system.inputs.set(hpl_flop_s, most);
  system.inputs.set(hpl_processes, best->processes);
  if (const auto* order = record::find(best->params, "order"))
    system.doubts.hpl_order = record::number(*order);
}

/// STREAM is one process that fills a node; figures of HPC Challenge are of each process.
void take_stream(const record::Run& run, System& system) {
  constexpr std::pair<std::string_view, Quantity> kernels[] = {{"copy", stream_star_copy_byte_s},
                                                               {"scale", stream_star_scale_byte_s},
                                                               {"add", stream_star_add_byte_s},
                                                               {"triad", stream_star_triad_byte_s}};
  const double processes_of_all = system.processes(), nodes_of_all = system.nodes().value_or(0);
  if (!(processes_of_all > 0) || !(nodes_of_all > 0)) return;
  for (const auto& point : run.points)
    for (const auto& [kernel, quantity] : kernels)
      if (const auto rate = value_of_metric(point, "bandwidth_byte_s");
          rate && point.suite == "stream" && point.benchmark == kernel && point.verified != false)
        system.inputs.set(quantity, *rate * nodes_of_all / processes_of_all);
}

}  // namespace

void take_imported(const record::Run& run, System& system) {
  if (run.head.imported.empty()) return;
  if (!system.inputs.get(hpl_flop_s)) take_solver(run, system);
  take_stream(run, system);
  for (const auto& point : run.points)
    if (const auto rate = value_of_metric(point, "flop_rate_flop_s");
        rate && point.suite == "hpcg" && point.verified != false)
      system.inputs.set(hpcg_flop_s, *rate);
}

}  // namespace steelyard::balance
