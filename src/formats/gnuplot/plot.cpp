// SPDX-License-Identifier: Apache-2.0
#include "formats/gnuplot/plot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "record/point_view.hpp"
#include "units/text.hpp"

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

namespace steelyard::formats::gnuplot {
namespace {

constexpr std::size_t most_curves = 10;  // capacity of a key below a plot

bool is_logarithmic(Axis axis) {
  return axis == Axis::logarithmic || axis == Axis::lengths || axis == Axis::processes;
}

/// Text in single quotes, in which only a quote means anything to gnuplot.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : units::controls_escaped(text)) out.append(c == '\'' ? 2 : 1, c);
  return out + '\'';
}

bool can_be_shown(const Plot& plot, const Dot& dot) {
  const bool value =
      (!is_logarithmic(plot.y) || dot.y > 0) && std::isfinite(dot.low) && std::isfinite(dot.high);
  const bool place = plot.x == Axis::lengths ? dot.x >= 0 : !is_logarithmic(plot.x) || dot.x > 0;
  const bool has_names = plot.shape == Shape::marks || plot.shape == Shape::bars || !plot.names.empty();
  return std::isfinite(dot.x) && std::isfinite(dot.y) && value && (place || has_names);
}

Plot drawable(Plot plot) {
  for (Curve& curve : plot.curves) {
    std::erase_if(curve.dots, [&](const Dot& dot) { return !can_be_shown(plot, dot); });
    std::ranges::stable_sort(curve.dots, {}, &Dot::x);
  }
  std::erase_if(plot.curves, [](const Curve& curve) { return curve.dots.empty(); });
  return plot;
}

/// Empty line that keeps the key away from the words above it.
constexpr std::string_view apart = ".\"\\n\"";

std::string plain(const std::string& unit) {
  return unit == "byte/s" ? "B/s" : unit;
}

/// True for a short unit, which stands beside every number; a long one stands at the axis.
bool is_short(const std::string& unit) {
  return plain(unit).size() <= 3;
}

/// Format of numbers on an axis, "10 us" for seconds: gnuplot chooses the prefix.
std::string format_of(Axis axis, const std::string& unit) {
  if (axis == Axis::processes) return "%.0f";
  if (axis == Axis::share) return "%.1f";
  if (axis == Axis::percent) return "%.0f %%";
  if (axis == Axis::linear) return "%g";
  return "%.0s %c" + (is_short(unit) ? plain(unit) : std::string());
}

struct Ends {
  double low = 0, high = 0;
};

Ends ends_of(const Plot& plot, bool of_values) {
  Ends ends{std::numeric_limits<double>::infinity(), 0};
  for (const Curve& curve : plot.curves)
    for (const Dot& dot : curve.dots)
      for (const double one :
           {of_values ? dot.y : dot.x, of_values ? dot.low : dot.x, of_values ? dot.high : dot.x})
        if (one > 0 && std::isfinite(one)) ends = {std::min(ends.low, one), std::max(ends.high, one)};
  return ends;
}

using Digits = std::span<const int>;  // rising, from 1 on, below 10
constexpr auto coarse = std::to_array<int>({1, 2, 5});
constexpr auto fine = std::to_array<int>({1, 2, 3, 4, 5, 6, 7, 8, 9});

/// Position of points without a length: half a byte.
constexpr double no_length = 0.5;

/// Ends of an axis of lengths or of numbers of processes.
Ends doubling_ends(const Plot& plot) {
  Ends ends{std::numeric_limits<double>::infinity(), 0};
  for (const Curve& curve : plot.curves)
    for (const Dot& dot : curve.dots)
      ends = {std::min(ends.low, std::max(dot.x, no_length)), std::max({ends.high, dot.x, no_length})};
  return ends;
}

/// Tics of lengths: zero, then powers of two in bytes, as many as have room.
std::string length_tics(const Ends& ends) {
  constexpr double most = 10;
  const double octaves = std::log2(ends.high / ends.low);
  const int step = std::max(1, static_cast<int>(std::ceil(octaves / most)));
  std::string text = fmt::format("'0' {:g}", no_length);
  for (int power = 0; power <= 42; power += step) {
    const std::int64_t bytes = std::int64_t{1} << power;
    text += fmt::format(", {} {}", in_quotes(units::format_size(Bytes{bytes})), bytes);
  }
  return text;
}

/// Round values around a value: the last that is not above it, and the first above it.
Ends around(double value, Digits digits) {
  const double ten = std::pow(10.0, std::floor(std::log10(value)));
  for (std::size_t i = digits.size(); i-- > 0;)
    if (digits[i] * ten <= value * 1.0001)
      return {digits[i] * ten, i + 1 < digits.size() ? digits[i + 1] * ten : 10 * ten};
  return {ten, digits.size() > 1 ? digits[1] * ten : 10 * ten};
}

/// Lines of a logarithmic axis. If it has few decades, the round values from below all to above all are its tics.
std::string logarithmic_lines(std::string_view name, const Ends& ends) {
  constexpr double few = 150, very_few = 3;
  std::string text = fmt::format("set logscale {}\n", name);
  if (!(ends.high > 0)) return text;
  const Digits digits = ends.high / ends.low > very_few ? Digits(coarse) : Digits(fine);
  const double low = around(ends.low, digits).low, high = around(ends.high, digits).high;
  text += fmt::format("set {}range [{:g}:{:g}]\n", name, low * 0.98, high * 1.02);
  if (high / low > few) return text;
  std::string tics;
  for (double tic = low; tic < high * 1.0001; tic = around(tic, digits).high)
    tics += fmt::format("{}{:g}", tics.empty() ? "" : ", ", tic);
  return text + fmt::format("set {}tics ({})\n", name, tics);
}

/// Range of such an axis, with room at both ends.
std::string doubling_range(char letter, const Plot& plot) {
  constexpr double room = 1.3;
  const Ends ends = doubling_ends(plot);
  return fmt::format("set {}range [{:g}:{:g}]\n", letter, ends.low / room, ends.high * room);
}

/// Tics of processes: the measured numbers if they have room, else powers of two.
std::string process_tics(char letter, const Plot& plot) {
  constexpr std::size_t most = 12;
  std::set<double> numbers;
  for (const Curve& curve : plot.curves)
    for (const Dot& dot : curve.dots) numbers.insert(dot.x);
  if (numbers.size() > most) return "";
  return fmt::format("set {}tics ({:g})\n", letter, fmt::join(numbers, ", "));
}

std::string axis_lines(char letter, Axis axis, const std::string& label, const std::string& unit,
                       const Ends& ends) {
  const bool named =
      !unit.empty() && (axis == Axis::linear || (axis == Axis::logarithmic && !is_short(unit)));
  std::string text =
      fmt::format("set {}label {}{} noenhanced\n", letter,
                  in_quotes(named ? label + " in " + plain(unit) : label), letter == 'x' ? apart : "");
  if (axis == Axis::lengths)
    return text + fmt::format("set logscale x 2\nset xtics ({})\n", length_tics(ends));
  text += fmt::format("set format {} {}\n", letter, in_quotes(format_of(axis, unit)));
  if (axis == Axis::processes) text += fmt::format("set logscale {} 2\n", letter);
  if (axis == Axis::logarithmic) text += logarithmic_lines(std::string(1, letter), ends);
  if (axis == Axis::share) text += fmt::format("set {}range [-0.03:1.03]\n", letter);
  if (axis == Axis::percent) text += fmt::format("set {}range [-3:103]\n", letter);
  return text;
}

std::string tics(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", in_quotes(names[i]), i);
  return text;
}

std::size_t longest(const std::vector<std::string>& words) {
  std::size_t most = 0;
  for (const std::string& word : words) most = std::max(most, word.size());
  return most;
}

/// Lines of names: beside marks from top to bottom; under lines and bars from left to right, slanted if they are long.
std::string name_lines(const Plot& plot) {
  if (plot.names.empty()) return "";
  if (plot.shape == Shape::marks)
    return fmt::format("set ytics ({}) noenhanced\nset yrange [{}:-0.5]\nset grid y\n", tics(plot.names),
                       static_cast<double>(plot.names.size()) - 0.5);
  const bool slanted = longest(plot.names) * plot.names.size() > 90;
  return fmt::format("set xtics {} ({}) noenhanced\nset xrange [-0.5:{}]\n",
                     slanted ? "rotate by -35" : "norotate", tics(plot.names),
                     static_cast<double>(plot.names.size()) - 0.5);
}

struct Key {
  std::size_t titles = 0, rows = 0;
};

/// Key below the plot, with as many titles beside one another as their length allows.
Key key_of(const Plot& plot) {
  constexpr std::size_t width = 105, sample = 9;  // in letters
  std::vector<std::string> titles;
  for (const Curve& curve : plot.curves)
    if (!curve.title.empty()) titles.push_back(curve.title);
  if (titles.size() < 2) return {titles.size(), 0};
  const std::size_t columns = std::max<std::size_t>(1, width / (longest(titles) + sample));
  return {titles.size(), (titles.size() + columns - 1) / columns};
}

std::string terminal(const Plot& plot, const Key& key) {
  constexpr std::size_t frame = 150, line = 24, height = 500, row = 20;
  const std::size_t body = plot.shape == Shape::marks ? frame + line * plot.names.size() : height;
  return fmt::format(
      "set terminal svg size 900,{} dynamic background rgb 'white' font ',14'\nset output {}\n",
      body + row * key.rows, in_quotes(plot.name + ".svg"));
}

std::string key_line(const Key& key) {
  if (key.rows == 0) return "unset key\n";
  return fmt::format("set key below left Left reverse noenhanced maxrows {}\n", key.rows);
}

double last_rank(const Plot& plot) {
  double last = 0;
  for (const Dot& dot : plot.curves[0].dots) last = std::max({last, dot.x, dot.y});
  return last;
}

/// Tics of ranks, at whole numbers even if there are few.
std::string whole_tics(char letter, const Plot& plot) {
  constexpr double most = 16;
  return fmt::format("set {}tics 0, {:.0f}\n", letter, std::ceil((last_rank(plot) + 1) / most));
}

/// Ends of the values of squares, whose two places are ranks.
Ends colour_ends(const Plot& plot) {
  Ends ends{std::numeric_limits<double>::infinity(), 0};
  for (const Dot& dot : plot.curves[0].dots)
    if (dot.low > 0) ends = {std::min(ends.low, dot.low), std::max(ends.high, dot.low)};
  return ends;
}

/// Lines of a picture of ranks against ranks, the value as a colour, from light to dark.
std::string square_lines(const Plot& plot) {
  return fmt::format(
             "set size ratio -1\nset xlabel 'to rank'\nset ylabel 'from rank'\nunset grid\n"
             "set xrange [-0.5:{0}]\nset yrange [{0}:-0.5]\n{1}{2}"
             "set cblabel {3} noenhanced\nset format cb {4}\n"
             "set palette defined (0 '#e8f1fa', 1 '#6aaed6', 2 '#2070b4', 3 '#08254d')\n",
             last_rank(plot) + 0.5, whole_tics('x', plot), whole_tics('y', plot), in_quotes(plot.y_label),
             in_quotes(format_of(Axis::logarithmic, plot.unit))) +
         logarithmic_lines("cb", colour_ends(plot));
}

std::string squares_of(const Plot& plot) {
  return fmt::format(
      "plot {} using 2:1:(0.5):(0.5):3 with boxxyerror fillstyle solid noborder fillcolor palette notitle\n",
      in_quotes(plot.name + ".dat"));
}

/// Lines of the axis of places that are numbers.
std::string place_lines(const Plot& plot) {
  const bool doubles = plot.x == Axis::lengths || plot.x == Axis::processes;
  return (doubles ? doubling_range('x', plot) : std::string()) +
         (plot.x == Axis::processes ? process_tics('x', plot) : std::string()) +
         axis_lines('x', plot.x, plot.x_label, "", doubles ? doubling_ends(plot) : ends_of(plot, false));
}

std::string head(const Plot& plot) {
  const Key key = key_of(plot);
  std::string text = terminal(plot, key) + fmt::format("set title {} noenhanced\n", in_quotes(plot.title)) +
                     key_line(key) + "set grid\nset rmargin 6\n";
  if (plot.shape == Shape::image) return text + square_lines(plot);
  const Ends values = ends_of(plot, true);
  if (plot.shape == Shape::marks)
    return text + axis_lines('x', plot.y, plot.y_label, plot.unit, values) + name_lines(plot);
  text += axis_lines('y', plot.y, plot.y_label, plot.unit, values);
  if (plot.names.empty()) return text + place_lines(plot);
  return text + fmt::format("set xlabel {}{} noenhanced\n", in_quotes(plot.x_label), apart) +
         name_lines(plot);
}

/// Colour of a number from 1 on. The ten colours can be told apart, as far as possible, by people who see
/// few colours too.
std::string_view colour_of(int number) {
  constexpr auto colours =
      std::to_array<std::string_view>({"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#a07800",
                                       "#000000", "#8040c0", "#e51e10", "#7f7f7f"});
  return colours[static_cast<std::size_t>(number - 1) % colours.size()];
}

bool has_intervals(const Curve& curve) {
  return std::ranges::any_of(curve.dots, [](const Dot& dot) { return dot.low != dot.high; });
}

std::string using_of(const Plot& plot, const Curve& curve) {
  const bool bars = has_intervals(curve);
  if (plot.shape == Shape::marks) return bars ? "2:1:3:4 with xerrorbars" : "2:1 with points";
  const std::string x = plot.x == Axis::lengths && plot.names.empty() ? "($1 > 0 ? $1 : 0.5)" : "1";
  if (!plot.joined) return x + (bars ? ":2:3:4 with yerrorbars" : ":2 with points");
  return x + (bars ? ":2:3:4 with yerrorlines" : ":2 with linespoints");
}

std::string curves_of(const Plot& plot) {
  std::string text = "plot";
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    const std::string title = curve.title.empty() ? "notitle" : "title " + in_quotes(curve.title);
    const int colour = curve.colour > 0 ? curve.colour : static_cast<int>(i) + 1;
    text += fmt::format("{} {} index {} using {} linecolor rgb '{}' pointtype {} pointsize {} {}",
                        i == 0 ? "" : ", \\\n    ", in_quotes(plot.name + ".dat"), i, using_of(plot, curve),
                        colour_of(colour), colour + 4,
                        curve.colour > 0 && curve.title.empty() ? "0.3" : "0.8", title);
  }
  return text + '\n';
}

