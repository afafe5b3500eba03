// SPDX-License-Identifier: Apache-2.0
#include "formats/beffio/files.hpp"

#include <fmt/format.h>

#include "formats/beff/print.hpp"
#include "formats/beffio/sections.hpp"
#include "formats/imb/head.hpp"
#include "record/json.hpp"
#include "suites/beffio/settings.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::formats {

BeffioFiles beffio_files(const record::RunRecord& head, const analysis::BeffioRun& run,
                         const analysis::BeffioFrame& frame, std::optional<double> elapsed_s,
                         const BeffioFilesOptions& options) {
  const beffio::Source source{head, run, frame, elapsed_s, options};
  BeffioFiles files;
  files.last_line = beffio::last_line(source);
  files.prot = beffio::head(source) + beffio::protocol(source) + files.last_line + "\n";
  files.sum = beffio::head(source);
  for (const auto& partition : run.partitions()) files.sum += "\n" + beffio::partition(source, partition);
  files.sum += "\n" + files.last_line + "\n";
  files.plot = beffio::plot_data(source);
  files.gps = beffio::gnuplot_script(source);
  return files;
}

}  // namespace steelyard::formats

namespace steelyard::formats::beffio {
namespace {

using beff::plain;

std::string partitions(const Source& source) {
  std::string text;
  for (const auto& one : source.run.partitions())
    text += (text.empty() ? "" : ",") + std::to_string(one.processes());
  return text;
}

std::string mebibytes(const std::optional<std::int64_t>& byte) {
  return byte ? std::to_string(*byte / mebi.count()) : "-";
}

/// Options that differ from the defaults of the published release or of this program.
std::string options(const Source& source) {
  const auto& frame = source.frame;
  std::string text;
  if (!source.options.hint_file.empty()) text += " -i " + plain(source.options.hint_file);
  if (!frame.shared_pointers) text += ", -noshared";
  text += frame.unique ? ", -unique" : ", -nounique";
  text += frame.rewrite_all ? ", -rewrite" : ", -norewrite";
  if (frame.keep) text += ", -keep";
  if (frame.formula != "published") text += ", -formula " + frame.formula;
  if (frame.order != "access") text += ", -order " + frame.order;
  if (frame.control != "batched") text += ", -control " + frame.control;
  if (frame.align_byte != mebi.count()) text += fmt::format(", -align {}", frame.align_byte);
  if (frame.drop_cache) text += ", -dropcache";
  if (frame.largest_together_byte)
    text += fmt::format(", -mpart {}/n GB", *frame.largest_together_byte / gibi.count());
  if (frame.random) text += ", -random";
  if (frame.most_byte) text += fmt::format(", -maxbytes {}", *frame.most_byte);
  return text;
}

std::string file_system(const Source& source) {
  const auto& io = source.head.io.json();
  if (!io.is_object() || !io.contains("type") || !io["type"].is_string()) return "";
  std::string text = "       file system : " + plain(io["type"].get<std::string>());
  if (io.contains("mount_point") && io["mount_point"].is_string())
    text += " at " + plain(io["mount_point"].get<std::string>());
  if (io.contains("free_byte") && io["free_byte"].is_number())
    text += fmt::format(", {} MBytes free", io["free_byte"].get<std::int64_t>() / mebi.count());
  if (io.contains("options") && io["options"].is_string())
    text += ", " + plain(io["options"].get<std::string>());
  return text + "\n";
}

/// Conditions to report beside the value: the placement of processes on nodes, and the library.
std::string usage(const Source& source) {
  const auto& head = source.head;
  return fmt::format(
      "       nodes       : {}\n       per node    : {} processes\n       threads     : {} per process\n"
      "       MPI library : {}\n",
      head.nodes, beff::processes_per_node(head), head.threads_per_process,
      beff::member(head.mpi.json(), "library"));
}

using analysis::BeffioPartition;
using steelyard::beffio::PatternFigures;

using prefix::mega;
constexpr std::array<std::string_view, analysis::beffio_access_count> headings = {"initial write", "rewrite",
                                                                                  "read"};

std::string fixed(double value, int width, int decimals) {
  return fmt::format("{:>{}}", units::format_fixed(value, decimals), width);
}
std::string megabytes_s(const std::optional<double>& byte_s) {
  return beff::number(beff::megabytes(byte_s), 8, 3);
}

/// Whether the pattern's hints came with a view of its own; otherwise by MPI_File_set_info.
bool sets_view(const PatternFigures& p) {
  using steelyard::beffio::Pointer;
  return steelyard::beffio::sets_view(p.number, p.shared_pointer() ? Pointer::shared : Pointer::individual);
}

/// One access method of one partition.
class AccessSection {
 public:
  AccessSection(const Source& source, const BeffioPartition& partition, std::size_t access)
      : source_(source), partition_(partition), access_(access) {}

