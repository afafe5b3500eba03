// SPDX-License-Identifier: Apache-2.0
// Suites whose points ask for plots of their own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "analysis/beffio_partition.hpp"
#include "formats/gnuplot/plot.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"

namespace steelyard::formats::gnuplot {
namespace {

using record::PointRecord;

std::vector<const PointRecord*> points_of(const record::Run& run, std::string_view suite) {
  std::vector<const PointRecord*> list;
  for (const auto& point : run.points)
    if (point.suite == suite) list.push_back(&point);
  return list;
}

std::set<int> process_numbers(const std::vector<const PointRecord*>& points) {
  std::set<int> numbers;
  for (const auto* point : points) numbers.insert(point->processes);
  return numbers;
}

constexpr std::array<std::string_view, 3> sets = {"ring", "random", "additional"};

/// Best bandwidth per process of a pattern at every length, over its methods.
using Best = std::map<std::string, std::map<double, double>>;

Best best_of(const std::vector<const PointRecord*>& points, int processes) {
  Best best;
  for (const auto* point : points) {
    const auto length = number_in(*point, "message_byte");
    if (point->processes != processes || !length) continue;
    const auto dot = dot_of(*point, "bandwidth_byte_s", *length);
    if (!dot) continue;
    double& top = best[word_of(*point, "set") + ' ' + word_of(*point, "pattern")][*length];
    top = std::max(top, dot->y / processes);
  }
  return best;
}

/// Plot of thin dots of every pattern in the colour of its set, named once.
Plot all_patterns(const Best& best, int processes) {
  Plot plot{.name = fmt::format("b-eff_every_pattern_{}", processes),
            .title = "b_eff, every pattern with its best method, " + processes_word(processes),
            .x_label = "message length"};
  plot.y_label = "bandwidth per process";
  plot.unit = "byte/s";
  for (std::size_t i = 0; i < sets.size(); ++i) {
    bool named = false;
    for (const auto& [pattern, tops] : best) {
      if (!pattern.starts_with(std::string(sets[i]) + ' ')) continue;
      Curve curve{named ? "" : std::string(sets[i]) + " patterns", {}, static_cast<int>(i) + 1};
      for (const auto& [length, rate] : tops) curve.dots.push_back({length, rate, rate, rate});
      plot.curves.push_back(std::move(curve));
      named = true;
    }
  }
  return plot;
}

/// Plot of the methods: logarithmic average over ring and random patterns.
Plot methods(const std::vector<const PointRecord*>& points, int processes) {
  Plot plot{.name = fmt::format("b-eff_methods_{}", processes),
            .title = "b_eff, methods over all ring and random patterns, " + processes_word(processes),
            .x_label = "message length"};
  plot.y_label = "bandwidth per process";
  plot.unit = "byte/s";
  std::map<std::pair<std::string, double>, std::pair<double, int>> sums;
  for (const auto* point : points) {
    const auto length = number_in(*point, "message_byte");
    if (point->processes != processes || !length || word_of(*point, "set") == sets.back()) continue;
    const auto dot = dot_of(*point, "bandwidth_byte_s", *length);
    if (!dot || !(dot->y > 0)) continue;
    auto& [sum, count] = sums[{word_of(*point, "method"), *length}];
    sum += std::log(dot->y / processes);
    ++count;
  }
  for (const auto& [place, held] : sums) {
    const double mean = std::exp(held.first / held.second);
    curve_of(plot.curves, place.first).dots.push_back({place.second, mean, mean, mean});
  }
  return plot;
}

Plot plot_of_chunks(const std::string& type) {
  Plot plot{.name = file_name("b-eff-io_" + type), .title = "b_eff_io, type " + type};
  plot.x_label = "chunk in the file";
  plot.y_label = "bandwidth of all processes";
  plot.unit = "byte/s";
  return plot;
}

/// Name of one line of a plot of HPC Challenge.
std::string test_of(const PointRecord& point, std::string_view metric) {
  std::string name = point.benchmark;
  if (const auto kernel = word_of(point, "kernel"); !kernel.empty()) name += ' ' + kernel;
  if (point.benchmark == "LatencyBandwidth") {
    const std::string_view end = metric.ends_with("latency_s") ? "_latency_s" : "_byte_s";
    name = std::string(metric.substr(0, metric.size() - end.size()));
    std::ranges::replace(name, '_', ' ');
  }
  for (const auto* size : {"order", "block"})
    if (const auto word = word_of(point, size); point.benchmark == "HPL" && !word.empty())
      name += fmt::format(", {} {}", size == std::string_view("order") ? "N" : "NB", word);
  return name + ", " + processes_word(point.processes);
}

/// Numbers of a column of a table; not-a-number for other values.
std::vector<double> numbers(const record::TableRecord& table, const char* column) {
  const auto& columns = table.columns.json();
  std::vector<double> list;
  if (!columns.is_object() || !columns.contains(column) || !columns[column].is_array()) return list;
  for (const auto& value : columns[column])
    list.push_back(value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
  return list;
}

}  // namespace

std::vector<Plot> beff_plots(const record::Run& run) {
  const auto points = points_of(run, "b-eff");
  std::vector<Plot> list;
  for (const int processes : process_numbers(points)) {
    list.push_back(all_patterns(best_of(points, processes), processes));
    list.push_back(methods(points, processes));
  }
  return list;
}

std::vector<Plot> chunk_plots(const record::Run& run) {
  const bool several = process_numbers(points_of(run, "b-eff-io")).size() > 1;
  std::map<std::string, Plot> types;
  for (const auto& chunk : analysis::beffio_chunks(run.points)) {
    Plot& plot = types.try_emplace(chunk.type, plot_of_chunks(chunk.type)).first->second;
    const double place = place_of(plot.names, chunk.name);
    if (const auto dot = dot_of(*chunk.point, "bandwidth_byte_s", place))
      curve_of(plot.curves, word_of(*chunk.point, "access") +
                                (several ? ", " + processes_word(chunk.point->processes) : std::string()))
          .dots.push_back(*dot);
  }
  std::vector<Plot> list;
  for (auto& [type, plot] : types)
    for (Plot& one : divided(std::move(plot))) list.push_back(std::move(one));
  return list;
}

std::vector<Plot> hpcc_plots(const record::Run& run) {
  struct Unit {
    std::string_view unit, name, title;
  };
  constexpr auto units_shown = std::to_array<Unit>({
      {"flop/s", "arithmetic", "floating-point operations"},
      {"byte/s", "bandwidth", "memory and messages"},
      {"update/s", "updates", "updates at random places"},
      {"s", "latency", "latency of short messages"},
  });
  std::vector<Plot> list;
  for (const auto& [unit, name, title] : units_shown) {
    Plot plot{.name = fmt::format("hpcc_{}", name),
              .title = fmt::format("HPC Challenge, {}", title),
              .shape = Shape::marks};
    plot.y_label = unit == "s" ? "time" : "rate";
    plot.unit = unit;
    plot.curves.resize(1);
    for (const auto* point : points_of(run, "hpcc"))
      for (const auto& [metric, value] : point->metrics) {
        const bool beside = metric == "time_s" || record::unit_of(metric) != unit;
        const auto dot = dot_of(*point, metric, static_cast<double>(plot.names.size()));
        if (beside || !dot) continue;
        plot.curves[0].dots.push_back(*dot);
        plot.names.push_back(test_of(*point, metric));
      }
    if (!plot.names.empty()) list.push_back(std::move(plot));
  }
  return list;
}

std::vector<Plot> pair_plots(const record::Run& run) {
  struct Value {
    const char *column, *name, *label, *unit;
  };
  constexpr auto values = std::to_array<Value>(
      {{"latency_s", "latency", "latency", "s"}, {"bandwidth_byte_s", "bandwidth", "bandwidth", "byte/s"}});
  std::vector<Plot> list;
  int tables = 0;
  for (const auto& table : run.tables) {
    if (table.name != "pingpong_pairs") continue;
    const std::string number = ++tables > 1 ? fmt::format("_{}", tables) : "";
    const auto from = numbers(table, "from_rank"), to = numbers(table, "to_rank");
    for (const auto& [column, name, label, unit] : values) {
      Plot plot{.name = fmt::format("pairs_{}{}", name, number),
                .title = fmt::format("Pairs of processes, {}", label),
                .shape = Shape::image};
      plot.x = plot.y = Axis::linear;
      plot.y_label = label;
      plot.unit = unit;
      plot.curves.resize(1);
      const auto held = numbers(table, column);
      for (std::size_t i = 0; i < std::min({from.size(), to.size(), held.size()}); ++i)
        plot.curves[0].dots.push_back({from[i], to[i], held[i], held[i]});
      if (!plot.curves[0].dots.empty()) list.push_back(std::move(plot));
    }
  }
  return list;
}

}  // namespace steelyard::formats::gnuplot
