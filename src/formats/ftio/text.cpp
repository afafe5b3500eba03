// SPDX-License-Identifier: Apache-2.0
#include "formats/ftio/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/beff/print.hpp"
#include "formats/imb/head.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "units/quantity.hpp"

namespace steelyard::formats::ftio {
namespace {

using beff::member;
using beff::plain;
using record::Json;

std::string line(std::string_view what, const std::string& words) {
  return fmt::format("{:<13}: {}\n", what, words);
}

std::string file_system(const Json& io) {
  std::string text = member(io, "type");
  if (io.is_object() && io.contains("mount_point") && io["mount_point"].is_string())
    text += " at " + plain(io["mount_point"].get<std::string>());
  if (io.is_object() && io.contains("free_byte") && io["free_byte"].is_number())
    text += fmt::format(", {} MiB free", io["free_byte"].get<std::int64_t>() / mebi.count());
  if (io.is_object() && io.contains("options") && io["options"].is_string())
    text += ", " + plain(io["options"].get<std::string>());
  return text;
}

std::int64_t whole(const Json& json, const char* name) {
  const bool known = json.is_object() && json.contains(name) && json[name].is_number();
  return known ? json[name].get<std::int64_t>() : 0;
}

std::string processor(const Json& machine) {
  const auto cores = whole(machine, "cores");
  return member(machine, "processor") + (cores > 0 ? fmt::format(", {} cores a node", cores) : "");
}

std::string memory(const Json& machine) {
  const auto bytes = whole(machine, "memory_byte");
  return bytes > 0 ? fmt::format("{} MiB a node", bytes / mebi.count()) : "-";
}

using steelyard::ftio::PhaseFigures;
using steelyard::ftio::RunFigures;

double part(double a, double b) {
  return b > 0 ? a / b : 0;
}

std::string row(std::string_view name, const PhaseFigures& phase) {
  return fmt::format(
      "{:<12}{:>12.6f} {:>12.6f} {:>12.6f} {:>12.6f} {:>8.3f} {:>12.6f} {:>14.6f} {:>11.0f} {:>12.3f}\n",
      name, phase.time_s, phase.io_s, phase.io_min_s, phase.io_max_s, part(phase.io_s, phase.time_s),
      phase.communication_s, phase.byte() / 1e6, phase.calls, part(phase.byte() / 1e6, phase.io_s));
}

std::string or_none(const std::optional<double>& value, std::string_view format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "n/a";
}

std::string files(const RunFigures& run) {
  if (run.file_access == "posix") return "one file per process, system calls";
  const std::string which =
      run.file_access == "shared" ? "one file of all processes" : "one file per process";
  return which + ", MPI-IO" + (run.mpi_io.empty() ? "" : " (" + run.mpi_io + ")");
}

std::string cycles(const RunFigures& run) {
  if (!run.cycles_per_flop) return "n/a";
  return fmt::format("{:.2f} ({})", *run.cycles_per_flop, run.cycles_source);
}

}  // namespace

std::string head(const record::RunRecord& run) {
  const auto system = beff::uname(run.machine, run.layout);
  const Json& program = run.program.json();
  return fmt::format("FTIO, an out-of-core two-dimensional Fourier transform, {} {}\n\n",
                     member(program, "name"), member(program, "version")) +
         line("date", plain(asctime_form(run.started_utc))) +
         line("system",
              fmt::format("{} {} {} {}", system.sysname, system.nodename, system.release, system.machine)) +
         line("processes",
              fmt::format("{} on {} node{}", run.processes, run.nodes, run.nodes == 1 ? "" : "s")) +
         line("per node", fmt::format("{} processes, {} thread{} each", beff::processes_per_node(run),
                                      run.threads_per_process, run.threads_per_process == 1 ? "" : "s")) +
         line("processor", processor(run.machine.json())) + line("memory", memory(run.machine.json())) +
         line("MPI library", member(run.mpi.json(), "library")) +
         line("file system", file_system(run.io.json()));
}

std::string phase_table(const RunFigures& run) {
  std::string text = fmt::format("{:<13}: {}; page cache: {}; transforms: {}\n\n",
                                 fmt::format("run {}", run.run), files(run), run.page_cache, run.kernel);
  text +=
      fmt::format("{:<12}{:>12} {:>12} {:>12} {:>12} {:>8} {:>12} {:>14} {:>11} {:>12}\n", "phase", "time/s",
                  "I/O mean/s", "I/O min/s", "I/O max/s", "I/O part", "messages/s", "MB", "calls", "MB/s");
  for (std::size_t p = 0; p < steelyard::ftio::timed_phases; ++p)
    text += row(steelyard::ftio::text(steelyard::ftio::phases[p]), run.phases[p]);
  text += row("A to E", run.sum());
  return text + row(steelyard::ftio::text(steelyard::ftio::Phase::verify), run.phases.back()) + "\n";
}

std::string result_lines(const RunFigures& run) {
  const auto ratio =
      run.memory_byte && *run.memory_byte > 0
          ? std::optional(static_cast<double>(run.matrix_byte) / static_cast<double>(*run.memory_byte))
          : std::nullopt;
  return fmt::format("FTIO: c={} i={} N={} elements={:.0f} bytes={} bytes/memory={}\n", run.processes,
                     run.parameter, run.order, run.elements(), run.matrix_byte, or_none(ratio, "{:.3g}")) +
         fmt::format(
             "FTIO: I/O fraction = {:.3f}   (without init {:.3f})   total time = {:.6f} s   "
             "Mflop/s = {:.3f}   cycles/flop = {}\n",
             run.io_fraction, run.io_fraction_without_init, run.total_s, run.flop_rate_flop_s / 1e6,
             cycles(run)) +
         fmt::format("FTIO: total difference = {}   max difference = {}   {}\n",
                     or_none(run.total_difference, "{:.3e}"), or_none(run.largest_difference, "{:.3e}"),
                     run.passed ? "PASSED" : "FAILED");
}

std::string failure(const record::PointRecord& point) {
  const auto i = record::number_of(record::find(point.params, "input_parameter"));
  const std::string why = point.reason ? ": " + beff::plain(point.reason->text) : "";
  const bool failed = point.status == record::Status::failed;
  return fmt::format("FTIO: c={} i={:.0f} {}{}\n", point.processes, i.value_or(0),
                     failed ? "FAILED" : record::text(point.status), why);
}

std::string means(const analysis::FtioSize& size) {
  if (size.runs.size() < 2) return "";
  const auto fraction = size.spread(&RunFigures::io_fraction),
             rate = size.spread(&RunFigures::flop_rate_flop_s);
  const auto total = size.spread(&RunFigures::total_s);
  std::string text = fmt::format(
      "FTIO: c={} i={} {} runs, mean and standard deviation: I/O fraction = {:.3f} {:.3f}   total time = "
      "{:.6f} {:.6f} "
      "s   Mflop/s = {:.3f} {:.3f}",
      size.first().processes, size.first().parameter, size.runs.size(), fraction.mean, fraction.sd,
      total.mean, total.sd, rate.mean / 1e6, rate.sd / 1e6);
  if (const auto cycles = size.cycles_per_flop())
    text += fmt::format("   cycles/flop = {:.2f} {:.2f}", cycles->mean, cycles->sd);
  return text + "\n";
}

}  // namespace steelyard::formats::ftio

