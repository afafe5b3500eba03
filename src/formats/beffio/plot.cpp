// SPDX-License-Identifier: Apache-2.0
// Figures: data sets and the gnuplot script that draws them.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/beff/print.hpp"
#include "formats/beffio/sections.hpp"
#include "units/text.hpp"

namespace steelyard::formats::beffio {
namespace {

using analysis::BeffioPartition;

constexpr std::array<std::string_view, analysis::beffio_access_count> file_words = {"write", "rewrt", "read"};
constexpr std::array<std::string_view, analysis::beffio_type_count> type_files = {
    "type0_sca", "type1_sha", "type2_sep", "type3_seg", "type4_sgc"};
constexpr std::array<std::string_view, analysis::beffio_type_count> type_titles = {
    "scatter, collective (type 0)", "shared, collective (type 1)", "separated files (type 2)",
    "segmented (type 3)", "segmented, collective (type 4)"};
constexpr std::string_view missing = "NaN";

std::string plotted(const std::optional<double>& byte_s) {
  if (!byte_s || !(*byte_s > 0)) return fmt::format(" {:>12}", missing);
  return fmt::format(" {:>12}", units::format_fixed(*byte_s / 1e6, 3));
}

/// Value of a row; nullopt if its data were wrong.
std::optional<double> value(const BeffioPartition& partition, std::size_t access, std::size_t type,
                            std::size_t row) {
  const auto* pattern = partition.at_position(access, type, static_cast<int>(row) + 1);
  if (pattern == nullptr || pattern->errors > 0) return std::nullopt;
  return pattern->byte_s();
}

std::string data_set(const BeffioPartition& partition, std::size_t access) {
  std::string text = fmt::format("# {} processes, {}: x, then MB/s of types 0 to 4\n", partition.processes(),
                                 analysis::beffio_accesses[access]);
  for (std::size_t row = 0; row < x_positions.size(); ++row) {
    text += fmt::format("{:3}", x_positions[row]);
    for (std::size_t t = 0; t < analysis::beffio_type_count; ++t)
      text += plotted(value(partition, access, t, row));
    text += "\n";
  }
  return text + "\n\n";
}

std::string partitions_set(const Source& source) {
  std::string text = "# processes, then MB/s of b_eff_io, write, rewrite, read\n";
  for (const auto& partition : source.run.partitions()) {
    text += fmt::format("{:6}", partition.processes()) +
            plotted(analysis::beffio_value(partition, source.frame.formula));
    for (std::size_t a = 0; a < analysis::beffio_access_count; ++a)
      text += plotted(partition.access_value(a));
    text += "\n";
  }
  return text;
}

double largest_byte_s(const Source& source) {
  double most = 0;
  for (const auto& partition : source.run.partitions())
    for (std::size_t a = 0; a < analysis::beffio_access_count; ++a)
      for (std::size_t t = 0; t < analysis::beffio_type_count; ++t)
        for (std::size_t row = 0; row < x_positions.size(); ++row)
          most = std::max(most, value(partition, a, t, row).value_or(0));
  return most;
}

/// One curve: data set, column of the value, title.
struct Curve {
  std::size_t index;
  std::size_t column;
  std::string title;
  bool has_values;
};

class Script {
 public:
  explicit Script(const Source& source) : source_(source) {}

