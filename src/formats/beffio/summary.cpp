// SPDX-License-Identifier: Apache-2.0
// The summary of a partition and the last line. Blanks and misspellings belong to the format: tools look for them.
#include <fmt/format.h>

#include "analysis/warnings.hpp"
#include "formats/beff/print.hpp"
#include "formats/beffio/sections.hpp"
#include "suites/beffio/patterns.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

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
    return static_cast<std::int64_t>(scattered->chunk_byte);
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
    case Kind::shared:
      return "type 1 with shared file pointers";
    case Kind::errors:
      return fmt::format("no errors in the data, found {:.0f}", actual);
    case Kind::space:
      return "no pattern ended early for lack of space";
    case Kind::complete:
      return "all patterns measured";
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

}  // namespace

std::string errors(std::int64_t count) {
  return count > 0 ? fmt::format(", with {} ERRORS --!--!--!--", count) : std::string();
}

std::string x_tics(const Source& source) {
  constexpr std::array<std::string_view, rows_of_table - 1> words = {"1k", "+8", "32k", "+8", "1M", "+8"};
  std::string text = "(";
  for (std::size_t i = 0; i < words.size(); ++i) text += fmt::format("'{}' {}, ", words[i], x_positions[i]);
  return text + fmt::format("'{}' {})", largest_chunk(source), x_positions.back());
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

}  // namespace steelyard::formats::beffio
