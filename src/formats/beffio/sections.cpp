// SPDX-License-Identifier: Apache-2.0
#include "formats/beffio/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "analysis/warnings.hpp"
#include "formats/beff/print.hpp"
#include "record/clipped.hpp"
#include "suites/beffio/patterns.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

// The summary of a partition and the last line, whose blanks and misspellings belong to the format, as tools look for
// them; the figures' data sets and the gnuplot script that draws them.
namespace steelyard::formats::beffio {
namespace {

using analysis::BeffioCriterion;
using analysis::BeffioPartition;
using steelyard::beffio::PatternFigures;
using units::format_fixed;

constexpr int rows_of_table = 7;
constexpr double marked_as_wrong = -999.999;
constexpr std::string_view not_measured = "        -";

std::string cell(double byte_s) {
  return fmt::format(" {:>8}", format_fixed(byte_s / 1e6, 3));
}
std::string cell(const std::optional<double>& byte_s) {
  return byte_s ? cell(*byte_s) : std::string(not_measured);
}
std::string cell(const PatternFigures* pattern) {
  if (pattern == nullptr) return std::string(not_measured);
  return pattern->errors > 0 ? cell(marked_as_wrong * 1e6) : cell(pattern->byte_s());
}

constexpr std::array<std::int64_t, rows_of_table - 1> chunks_of_rows = {1024,  1032,    32768,
                                                                        32776, 1048576, 1048584};

/// Chunk of a row. The largest is that of shared files if that one is smaller.
std::int64_t chunk_of_row(const Source& source, const BeffioPartition& partition, int position) {
  if (position < rows_of_table) return chunks_of_rows[static_cast<std::size_t>(position - 1)];
  const auto* scattered = partition.at_position(analysis::beffio_write, 0, position);
  if (source.frame.largest_together_byte && scattered != nullptr)
    return record::clipped<std::int64_t>(scattered->chunk_byte);
  return source.frame.largest_chunk_byte.value_or(2 * mebi.count());
}

std::string table(const Source& source, const BeffioPartition& partition, std::size_t access) {
  const auto name = analysis::beffio_accesses[access];
  std::string text;
  for (int position = 1; position <= rows_of_table; ++position) {
    text += fmt::format("{:4} PEs {:1} {:8} {:<7}", partition.processes(), position,
                        chunk_of_row(source, partition, position), name);
    for (std::size_t t = 0; t < analysis::beffio_type_count; ++t)
      text += cell(partition.at_position(access, t, position));
    text += "\n";
  }
  text += fmt::format("{:4} PEs      total-{:<7}", partition.processes(), name);
  for (const auto& value : partition.type_values(access)) text += cell(value);
  return text + "\n\n";
}

std::string tables(const Source& source, const BeffioPartition& partition) {
  std::string text =
      fmt::format("Summary of file I/O bandwidth accumulated on {:3} processes with {} MByte/PE\n",
                  partition.processes(), mebibytes_per_process(source, 4));
  text += std::string(77, '-') +
          "\n\n"
          " number pos chunk-   access   type=0   type=1   type=2   type=3   type=4\n"
          " of PEs     size (l) methode scatter  shared  separate segmened seg-coll\n"
          "            [bytes]  methode  [MB/s]   [MB/s]   [MB/s]   [MB/s]   [MB/s]\n"
          " -----------------------------------------------------------------------\n\n";
  for (std::size_t a = 0; a < analysis::beffio_access_count; ++a) text += table(source, partition, a);
  return text;
}

std::string pattern_2(const BeffioPartition& partition) {
  const auto value = [&](std::size_t access) {
    return cell(partition.at_position(access, 0, steelyard::beffio::extra_position));
  };
  return fmt::format("  bw_pat2={} MB/s write,{} MB/s rewrite,{} MB/s read\n", value(analysis::beffio_write),
                     value(analysis::beffio_rewrite), value(analysis::beffio_read));
}

/// Table of random access, an addition of ours after all parts of the definition.
std::string random_access(const Source& source, const BeffioPartition& partition) {
  if (!partition.has_random()) return "";
  std::string text = fmt::format(
      "\n   random access on {} processes, no part of b_eff_io: MB/s by chunk size\n"
      "     pos    chunk    write  rewrite     read\n",
      partition.processes());
  for (int position = 1; position <= rows_of_table; ++position) {
    text += fmt::format("   {:5} {:8}", position, chunk_of_row(source, partition, position));
    for (std::size_t a = 0; a < analysis::beffio_access_count; ++a)
      text += cell(partition.random_at_position(a, position));
    text += "\n";
  }
  text += "       all chunks";
  for (std::size_t a = 0; a < analysis::beffio_access_count; ++a) {
    const auto all = partition.random(a);
    text += cell(all ? std::optional(all->byte_s()) : std::nullopt);
  }
  return text + "\n";
}

std::string minutes(double seconds) {
  return format_fixed(seconds / 60, 1);
}

/// Tics at x_positions.
std::string x_tics(const Source& source) {
  constexpr std::array<std::string_view, rows_of_table - 1> words = {"1k", "+8", "32k", "+8", "1M", "+8"};
  std::string text = "(";
  for (std::size_t i = 0; i < words.size(); ++i) text += fmt::format("'{}' {}, ", words[i], x_positions[i]);
  return text + fmt::format("'{}' {})", largest_chunk(source), x_positions.back());
}

/// Block for gnuplot: scripts take out the lines that begin with "  set " and load them.
std::string gnuplot_block(const Source& source, const BeffioPartition& partition) {
  std::string text = "(For gnuplot:)\n";
  text += "  set xtics " + x_tics(source) + "\n";
  text += fmt::format("  set title 'b_eff_io on {} processes' offset 0,-4\n", partition.processes());
  text += "  set label 1 'b_eff_io' at graph 0.02,0.95\n";
  text += fmt::format("  set label 2 'rel. 2.1, {}' at graph 0.02,0.90\n", release(source));
  text += fmt::format("  set label 3 'T={}min' at graph 0.02,0.85\n", minutes(source.frame.scheduled_s));
  text += fmt::format("  set label 4 'n={}' at graph 0.02,0.80\n", partition.processes());
  if (!partition.shared_pointers())
    text +=
        "  set label 5 'type 1 with individual' at graph 0.02,0.75\n"
        "  set label 6 'file pointers' at graph 0.02,0.70\n";
  return text + "\n";
}

std::string averages(const Source& source, const BeffioPartition& partition) {
  std::string text;
  for (std::size_t a = 0; a < analysis::beffio_access_count; ++a)
    text += fmt::format("weighted average bandwidth for {:<7} :{} MB/s on {} processes\n",
                        analysis::beffio_accesses[a], cell(partition.access_value(a)), partition.processes());
  const double volume = partition.total(analysis::beffio_write).moved_byte;
  text += fmt::format("Total amount of data written/read with each access method: {:>8} MBytes\n",
                      format_fixed(volume / static_cast<double>(mebi.count()), 3));
  const auto memory = source.frame.system_memory_byte;
  if (memory && *memory > 0)
    text += fmt::format("  = {:>4} percent of the total memory ({} MBytes)\n",
                        format_fixed(100 * volume / static_cast<double>(*memory), 1), *memory / mebi.count());
  return text + "\n";
}

std::string value_line(const Source& source, const BeffioPartition& partition) {
  return fmt::format(
      " b_eff_io of these measurements ={} MB/s on {} processes with {} MByte/PE and scheduled time={} "
      "min{}\n",
      cell(analysis::beffio_value(partition, source.frame.formula)), partition.processes(),
      mebibytes_per_process(source, 3), minutes(source.frame.scheduled_s), errors(partition.errors()));
}

/// Additions of ours beside the value: none of these lines looks like one that tools search.
std::string beside(const Source& source, const BeffioPartition& partition) {
  const bool published = source.frame.formula == "published";
  std::string text =
      fmt::format("   by the {} it is{} MB/s\n",
                  published ? "formula of release 2.x" : "weights 25%, 25%, 50% of the definition",
                  cell(published ? partition.release2_value() : partition.published_value()));
  if (partition.only_type_0_rewritten())
    text += "   only type 0 was rewritten: its value stands for the rewrite\n";
  const auto memory = source.frame.system_memory_byte;
  for (const std::size_t a : {analysis::beffio_write, analysis::beffio_read}) {
    const auto value = partition.access_value(a);
    if (memory && value && *value > 0)
      text += fmt::format("   to {} the total memory takes {} min (a balanced system: about 10)\n",
                          analysis::beffio_accesses[a], minutes(static_cast<double>(*memory) / *value));
  }
  return text;
}

std::string_view reached(const BeffioCriterion& criterion) {
  return criterion.reached ? "reached" : "NOT reached";
}

std::string line(const BeffioCriterion& criterion) {
  using Kind = BeffioCriterion::Kind;
  const double actual = criterion.actual.value_or(0), required = criterion.required.value_or(0);
  switch (criterion.kind) {
    case Kind::time:
      return fmt::format("scheduled time {} min, at least {} min", minutes(actual), minutes(required));
    case Kind::shared: return "type 1 with shared file pointers";
    case Kind::errors: return fmt::format("no errors in the data, found {:.0f}", actual);
    case Kind::space: return "no pattern ended early for lack of space";
    case Kind::complete: return "all patterns measured";
    case Kind::cache:
      if (!criterion.actual) return "data of each access method at least 20 times the cache (one is unknown)";
      return fmt::format("data of each access method {} times the cache, at least 20",
                         format_fixed(actual, 2));
    case Kind::volume:
      if (!criterion.required) return "data of each access method at least 300 s of writing (one is unknown)";
      return fmt::format("data of each access method {} MB, at least {} MB (300 s of writing)",
                         format_fixed(actual / 1e6, 3), format_fixed(required / 1e6, 3));
  }
  return {};
}

/// What the criteria do not tell, and a summary holds against the value all the same.
std::vector<std::string> departures(const Source& source) {
  auto list = source.frame.not_official_because;
  if (source.run.crowded()) list.emplace_back(analysis::crowded_words);
  return list;
}

std::string verdict(const Source& source, const BeffioPartition& partition) {
  const auto criteria = analysis::beffio_criteria(partition, source.frame, source.partitions());
  std::string text;
  for (const auto& criterion : criteria)
    if (!criterion.decides) text += fmt::format("   {}: {}\n", line(criterion), reached(criterion));
  const auto departed = departures(source);
  const bool good = analysis::valid(criteria) && departed.empty();
  text += good ? " VALID for comparison of different systems\n"
               : " NOT VALID for comparison of different systems\n";
  if (good) return text;
  for (const auto& criterion : criteria)
    if (criterion.decides) text += fmt::format("   {}: {}\n", line(criterion), reached(criterion));
  for (const auto& reason : departed)
    text += fmt::format("   {}: departs from the rule\n", beff::plain(reason));
  return text;
}

bool comparable(const Source& source, const BeffioPartition& partition) {
  return departures(source).empty() &&
         analysis::valid(analysis::beffio_criteria(partition, source.frame, source.partitions()));
}

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

std::string errors(std::int64_t count) {
  return count > 0 ? fmt::format(", with {} ERRORS --!--!--!--", count) : std::string();
}

std::string partition(const Source& source, const BeffioPartition& partition) {
  return tables(source, partition) + pattern_2(partition) + gnuplot_block(source, partition) +
         averages(source, partition) + value_line(source, partition) + beside(source, partition) +
         verdict(source, partition) + random_access(source, partition);
}

std::string last_line(const Source& source) {
  const BeffioPartition* best = source.run.best(source.frame.formula);
  const auto& shown = best != nullptr ? *best : source.run.partitions().front();
  const auto system = beff::uname(source.head.machine, source.head.layout);
  return fmt::format(
      " b_eff_io ={} MB/s on {} processes with {} MByte/PE, scheduled time={} Min, on {} {} {} {} {}{}{}",
      cell(analysis::beffio_value(shown, source.frame.formula)), shown.processes(),
      mebibytes_per_process(source, 3), minutes(source.frame.scheduled_s), system.sysname, system.nodename,
      system.release, system.version, system.machine,
      comparable(source, shown) ? "" : ", NOT VALID (see above)", errors(shown.errors()));
}

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