namespace steelyard::formats {
namespace {

class FtioText final : public Writer {
 public:
  explicit FtioText(std::ostream& out) : out_(out) {}

  void run(const record::RunRecord& run) override { out_ << ftio::head(run) << std::flush; }

  void point(const record::PointRecord& point) override {
    if (point.suite != "ftio") return;
    points_.push_back(point);
    out_ << '\n';
    if (!steelyard::ftio::has_figures(point)) {
      out_ << ftio::failure(point) << std::flush;
      return;
    }
    const auto run = steelyard::ftio::figures_of(point);
    out_ << ftio::phase_table(run) << ftio::result_lines(run) << std::flush;
  }

  void end(const record::EndRecord&) override {
    if (points_.empty()) return;
    std::string text;
    const analysis::FtioRuns runs(points_);
    for (const auto& size : runs.sizes()) text += ftio::means(size);
    out_ << (text.empty() ? "" : "\n") << text << std::flush;
  }

 private:
  std::ostream& out_;
  std::vector<record::PointRecord> points_;
};

}  // namespace

std::unique_ptr<Writer> ftio_text(std::ostream& out) {
  return std::make_unique<FtioText>(out);
}

namespace {

using analysis::FtioRuns;
using analysis::FtioSize;
using steelyard::ftio::RunFigures;

std::string row(const FtioSize& size) {
  const auto fraction = size.spread(&RunFigures::io_fraction);
  const auto cycles = size.cycles_per_flop();
  return fmt::format("{:.0f} {} {} {:.6f} {:.6f} {}\n", size.first().elements(), size.first().parameter,
                     size.runs.size(), fraction.mean, fraction.sd,
                     cycles ? fmt::format("{:.6f} {:.6f}", cycles->mean, cycles->sd) : "NaN NaN");
}

std::string data(const FtioRuns& runs) {
  std::string text =
      "# elements, i, runs, I/O fraction and its deviation, cycles per flop and their deviation\n";
  std::vector<const FtioSize*> sizes;
  for (const auto& size : runs.sizes()) sizes.push_back(&size);
  std::ranges::stable_sort(sizes, {}, [](const FtioSize* size) { return size->first().order; });
  for (const FtioSize* size : sizes) text += row(*size);
  return text;
}

std::string figure(const std::string& prefix, std::string_view name, std::string_view title, int column) {
  const std::string values = beff::in_quotes(prefix + ".plot");
  return fmt::format(
      "set output {}\nset ylabel '{}'\n"
      "plot {} using 1:{}:{} with yerrorbars pointtype 7 title '', \\\n"
      "     {} using 1:{} with lines title ''\n",
      beff::in_quotes(fmt::format("{}_{}.svg", prefix, name)), title, values, column, column + 1, values,
      column);
}

std::string script(const FtioRuns& runs, const std::string& prefix) {
  std::string text =
      "set terminal svg size 800,500\nset xlabel 'matrix size (number of elements)'\n"
      "set logscale x\nset format x '%.0e'\nset offsets graph 0.05, graph 0.05, graph 0.1, graph 0.1\n";
  text += figure(prefix, "fraction", "I/O fraction", 4);
  if (std::ranges::any_of(runs.sizes(), [](const auto& size) { return size.cycles_per_flop().has_value(); }))
    text += figure(prefix, "cycles", "cycles per flop", 6);
  return text;
}

}  // namespace

FtioFigures ftio_figures(const FtioRuns& runs, const std::string& prefix) {
  return {data(runs), script(runs, prefix)};
}

}  // namespace steelyard::formats