  [[nodiscard]] std::string text() const {
    std::string lines;
    for (std::size_t t = 0; t < analysis::beffio_type_count; ++t) lines += type(t);
    if (!lines.empty()) lines += total();
    return lines + random();
  }

 private:
  [[nodiscard]] std::string type(std::size_t t) const {
    std::string lines;
    const auto span = patterns_of(steelyard::beffio::pattern_types[t]);
    for (std::size_t p = span.first; p <= span.last(); ++p)
      if (const auto& pattern = partition_.pattern(access_, p)) lines += row(t, *pattern) + remarks(*pattern);
    if (const auto found = partition_.type(access_, t)) lines += total(t, *found);
    return lines;
  }
  /// Lines of random access, an addition of ours after the total of the definition: shown as type 5.
  [[nodiscard]] std::string random() const {
    std::string lines;
    for (std::size_t i = 0; i < analysis::beffio_random_count; ++i)
      if (const auto& pattern = partition_.random_pattern(access_, i))
        lines += row(analysis::beffio_type_count, *pattern) + remarks(*pattern);
    if (const auto found = partition_.random(access_)) lines += total(analysis::beffio_type_count, *found);
    return lines;
  }
  [[nodiscard]] std::string row(std::size_t t, const PatternFigures& p) const {
    std::string line = fmt::format(
        " n={:<3} a={} type={} p={:2} Tp={} l={:8.0f} L={:8.0f} {:<16} r={:5.0f} S={} MB t={} ",
        partition_.processes(), access_, t, p.number, fixed(p.scheduled_s, 5, 2), p.chunk_byte, p.memory_byte,
        beff::plain(p.file), p.calls, fixed(p.moved_byte / mega, 8, 3), fixed(p.time_s, 5, 2));
    line += fmt::format("={}+{}+{}+{} {} {} bw={} MB/s", fixed(p.io_s, 6, 3), fixed(p.barrier_s, 6, 3),
                        fixed(p.broadcast_s, 5, 3), fixed(p.sync_s, 5, 3), fixed(p.last_call_s, 5, 3),
                        fixed(p.last_control_s, 5, 3), fixed(p.byte_s() / mega, 8, 3));
    if (p.errors > 0) line += fmt::format(" {} ERRORS", p.errors);
    return line + "\n";
  }
  /// Lines of hints: where they hold, in the fields of a rule, and what they are.
  [[nodiscard]] std::string hints(const PatternFigures& p) const {
    std::string lines;
    const auto tell = [&](const std::string& what, std::string_view chunk, const std::string& told) {
      if (!told.empty())
        lines += fmt::format("   {}: {} {} {} {} :: {}\n", what, partition_.processes(), name(),
                             beff::plain(p.type), chunk, beff::plain(told));
    };
    const std::string chunk = p.position == steelyard::beffio::largest_position
                                  ? std::string("Lmax")
                                  : fmt::format("{:.0f}", p.chunk_byte);
    tell("file_info on File_open", "on_open", p.open_hints);
    tell(fmt::format("{} p{:02}", sets_view(p) ? "file_info File_view" : "File_info", p.number), chunk,
         p.hints);
    tell(fmt::format("file_info USED ON   p{:02}", p.number), chunk, p.hints_in_effect);
    return lines;
  }
  /// Lines that the release does not print.
  [[nodiscard]] std::string remarks(const PatternFigures& p) const {
    std::string lines = hints(p);
    if (!p.cut.empty())
      lines +=
          fmt::format("   p{:02} was ended early: {}\n", p.number,
                      p.cut == "space" ? "too little space on the file system" : "limit of the total volume");
    if (p.overlong)
      lines += fmt::format("   p{:02} took more than four times as long as scheduled\n", p.number);
    if (!p.first_error.empty()) lines += fmt::format("   p{:02} {}\n", p.number, beff::plain(p.first_error));
    return lines;
  }
  [[nodiscard]] std::string total(std::size_t t, const analysis::BeffioType& type) const {
    std::optional<double> weighted_byte_s;  // patterns of random access have no weights
    if (t < analysis::beffio_type_count) weighted_byte_s = type.weighted_byte_s;
    std::string line =
        fmt::format(" total pattern type:  S={} MB  t={} t_op={} t_cl={} wbw={} MB/s b_eff_io_{}_{}={} MB/s",
                    fixed(type.moved_byte / mega, 7, 3), fixed(type.total_s(), 4, 2),
                    fixed(type.open_s, 4, 2), fixed(type.close_s, 4, 2), megabytes_s(weighted_byte_s), name(),
                    t, fixed(type.byte_s() / mega, 8, 3));
    if (type.segment_byte)
      line += fmt::format(" Lseg={:1.0f} MBytes", *type.segment_byte / static_cast<double>(mebi.count()));
    return line + "\n";
  }
  [[nodiscard]] std::string total() const {
    const auto all = partition_.total(access_);
    const double scheduled_s = source_.frame.scheduled_s / static_cast<double>(source_.partitions());
    return fmt::format(
        " total access method: S={} MB  t={} (Tn={:1.0f}sec) bw={} MB/s, wbw={} MB/s, b_eff_io_{}={} MB/s\n",
        fixed(all.moved_byte / mega, 7, 3), fixed(all.time_s, 4, 2), scheduled_s,
        fixed(all.byte_s() / mega, 8, 3), megabytes_s(all.weighted_byte_s), name(),
        megabytes_s(partition_.access_value(access_)));
  }
  [[nodiscard]] std::string_view name() const { return analysis::beffio_accesses[access_]; }

