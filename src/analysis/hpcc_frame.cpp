// SPDX-License-Identifier: Apache-2.0
#include "analysis/hpcc_frame.hpp"

#include <algorithm>
#include <limits>

#include "record/json.hpp"

namespace steelyard::analysis {
namespace {

using record::Json;
using record::Members;

Json member(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() ? Json() : *found;
}

std::optional<double> number_of_json(const Json& json) {
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

std::string word(const Json& json) {
  return json.is_string() ? json.get<std::string>() : std::string{};
}

std::vector<std::string> benchmarks_of(const std::vector<std::string>& sequence) {
  constexpr std::string_view prefix = "hpcc/";
  std::vector<std::string> names;
  for (const auto& name : sequence)
    if (name.starts_with(prefix)) names.push_back(name.substr(prefix.size()));
  return names;
}

void read_grids(const Json& config, HpccFrame& frame) {
  const Json rows = member(config, "grid_rows"), columns = member(config, "grid_columns");
  for (std::size_t i = 0; i < std::min(rows.size(), columns.size()); ++i) {
    const auto processes = record::whole(rows[i].get<double>() * columns[i].get<double>());
    frame.most_processes = std::max(frame.most_processes.value_or(processes), processes);
    frame.least_processes = std::min(frame.least_processes.value_or(processes), processes);
  }
}

std::optional<HpccFrame::Memory> memory_of(const Json& config) {
  const auto code = number_of_json(member(config, "memory_code")),
             said = number_of_json(member(config, "memory_said_mebibyte")),
             process = number_of_json(member(config, "memory_process_mebibyte"));
  if (!code || !said || !process) return std::nullopt;
  return HpccFrame::Memory{record::whole(*code), *said, *process};
}

template <class T>
std::int64_t size() {
  return static_cast<std::int64_t>(sizeof(T));
}

void add_sizes(Members& values) {
  struct Pair {
    double real, imaginary;
  };
  values.emplace_back("sizeof_char", size<char>());
  values.emplace_back("sizeof_short", size<short>());
  values.emplace_back("sizeof_int", size<int>());
  values.emplace_back("sizeof_long", size<long>());
  values.emplace_back("sizeof_void_ptr", size<void*>());
  values.emplace_back("sizeof_size_t", size<std::size_t>());
  values.emplace_back("sizeof_float", size<float>());
  values.emplace_back("sizeof_double", size<double>());
  values.emplace_back("sizeof_s64Int", size<std::int64_t>());
  values.emplace_back("sizeof_u64Int", size<std::uint64_t>());
  values.emplace_back("sizeof_struct_double_double", size<Pair>());
}

/// What LAPACK's xLAMCH tells. EPS is the largest relative error of one rounding.
template <class Real>
void add_constants(Members& values, const std::string& prefix) {
  using Limits = std::numeric_limits<Real>;
  const auto add = [&](const char* name, double value) { values.emplace_back(prefix + name, value); };
  add("EPS", static_cast<double>(Limits::epsilon() / 2));
  add("SFMIN", static_cast<double>(Limits::min()));
  add("BASE", Limits::radix);
  add("PREC", static_cast<double>(Limits::epsilon()));
  add("MLEN", Limits::digits);
  add("RND", Limits::round_style == std::round_to_nearest ? 1 : 0);
  add("EMIN", Limits::min_exponent);
  add("RMIN", static_cast<double>(Limits::min()));
  add("EMAX", Limits::max_exponent);
  add("RMAX", static_cast<double>(Limits::max()));
}

void add_run(Members& values, const HpccFrame& frame, int processes) {
  values.emplace_back("VersionMajor", std::int64_t{1});
  values.emplace_back("VersionMinor", std::int64_t{5});
  values.emplace_back("VersionMicro", std::int64_t{0});
  values.emplace_back("CommWorldProcs", std::int64_t{processes});
  if (frame.tick_s) values.emplace_back("MPI_Wtick", *frame.tick_s);
  if (frame.most_processes) values.emplace_back("HPLMaxProcs", *frame.most_processes);
  if (frame.least_processes) values.emplace_back("HPLMinProcs", *frame.least_processes);
}

void add_choices(Members& values, const HpccFrame& frame) {
  const bool library = frame.transforms == "FFTW";
  values.emplace_back("FFT_API", std::string(library ? "FFTW3" : "steelyard(built-in)"));
  values.emplace_back("CPS_USING_FFTW", std::int64_t{library ? 1 : 0});
  values.emplace_back("CPS_HPCC_FFT_235", std::int64_t{frame.smooth_lengths ? 1 : 0});
  if (!frame.memory) return;
  values.emplace_back("MemProc", frame.memory->process_mebibyte);
  values.emplace_back("MemSpec", frame.memory->code);
  values.emplace_back("MemVal", frame.memory->said_mebibyte);
}

}  // namespace

HpccFrame hpcc_frame(const record::RunRecord& run) {
  HpccFrame frame;
  const Json config = member(run.config.json(), "hpcc"), fft = member(run.libraries.json(), "fft");
  frame.version = word(member(run.program.json(), "version"));
  frame.benchmarks = benchmarks_of(run.plan_sequence);
  frame.tick_s = number_of_json(member(member(run.clock.json(), "mpi_wtime"), "tick_s"));
  frame.threshold = number_of_json(member(config, "threshold"));
  frame.memory = memory_of(config);
  frame.smooth_lengths = member(config, "fft_235") == true;
  frame.transforms = word(member(fft, "name"));
  frame.transforms_version = word(member(fft, "version"));
  read_grids(config, frame);
  return frame;
}

Members hpcc_general_values(const HpccFrame& frame, int processes) {
  Members values;
  add_run(values, frame, processes);
  add_sizes(values);
  add_constants<double>(values, "HPL_dMACH_");
  add_constants<float>(values, "HPL_sMACH_");
  values.emplace_back("dweps", std::numeric_limits<double>::epsilon() / 2);
  values.emplace_back("sweps", static_cast<double>(std::numeric_limits<float>::epsilon() / 2));
  add_choices(values, frame);
  return values;
}

}  // namespace steelyard::analysis
