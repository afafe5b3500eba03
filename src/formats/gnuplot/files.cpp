// SPDX-License-Identifier: Apache-2.0
#include "formats/gnuplot/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "formats/gnuplot/plot.hpp"
#include "record/point_view.hpp"

namespace steelyard::formats {
namespace gnuplot {

std::string word_of(const record::PointRecord& point, std::string_view name) {
  const auto number = record::number_in(point, name);
  return number ? fmt::format("{}", *number) : record::word_in(point, name);
}

std::optional<Dot> dot_of(const record::PointRecord& point, std::string_view metric, double x) {
  const auto value = record::figure(point, metric);
  if (!value) return std::nullopt;
  const auto* held = record::statistics(point, metric);
  const auto ends = held != nullptr && held->ci ? *held->ci : std::pair(*value, *value);
  return Dot{x, *value, ends.first, ends.second};
}

std::string processes_word(int processes) {
  return fmt::format("{} {}", processes, processes == 1 ? "process" : "processes");
}

Curve& curve_of(std::vector<Curve>& curves, const std::string& title) {
  const auto found = std::ranges::find(curves, title, &Curve::title);
  return found == curves.end() ? curves.emplace_back(Curve{title}) : *found;
}

double place_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  const auto place = static_cast<double>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return place;
}

}  // namespace gnuplot

std::vector<NamedText> gnuplot_files(const record::Run& run, const analysis::Tables& tables) {
  std::vector<NamedText> files;
  const auto add = [&](const std::vector<gnuplot::Plot>& plots) {
    for (const auto& plot : plots)
      for (auto& text : gnuplot::texts(plot)) files.push_back(std::move(text));
  };
  for (auto* make : {gnuplot::hpcc_plots, gnuplot::beff_plots, gnuplot::chunk_plots, gnuplot::length_plots,
                     gnuplot::pair_plots})
    add(make(run));
  add(gnuplot::table_plots(tables));
  return files;
}

std::span<const ReportChart> report_charts() {
  constexpr std::string_view
      balance = "figures of the balance (data: balance --figure-data)",
      comparison = "comparisons (data: compare --format csv)",
      scatter = "the scatter of all points (data: export --to csv)",
      longest =
          "the overlap of the longest transfers side by side (each is drawn over its "
          "lengths)",
      side_by_side = "messages of several benchmarks side by side (each is drawn over its lengths)",
      criteria = "distances of criteria from their limits (data: accept --format csv)",
      nodes = "nodes of a screening by their values (data: screen --format json)",
      trend = "trends over many runs (data: history --format csv)",
      noise = "times of the same work, interruptions and batches over time";
  static constexpr auto list = std::to_array<ReportChart>({
      {"balance.columns", "", balance},
      {"balance.ratios", "", balance},
      {"balance.side_by_side", "", balance},
      {"balance.rings_of_nodes", "", balance},
      {"balance.times", "", balance},
      {"balance.bars", "", balance},
      {"balance.roofline", "", balance},
      {"balance.messages", "", balance},
      {"curves", "_time", ""},
      {"scaling", "_processes", ""},
      {"overlap.lengths", "_overlap", ""},
      {"overlap.longest", "", longest},
      {"pairs", "pairs_", ""},
      {"beff.patterns", "b-eff_every_pattern_", ""},
      {"beff.methods", "b-eff_methods_", ""},
      {"beff.paths", "b-eff_paths_", ""},
      {"beff.lengths", "b-eff_lengths_", ""},
      {"beff.patterns_by_name", "b-eff_patterns_", ""},
      {"beffio.types", "b-eff-io_types_", ""},
      {"beffio.chunks", "b-eff-io_scatter", ""},
      {"ftio.phases", "ftio_phases_", ""},
      {"ftio.shares", "ftio_share_of_io", ""},
      {"noise.speed", "speed_over_time", ""},
      {"noise.clocks", "clock_over_time", ""},
      {"noise.work", "", noise},
      {"noise.interruptions", "", noise},
      {"noise.batches", "", noise},
      {"points", "", scatter},
      {"comparison", "", comparison},
      {"messages.rates", "", side_by_side},
      {"messages.completion", "", side_by_side},
      {"history.trend", "", trend},
      {"acceptance", "", criteria},
      {"screen.nodes", "", nodes},
  });
  return list;
}

std::vector<std::string_view> gnuplot_leaves_out() {
  std::vector<std::string_view> list;
  for (const ReportChart& one : report_charts())
    if (one.plot.empty() && std::ranges::find(list, one.left_out) == list.end()) list.push_back(one.left_out);
  return list;
}

}  // namespace steelyard::formats
