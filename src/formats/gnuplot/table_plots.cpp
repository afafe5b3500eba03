// SPDX-License-Identifier: Apache-2.0
// Plots of the report's tables, known by their ids.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "formats/gnuplot/plot.hpp"
#include "units/quantity.hpp"

namespace steelyard::formats::gnuplot {
namespace {

using analysis::Cell;
using analysis::Section;
using prefix::giga, prefix::mega, prefix::micro, prefix::nano;

/// Numbers of rows under the words that they share.
using Groups = std::vector<std::pair<std::string, std::vector<std::size_t>>>;

/// Rows of a table, read by the keys of their columns.
class Rows {
 public:
  explicit Rows(const Section& section) : table_(section.table) {}
  [[nodiscard]] std::size_t size() const { return table_.rows.size(); }
  [[nodiscard]] std::string word(std::size_t row, std::string_view key) const {
    const Cell* cell = find(row, key);
    if (cell == nullptr) return {};
    if (const auto* text = std::get_if<std::string>(&cell->value)) return *text;
    const auto value = number(row, key);
    return value ? fmt::format("{:g}", *value) : std::string();
  }
  [[nodiscard]] std::optional<double> number(std::size_t row, std::string_view key) const {
    const Cell* cell = find(row, key);
    if (cell == nullptr) return std::nullopt;
    if (const auto* whole = std::get_if<std::int64_t>(&cell->value)) return static_cast<double>(*whole);
    const auto* real = std::get_if<double>(&cell->value);
    return real == nullptr ? std::nullopt : std::optional(*real);
  }
  /// Groups of rows with the same words in these columns, in the order of the first of each.
  [[nodiscard]] Groups by(std::initializer_list<std::string_view> keys) const {
    std::vector<std::size_t> all(size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return by(keys, all);
  }
  /// The same of some of the rows.
  [[nodiscard]] Groups by(std::initializer_list<std::string_view> keys,
                          const std::vector<std::size_t>& among) const {
    Groups groups;
    for (const std::size_t row : among) {
      std::string name;
      for (const auto key : keys) name += (name.empty() ? "" : "_") + word(row, key);
      auto found = std::ranges::find(groups, name, [](const auto& one) { return one.first; });
      if (found == groups.end()) found = groups.insert(groups.end(), {name, {}});
      found->second.push_back(row);
    }
    return groups;
  }

 private:
  [[nodiscard]] const Cell* find(std::size_t row, std::string_view key) const {
    const auto column = std::ranges::find(table_.columns, key, &analysis::Column::key);
    return column == table_.columns.end()
               ? nullptr
               : &table_.rows[row][static_cast<std::size_t>(column - table_.columns.begin())];
  }
  const analysis::Table& table_;
};

/// Column of a table as a curve.
struct Value {
  std::string_view key, title;
};

void put(Curve& curve, double x, std::optional<double> y) {
  if (y) curve.dots.push_back({x, *y, *y, *y});
}

/// File name of a table: it begins with the name of its suite.
std::string in_suite(const std::string& id) {
  if (id.starts_with("beff_")) return "b-eff_" + id.substr(5);
  if (id.starts_with("beffio_")) return "b-eff-io_" + id.substr(7);
  return id;
}

Plot plot_of(const Section& section, const std::string& end, std::string_view label, std::string_view unit) {
  Plot plot{.name = file_name(in_suite(section.id) + (end.empty() ? "" : "_" + end)), .title = section.title};
  plot.y_label = label;
  plot.unit = unit;
  return plot;
}

/// Plots with a line of its own for every name: paths and patterns of b_eff.
std::vector<Plot> marks(const Section& section, std::string_view name, std::span<const Value> values) {
  const Rows rows(section);
  std::vector<Plot> list;
  for (const auto& [processes, group] : rows.by({"processes"})) {
    Plot plot = plot_of(section, processes, "bandwidth of all processes", "byte/s");
    plot.title += fmt::format(", {} processes", processes);
    plot.shape = Shape::marks;
    for (const auto row : group) {
      const double place = place_of(plot.names, rows.word(row, name));
      for (const auto& [key, title] : values) {
        const auto value = rows.number(row, key);
        put(curve_of(plot.curves, std::string(title)), place, value ? std::optional(*value * giga) : value);
      }
    }
    list.push_back(std::move(plot));
  }
  return list;
}

constexpr auto averages = std::to_array<Value>({{"rings", "rings"}, {"random", "random"}, {"both", "both"}});

std::vector<Plot> beff_paths(const Section& section) {
  return marks(section, "path", averages);
}

std::vector<Plot> beff_patterns(const Section& section) {
  constexpr auto values =
      std::to_array<Value>({{"average", "average over lengths"}, {"longest", "at the longest"}});
  return marks(section, "pattern", values);
}

std::vector<Plot> beff_lengths(const Section& section) {
  const Rows rows(section);
  std::vector<Plot> list;
  for (const auto& [processes, group] : rows.by({"processes"})) {
    Plot plot = plot_of(section, processes, "bandwidth of all processes", "byte/s");
    plot.title += fmt::format(", {} processes", processes);
    plot.x_label = "message length";
    for (const auto row : group)
      for (const auto& [key, title] : averages)
        if (const auto value = rows.number(row, key))
          put(curve_of(plot.curves, std::string(title)), rows.number(row, "length_byte").value_or(0),
              *value * giga);
    list.push_back(std::move(plot));
  }
  return list;
}

std::vector<Plot> beffio_types(const Section& section) {
  const Rows rows(section);
  std::vector<Plot> list;
  for (const auto& [processes, group] : rows.by({"processes"})) {
    Plot plot = plot_of(section, processes, "bandwidth", "byte/s");
    plot.title += fmt::format(", {} processes", processes);
    plot.x_label = "pattern type";
    for (const auto row : group)
      if (const auto value = rows.number(row, "mbyte_s"))
        put(curve_of(plot.curves, rows.word(row, "access")), place_of(plot.names, rows.word(row, "type")),
            *value * mega);
    list.push_back(std::move(plot));
  }
  return list;
}

/// Plot of the time of each phase of a size: bars of three parts.
Plot phases_of(const Section& section, const std::vector<std::size_t>& group, const std::string& end) {
  constexpr auto parts = std::to_array<Value>(
      {{"io_s", "I/O"}, {"communication_s", "communication"}, {"rest_s", "computation and waiting"}});
  const Rows rows(section);
  const auto first = [&](std::string_view key) { return rows.word(group.front(), key); };
  Plot plot = plot_of(section, end, "time", "s");
  plot.title =
      fmt::format("Phases of FTIO, matrix of order {}, {} processes", first("order"), first("processes"));
  if (const auto files = first("case"); !files.empty()) plot.title += ", " + files;
  plot.shape = Shape::bars;
  plot.y = Axis::linear;
  plot.x_label = "phase";
  for (const auto row : group) {
    const double place = place_of(plot.names, rows.word(row, "phase"));
    double below = 0;
    for (const auto& [key, title] : parts) {
      const double value = rows.number(row, key).value_or(0);
      curve_of(plot.curves, std::string(title)).dots.push_back({place, value, below, below + value});
      below += value;
    }
  }
  return plot;
}

/// A plot of each size, and of each use of its files where there are several.
std::vector<Plot> ftio_phases(const Section& section) {
  const Rows rows(section);
  std::vector<Plot> list;
  for (const auto& [size, of_size] : rows.by({"processes", "order"})) {
    const auto uses = rows.by({"case"}, of_size);
    for (const auto& [use, group] : uses)
      list.push_back(phases_of(section, group, uses.size() > 1 ? size + "_" + use : size));
  }
  return list;
}

std::vector<Plot> ftio_shares(const Section& section) {
  const Rows rows(section);
  Plot plot = plot_of(section, "", "I/O of the whole time", "");
  plot.name = "ftio_share_of_io";
  plot.x_label = "elements of the matrix";
  plot.x = Axis::logarithmic;
  plot.y = Axis::share;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool own = rows.number(row, "own") == 1.0;
    put(curve_of(plot.curves, fmt::format("{}{}, {} processes", own ? "" : "published: ",
                                          rows.word(row, "curve"), rows.word(row, "processes"))),
        rows.number(row, "elements").value_or(0), rows.number(row, "io_fraction"));
  }
  return {std::move(plot)};
}

std::vector<Plot> over_time(const Section& section, std::span<const Value> values, double unit,
                            std::string_view label) {
  const Rows rows(section);
  Plot plot = plot_of(section, "", label, "s");
  plot.x_label = "seconds after the start";
  plot.joined = false;  // other measurements lie between looks
  plot.x = Axis::linear;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (const auto& [key, title] : values)
      if (const auto value = rows.number(row, key))
        put(curve_of(plot.curves, std::string(title)), rows.number(row, "at_s").value_or(0), *value * unit);
  return {std::move(plot)};
}

std::vector<Plot> speed_over_time(const Section& section) {
  constexpr auto values =
      std::to_array<Value>({{"chain_us", "dependent operations"}, {"wide_us", "independent operations"}});
  return over_time(section, values, micro, "time of the same work");
}

std::vector<Plot> clock_over_time(const Section& section) {
  constexpr auto values =
      std::to_array<Value>({{"median_ns", "median error"}, {"largest_ns", "largest error"}});
  return over_time(section, values, nano, "error of the common clock");
}

struct Maker {
  std::string_view id;
  std::vector<Plot> (*make)(const Section& section);
};
constexpr auto makers = std::to_array<Maker>({
    {"beff_paths", beff_paths},
    {"beff_lengths", beff_lengths},
    {"beff_patterns", beff_patterns},
    {"beffio_types", beffio_types},
    {"ftio_phases", ftio_phases},
    {"B14", ftio_shares},
    {"speed_over_time", speed_over_time},
    {"clock_over_time", clock_over_time},
});

}  // namespace

std::vector<Plot> table_plots(const analysis::Tables& tables) {
  std::vector<Plot> list;
  for (const Section& section : tables) {
    const auto maker = std::ranges::find(makers, section.id, &Maker::id);
    if (maker == makers.end() || section.table.rows.empty()) continue;
    for (Plot& plot : maker->make(section))
      for (Plot& one : divided(std::move(plot))) list.push_back(std::move(one));
  }
  return list;
}

}  // namespace steelyard::formats::gnuplot
