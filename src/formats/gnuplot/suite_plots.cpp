// SPDX-License-Identifier: Apache-2.0
// Plots over lengths and processes, and those of suites whose points ask for plots of their own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "analysis/beffio_run.hpp"
#include "formats/gnuplot/plot.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "suites/suite_list.hpp"
#include "units/text.hpp"

namespace steelyard::formats::gnuplot {
namespace {

using record::PointRecord;
using Points = std::vector<const PointRecord*>;

/// Metric that is left out for transfers of no byte, which have nothing to hide.
constexpr std::string_view hidden = "overlap_percent";

/// Metric with the names of its plot.
struct PlottedMetric {
  std::string_view metric, name, label;
  Axis axis;
};
constexpr auto metrics = std::to_array<PlottedMetric>({
    {"time_s", "time", "time of one operation", Axis::logarithmic},
    {"bandwidth_byte_s", "bandwidth", "bandwidth", Axis::logarithmic},
    {"bandwidth_process_byte_s", "bandwidth_of_process", "bandwidth of a process", Axis::logarithmic},
    {"bandwidth_total_byte_s", "bandwidth_of_run", "bandwidth of all threads", Axis::logarithmic},
    {"message_rate_op_s", "rate", "messages per second", Axis::logarithmic},
    {"message_rate_total_op_s", "rate_of_run", "messages per second", Axis::logarithmic},
    {hidden, "overlap", "hidden behind computation", Axis::percent},
});

/// Parameters that differ among the points of a benchmark with one number of processes; those that follow
/// from that number do not count.
std::set<std::string> varying(const Points& points) {
  std::map<std::pair<std::string, int>, std::set<std::string>> words;
  for (const auto* point : points)
    for (const auto& [name, value] : point->params)
      words[{name, point->processes}].insert(word_of(*point, name));
  std::set<std::string> names;
  for (const auto& [place, all] : words)
    if (all.size() > 1 && !record::is_told_elsewhere(place.first)) names.insert(place.first);
  return names;
}

bool several_processes(const Points& points) {
  return std::ranges::any_of(points, [&](const auto* one) { return one->processes != points[0]->processes; });
}

std::string variant(const PointRecord& point, const std::set<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    if (const auto word = word_of(point, name); !word.empty())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, word);
  for (const auto& [count, what] : {std::pair(point.groups, "groups"), std::pair(point.threads, "threads")})
    if (count > 1) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  return text;
}

std::string with_processes(const PointRecord& point, const std::string& variant) {
  return fmt::format("{}{}{}", processes_word(point.processes), variant.empty() ? "" : ", ", variant);
}

/// Title of a plot: the benchmark, and the number of processes if all curves share it.
std::string title_of(const std::string& benchmark, const Points& points) {
  return several_processes(points) ? benchmark : benchmark + ", " + processes_word(points.front()->processes);
}

std::vector<Curve> over_lengths(const Points& points, std::string_view metric) {
  const auto names = varying(points);
  const bool several = several_processes(points);
  Points ordered = points;
  std::ranges::stable_sort(ordered, {}, &PointRecord::processes);
  std::vector<Curve> curves;
  for (const auto* point : ordered)
    if (const auto x = record::length_of(point->params); x && (*x > 0 || metric != hidden))
      if (const auto dot = dot_of(*point, metric, static_cast<double>(*x))) {
        const auto words = variant(*point, names);
        curve_of(curves, several ? with_processes(*point, words) : words).dots.push_back(*dot);
      }
  return curves;
}

/// Up to five lengths that several numbers of processes have, evenly spread, both ends among them.
std::vector<std::int64_t> chosen_lengths(const Points& points) {
  constexpr std::size_t most = 5;
  std::map<std::int64_t, std::set<int>> all;
  for (const auto* point : points)
    if (const auto x = record::length_of(point->params)) all[*x].insert(point->processes);
  std::vector<std::int64_t> list;
  for (const auto& [length, processes] : all)
    if (processes.size() > 1) list.push_back(length);
  if (list.size() <= most) return list;
  std::vector<std::int64_t> chosen;
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(list[i * (list.size() - 1) / (most - 1)]);
  return chosen;
}

/// Label of the axis of lengths.
std::string label_of_length(const PointRecord& point) {
  if (record::find(point.params, "chunk_byte") != nullptr) return "chunk in the file";
  return record::find(point.params, "transfer_byte") != nullptr ? "transfer to the file" : "message length";
}

std::vector<Curve> over_processes(const Points& points) {
  const auto names = varying(points);
  const auto chosen = chosen_lengths(points);
  std::vector<Curve> curves;
  for (const auto* point : points) {
    const auto length = record::length_of(point->params);
    if (length && std::ranges::find(chosen, *length) == chosen.end()) continue;
    const auto dot = dot_of(*point, "time_s", point->processes);
    if (!dot) continue;
    std::string title = length ? units::format_size(Bytes{*length}) : std::string();
    if (const auto more = variant(*point, names); !more.empty()) title += (title.empty() ? "" : ", ") + more;
    curve_of(curves, title.empty() ? "time" : title).dots.push_back(*dot);
  }
  std::erase_if(curves, [](const Curve& curve) { return curve.dots.size() < 2; });
  return curves;
}

void add(std::vector<Plot>& list, Plot plot) {
  for (Plot& one : divided(std::move(plot))) list.push_back(std::move(one));
}

void add_benchmark(const std::string& name, const Points& points, std::vector<Plot>& list) {
  for (const auto& [metric, word, label, axis] : metrics) {
    Plot plot{.name = file_name(name) + "_" + std::string(word), .title = title_of(name, points)};
    plot.x_label = label_of_length(*points.front());
    plot.y_label = label;
    plot.unit = record::unit_of(metric);
    plot.y = axis;
    plot.curves = over_lengths(points, metric);
    if (!plot.curves.empty()) add(list, std::move(plot));
  }
  if (!several_processes(points)) return;
  Plot plot{.name = file_name(name) + "_processes", .title = name + " over processes"};
  plot.x_label = "processes";
  plot.x = Axis::processes;
  plot.y_label = "time of one operation";
  plot.unit = "s";
  plot.curves = over_processes(points);
  if (!plot.curves.empty()) add(list, std::move(plot));
}

/// Points without lengths, benchmark by benchmark in the order of the first of each.
std::vector<Points> without_lengths(const Points& points) {
  std::vector<Points> list;
  for (const auto* point : points) {
    if (record::length_of(point->params)) continue;
    auto found =
        std::ranges::find(list, point->benchmark, [](const Points& one) { return one.front()->benchmark; });
    if (found == list.end()) found = list.insert(list.end(), Points());
    found->push_back(point);
  }
  return list;
}

/// Adds a plot of benchmarks without lengths, such as Barrier: a line for each of their cases.
void add_without_lengths(const std::string& suite, const Points& points, std::vector<Plot>& list) {
  Plot plot{.name = file_name(suite) + "_without_lengths",
            .title = suite + ", benchmarks without lengths",
            .shape = Shape::marks};
  plot.y_label = "time of one operation";
  plot.unit = "s";
  plot.curves.resize(1);
  for (const Points& same : without_lengths(points)) {
    const auto names = varying(same);
    for (const auto* point : same) {
      const auto name = point->benchmark + ", " + with_processes(*point, variant(*point, names));
      const auto known = std::ranges::find(plot.names, name) != plot.names.end();
      const auto dot = dot_of(*point, "time_s", static_cast<double>(plot.names.size()));
      if (dot && !known) plot.curves[0].dots.push_back(*dot), plot.names.push_back(name);
    }
  }
  if (!plot.names.empty()) list.push_back(std::move(plot));
}

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

std::vector<Plot> length_plots(const record::Run& run) {
  std::vector<std::pair<std::string, Points>> benchmarks, suites;
  const auto put = [](auto& list, const std::string& name, const PointRecord& point) {
    auto found = std::ranges::find(list, name, [](const auto& one) { return one.first; });
    if (found == list.end()) found = list.insert(list.end(), {name, {}});
    found->second.push_back(&point);
  };
  for (const PointRecord& point : run.points) {
    if (suites::suite_entry(point.suite).experiment) continue;  // has plots of its own
    put(benchmarks, point.suite + '/' + point.benchmark, point);
    put(suites, point.suite, point);
  }
  std::vector<Plot> list;
  for (const auto& [name, points] : benchmarks) add_benchmark(name, points, list);
  for (const auto& [name, points] : suites) add_without_lengths(name, points, list);
  return list;
}

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