/// Plot command of bars. Block i is curve i; its second column is stacked upon the ones below.
std::string bars_of(const Plot& plot) {
  std::string text = "set style fill solid 1.0 border -1\nset boxwidth 0.6\nset yrange [0:*]\nplot";
  for (std::size_t i = plot.curves.size(); i-- > 0;)
    text += fmt::format("{} {} index {} using 1:4 with boxes fillcolor rgb '{}' title {}",
                        i + 1 == plot.curves.size() ? "" : ", \\\n    ", in_quotes(plot.name + ".dat"), i,
                        colour_of(static_cast<int>(i) + 1), in_quotes(plot.curves[i].title));
  return text + '\n';
}

std::string body(const Plot& plot) {
  if (plot.shape == Shape::bars) return bars_of(plot);
  if (plot.shape == Shape::image) return squares_of(plot);
  return curves_of(plot);
}

/// Data, one block per curve, with two empty lines between them.
std::string data(const Plot& plot) {
  std::string text = fmt::format("# {}: {} value low high, in {}\n", in_quotes(plot.title),
                                 plot.names.empty() ? in_quotes(plot.x_label) : "place",
                                 plot.unit.empty() ? "numbers" : plot.unit);
  std::string separator;
  for (const Curve& curve : plot.curves) {
    text += fmt::format("{}# {}\n", separator, in_quotes(curve.title));
    for (const Dot& one : curve.dots) text += fmt::format("{} {} {} {}\n", one.x, one.y, one.low, one.high);
    separator = "\n\n";
  }
  return text;
}

}  // namespace

std::string file_name(std::string_view words) {
  std::string name;
  for (const char c : words)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ? c : '_';
  return name;
}

std::vector<NamedText> texts(const Plot& plot) {
  Plot held = drawable(plot);
  if (held.curves.empty()) return {};
  if (held.curves.size() == 1 && !held.curves[0].title.empty()) held.title += ", " + held.curves[0].title;
  return {{held.name + ".dat", data(held)}, {held.name + ".gp", head(held) + body(held)}};
}

std::vector<Plot> divided(Plot plot) {
  if (plot.curves.size() <= most_curves) return {std::move(plot)};
  const auto all = std::move(plot.curves);
  const std::size_t parts = (all.size() + most_curves - 1) / most_curves;
  std::vector<Plot> list;
  for (std::size_t part = 0; part < parts; ++part) {
    Plot one = plot;
    const std::size_t first = part * all.size() / parts, last = (part + 1) * all.size() / parts;
    one.curves.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                      all.begin() + static_cast<std::ptrdiff_t>(last));
    if (part > 0) one.name += fmt::format("_{}", part + 1);
    one.title += fmt::format(" ({} of {})", part + 1, parts);
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace steelyard::formats::gnuplot