  const Source& source_;
  const BeffioPartition& partition_;
  std::size_t access_;
};

std::string total(const Source& source, const BeffioPartition& partition) {
  const auto all = partition.total();
  return fmt::format(" total partition: n={:<3} S={} MB  t={} bw={} MB/s, wbw={} MB/s, b_eff_io={} MB/s\n",
                     partition.processes(), fixed(all.moved_byte / mega, 7, 3), fixed(all.time_s, 4, 2),
                     fixed(all.byte_s() / mega, 8, 3), megabytes_s(all.weighted_byte_s),
                     megabytes_s(analysis::beffio_value(partition, source.frame.formula)));
}

std::string heading(std::size_t access) {
  return fmt::format("\n{}:\n", headings[access]);
}

}  // namespace

std::string mebibytes_per_process(const Source& source, int width) {
  const auto byte = source.frame.memory_per_process_byte;
  return byte ? fmt::format("{:{}}", *byte / mebi.count(), width) : fmt::format("{:>{}}", "-", width);
}

std::string release(const Source& source) {
  return beff::member(source.head.program.json(), "name") + " " +
         beff::member(source.head.program.json(), "version");
}

std::string largest_chunk(const Source& source) {
  const double byte = static_cast<double>(source.frame.largest_chunk_byte.value_or(2 * mebi.count()));
  const double size = byte / static_cast<double>(mebi.count());
  return fmt::format("{:.4g}M", size);
}

std::string head(const Source& source) {
  const auto system = beff::uname(source.head.machine, source.head.layout);
  const double largest = static_cast<double>(source.frame.largest_chunk_byte.value_or(0));
  return fmt::format(
             "b_eff_io, by the rules of b_eff_io 2.1, {}\n"
             "MEMORY_PER_PROCESSOR = {} MBytes  [1MBytes = 1024*1024 bytes, 1MB = 1e6 bytes]\n"
             "Maximum chunk size   = {:8.3f} MBytes\n"
             "-N  {} T={:g}, MT={} MBytes{}\n"
             "PATH={}, PREFIX={}\n",
             release(source), mebibytes_per_process(source, 4), largest / static_cast<double>(mebi.count()),
             partitions(source), source.frame.scheduled_s, mebibytes(source.frame.system_memory_byte),
             options(source), plain(source.options.directory), plain(source.options.prefix)) +
         fmt::format(
             "       system name : {}\n       hostname    : {}\n       OS release  : {}\n"
             "       OS version  : {}\n       machine     : {}\n",
             system.sysname, system.nodename, system.release, system.version, system.machine) +
         usage(source) + file_system(source) +
         fmt::format("Date of measurement: {}\n", plain(asctime_form(source.head.started_utc)));
}

// The protocol: every pattern in the order of the measurement, and totals.

std::string protocol(const Source& source) {
  std::string text;
  if (source.frame.order == "partition") {
    for (const auto& partition : source.run.partitions()) {
      for (std::size_t a = 0; a < analysis::beffio_access_count; ++a)
        text += heading(a) + AccessSection(source, partition, a).text();
      text += total(source, partition);
    }
  } else {
    for (std::size_t a = 0; a < analysis::beffio_access_count; ++a) {
      text += heading(a);
      for (const auto& partition : source.run.partitions()) {
        text += AccessSection(source, partition, a).text();
        if (a == analysis::beffio_read) text += total(source, partition);
      }
    }
  }
  if (source.elapsed_s)
    text += fmt::format(" total execution time is {} sec\n", fixed(*source.elapsed_s, 7, 2));
  return text + "\n";
}

}  // namespace steelyard::formats::beffio