  void head() {
    double most = 1e5;  // MB/s
    while (most <= largest_byte_s(source_) / 1e6) most *= 10;
    text_ += fmt::format(
        "set term postscript eps noenhanced {} 'Times-Roman' 18\n"
        "set logscale y\nset yrange [0.1:{:g}]\nset ylabel 'bandwidth [MB/s]'\n"
        "set key bottom right opaque font 'Times-Roman,15' spacing 0.9\n",
        source_.options.colour ? "color" : "monochrome", most);
    if (source_.options.colour) text_ += "set linetype 5 linecolor rgb '#8c564b'\n";
  }
  void by_chunk() {
    text_ +=
        fmt::format("set xrange [0.5:10.5]\nset xtics {}\nset xlabel 'contiguous chunks on disk [bytes]'\n",
                    x_tics(source_));
  }
  void by_partition() {
    std::string tics;
    int most = 1;
    for (const auto& partition : source_.run.partitions()) {
      tics += fmt::format("{}{}", tics.empty() ? "" : ", ", partition.processes());
      most = std::max(most, partition.processes());
    }
    text_ += fmt::format("unset label\nset xrange [0:{}]\nset xtics ({})\nset xlabel 'processes'\n", most + 1,
                         tics);
  }
  void labels(const BeffioPartition& partition) {
    text_ += fmt::format(
        "\nunset label\nset label 1 'b_eff_io' at graph 0.02,0.95\nset label 2 {} at graph 0.02,0.90\n"
        "set label 3 'T={}min' at graph 0.02,0.85\nset label 4 'n={}' at graph 0.02,0.80\n",
        beff::in_quotes(release(source_)), units::format_fixed(source_.frame.scheduled_s / 60, 1),
        partition.processes());
    if (!partition.shared_pointers())
      text_ += "set label 5 'type 1: individual pointers' at graph 0.02,0.75\n";
  }
  void figure(const std::string& name, const std::string& title, const std::vector<Curve>& curves) {
    std::vector<std::string> list;
    for (const auto& curve : curves)
      if (curve.has_values)
        list.push_back(fmt::format("{} index {} using 1:{} title {} with linespoints lt {} pt {}",
                                   beff::in_quotes(source_.options.prefix + ".plot"), curve.index,
                                   curve.column, beff::in_quotes(curve.title), &curve - curves.data() + 1,
                                   &curve - curves.data() + 1));
    if (list.empty()) list.emplace_back("NaN title 'not measured'");
    text_ += fmt::format("set output {}\nset title {}\nplot {}\n",
                         beff::in_quotes(source_.options.prefix + "_" + name + ".eps"),
                         beff::in_quotes(title), fmt::join(list, ", \\\n     "));
  }
  [[nodiscard]] std::string take() { return std::move(text_) + "\nset output\n"; }

 private:
  const Source& source_;
  std::string text_;
};

Curve curve(const BeffioPartition& partition, std::size_t number, std::size_t access, std::size_t type,
            std::string_view title) {
  bool any = false;
  for (std::size_t row = 0; row < x_positions.size(); ++row)
    any = any || value(partition, access, type, row).has_value();
  return {number * analysis::beffio_access_count + access, type + 2, std::string(title), any};
}

void draw(Script& script, const BeffioPartition& partition, std::size_t number) {
  const std::string begin = fmt::format("n{}_", partition.processes());
  script.labels(partition);
  for (std::size_t a = 0; a < analysis::beffio_access_count; ++a) {
    std::vector<Curve> curves;
    for (std::size_t t = 0; t < analysis::beffio_type_count; ++t)
      curves.push_back(curve(partition, number, a, t, type_titles[t]));
    script.figure(begin + std::string(file_words[a]), std::string(analysis::beffio_accesses[a]), curves);
  }
  for (std::size_t t = 0; t < analysis::beffio_type_count; ++t) {
    std::vector<Curve> curves;
    for (std::size_t a = 0; a < analysis::beffio_access_count; ++a)
      curves.push_back(curve(partition, number, a, t, analysis::beffio_accesses[a]));
    script.figure(begin + std::string(type_files[t]), std::string(type_titles[t]), curves);
  }
}

void draw_partitions(Script& script, const Source& source) {
  const auto& partitions = source.run.partitions();
  const std::size_t index = partitions.size() * analysis::beffio_access_count;
  std::vector<Curve> curves;
  const auto has = [&](auto value_of) { return std::ranges::any_of(partitions, value_of); };
  curves.push_back({index, 2, "b_eff_io", has([&](const auto& p) {
                      return analysis::beffio_value(p, source.frame.formula).has_value();
                    })});
  for (std::size_t a = 0; a < analysis::beffio_access_count; ++a)
    curves.push_back({index, 3 + a, std::string(analysis::beffio_accesses[a]),
                      has([a](const auto& p) { return p.access_value(a).has_value(); })});
  script.by_partition();
  script.figure("parts", "b_eff_io and its access methods", curves);
}

}  // namespace

std::string plot_data(const Source& source) {
  std::string text;
  for (const auto& partition : source.run.partitions())
    for (std::size_t a = 0; a < analysis::beffio_access_count; ++a) text += data_set(partition, a);
  return text + partitions_set(source);
}

std::string gnuplot_script(const Source& source) {
  Script script(source);
  script.head();
  script.by_chunk();
  const auto& partitions = source.run.partitions();
  for (std::size_t i = 0; i < partitions.size(); ++i) draw(script, partitions[i], i);
  if (partitions.size() > 1) draw_partitions(script, source);
  return script.take();
}

}  // namespace steelyard::formats::beffio
