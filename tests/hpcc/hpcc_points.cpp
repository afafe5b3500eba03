// SPDX-License-Identifier: Apache-2.0
#include "hpcc_points.hpp"

#include <sstream>

#include "analysis/hpcc_summary.hpp"
#include "record/json.hpp"
#include "suites/hpcc/input/file.hpp"

namespace steelyard::formats {
namespace {

using record::Json;
using record::Members;
using record::Params;
using record::PointRecord;

constexpr std::int64_t time_of_day = 1795075200;  // 2026-11-19 08:00:00

record::Statistics times(std::vector<double> visits) {
  record::Statistics time;
  time.over_ranks = "max";
  time.n = static_cast<std::int64_t>(visits.size());
  time.median = visits[visits.size() / 2];
  time.min = visits.front();
  time.max = visits.back();
  time.mean = (visits.front() + visits.back()) / 2;
  time.visit_medians = std::move(visits);
  return time;
}

PointRecord point(const std::string& benchmark, Params params, Members classic, double worst = 0.01) {
  PointRecord made;
  made.suite = "hpcc";
  made.benchmark = benchmark;
  made.processes = 2;
  made.verified = true;
  made.params = std::move(params);
  made.params["form"] = std::string("optimized");
  made.classic = {{"Sy_run", std::string("optimized")}};
  made.classic.insert(made.classic.end(), classic.begin(), classic.end());
  made.metrics.emplace_back("time_s", times({0.25, 0.5, 0.75}));
  record::Check check;
  check.worst = worst;
  made.check = check;
  return made;
}

void add_updates(std::vector<PointRecord>& all, const std::string& generator) {
  const std::string mpi = "MPIRandomAccess" + generator, table = "RandomAccess" + generator + "_N";
  all.push_back(point(mpi, {},
                      {{mpi + "_N", std::int64_t{1 << 20}},
                       {mpi + "_CheckTime", 0.125},
                       {"check_cpu_s", 0.0625},
                       {"cpu_s", 0.375},
                       {mpi + "_Errors", 0.0},
                       {mpi + "_ErrorsFraction", 0.0},
                       {mpi + "_ExeUpdates", std::int64_t{1 << 22}},
                       {mpi + "_TimeBound", 60.0},
                       {mpi + "_Algorithm", std::int64_t{3}},
                       {mpi + "_time", 0.5},
                       {mpi + "_GUPs", 0.0000812345678}}));
  all.push_back(point("StarRandomAccess" + generator, {},
                      {{table, std::int64_t{1 << 19}},
                       {"least_rate", 3e6},
                       {"most_rate", 5e6},
                       {"cpu_s", 0.46875},
                       {"StarRandomAccess" + generator + "_GUPs", 0.004}}));
  all.push_back(
      point("SingleRandomAccess" + generator, {{"rank", std::int64_t{1}}},
            {{table, std::int64_t{1 << 19}}, {"SingleRandomAccess" + generator + "_GUPs", 0.0062}}));
}

void add_transpositions(std::vector<PointRecord>& all) {
  for (const std::int64_t n : {500, 1000}) {
    all.push_back(point("PTRANS",
                        {{"order", n},
                         {"block", std::int64_t{80}},
                         {"grid_rows", std::int64_t{1}},
                         {"grid_columns", std::int64_t{2}}},
                        {{"PTRANS_n", n},
                         {"PTRANS_nb", std::int64_t{80}},
                         {"PTRANS_nprow", std::int64_t{1}},
                         {"PTRANS_npcol", std::int64_t{2}},
                         {"PTRANS_residual", 0.0},
                         {"PTRANS_time", 0.004},
                         {"PTRANS_GBs", 8e-9 * static_cast<double>(n * n) / 0.004}},
                        0));
    const std::vector<double> placements{0.001, 0.0015, 0.002, 0.003, 0.004};
    all.back().metrics = {{"time_s", times(placements)}};
    all.back().classic.emplace_back("passes_s", placements);
    all.back().classic.emplace_back("cpu_s", std::vector<double>{0.001, 0.001, 0.002, 0.002, 0.004});
  }
}

void add_streams(std::vector<PointRecord>& all, const std::string& mode) {
  double rate = 10;
  for (const std::string kernel : {"Copy", "Scale", "Add", "Triad"}) {
    all.push_back(point(mode + "STREAM", {{"kernel", kernel}, {"elements", std::int64_t{166666}}},
                        {{"STREAM_VectorSize", std::int64_t{166666}},
                         {"STREAM_Threads", std::int64_t{1}},
                         {"stores", std::string("plain")},
                         {"least_rate", rate * 1e9},
                         {"mean_rate", (rate + 0.25) * 1e9},
                         {"most_rate", (rate + 0.5) * 1e9},
                         {"passes_s", std::vector<double>{1.5, 0.25, 0.5, 0.75}},
                         {"setup_s", 0.015625},
                         {"memory_share", 0.125},
                         {"Sy_huge_page_share", 1.0},
                         {mode + "STREAM_" + kernel, rate}},
                        1e-17));
    all.back().flags = {"smaller_than_the_rules_ask"};
    if (mode == "Single") all.back().params["rank"] = std::int64_t{1};
    rate += 1.25;
  }
}

void add_single_and_star(std::vector<PointRecord>& all, const std::string& test, const std::string& size,
                         std::int64_t n) {
  all.push_back(point("Star" + test, {},
                      {{size, n},
                       {"generation_s", 0.0625},
                       {"planning_s", 0.001},
                       {"inverse_s", 0.25},
                       {"max_error", 1.5e-15},
                       {"Sy_BLAS", std::string("a library")},
                       {"least_rate", 29.5e9},
                       {"most_rate", 31e9},
                       {"Star" + test + "_Gflops", 30.25}}));
  all.push_back(
      point("Single" + test, {{"rank", std::int64_t{1}}}, {{size, n}, {"Single" + test + "_Gflops", 36.0}}));
}

/// How the pairs of one length were chosen.
Members choice(double budget_s, double first_to_last_s, double pair_s, bool clock_is_fine,
               std::int64_t affordable, std::int64_t pings) {
  return {{"pairs", std::int64_t{2}},
          {"possible_pairs", std::int64_t{2}},
          {"budget_s", budget_s},
          {"first_to_last_s", first_to_last_s},
          {"pair_s", pair_s},
          {"clock_is_fine", clock_is_fine},
          {"affordable_pairs", affordable},
          {"most_pings", pings},
          {"stride", std::int64_t{1}},
          {"pairs_s", 0.25},
          {"rings_s", 0.5}};
}

void add_messages(std::vector<PointRecord>& all) {
  const auto short_messages = choice(10, 0.36e-6, 32e-6, false, 200000, 447);
  const auto long_messages = choice(30, 160e-6, 1.28e-3, true, 23437, 153);
  all.push_back(point("LatencyBandwidth", {{"message_byte", std::int64_t{8}}},
                      {{"MaxPingPongLatency_usec", 0.362},
                       {"RandomlyOrderedRingLatency_usec", 0.81},
                       {"MinPingPongLatency_usec", 0.358},
                       {"AvgPingPongLatency_usec", 0.36},
                       {"NaturallyOrderedRingLatency_usec", 0.79}}));
  all.back().classic.insert(all.back().classic.end(), short_messages.begin(), short_messages.end());
  all.back().classic.emplace_back("mean_byte_s", (8 / 0.358e-6 + 8 / 0.362e-6) / 2);
  all.push_back(point("LatencyBandwidth", {{"message_byte", std::int64_t{2000000}}},
                      {{"MinPingPongBandwidth_GBytes", 11.5},
                       {"NaturallyOrderedRingBandwidth_GBytes", 6.25},
                       {"RandomlyOrderedRingBandwidth_GBytes", 6.125},
                       {"MaxPingPongBandwidth_GBytes", 12.5},
                       {"AvgPingPongBandwidth_GBytes", 12.0}}));
  all.back().classic.insert(all.back().classic.end(), long_messages.begin(), long_messages.end());
  all.back().classic.emplace_back("mean_one_way_s", (2e6 / 11.5e9 + 2e6 / 12.5e9) / 2);
}

PointRecord solved(std::int64_t n, double time_s, double tflops) {
  auto made = point("HPL", {{"order", n}},
                    {{"tv", std::string("WC11C2R4")},
                     {"HPL_Tflops", tflops},
                     {"HPL_time", time_s},
                     {"HPL_eps", 0x1p-53},
                     {"HPL_RnormI", 3.5e-11},
                     {"HPL_Anorm1", 263.865},
                     {"HPL_AnormI", 262.773},
                     {"HPL_Xnorm1", 2619.63},
                     {"HPL_XnormI", 11.3513},
                     {"HPL_BnormI", 0.499776},
                     {"HPL_N", n},
                     {"HPL_NB", std::int64_t{80}},
                     {"HPL_nprow", std::int64_t{1}},
                     {"HPL_npcol", std::int64_t{2}},
                     {"HPL_depth", std::int64_t{1}},
                     {"HPL_nbdiv", std::int64_t{2}},
                     {"HPL_nbmin", std::int64_t{4}},
                     {"HPL_cpfact", std::string("R")},
                     {"HPL_crfact", std::string("C")},
                     {"HPL_ctop", std::string("1")},
                     {"HPL_order", std::string("C")}},
                    0.0039687);
  made.metrics = {{"time_s", times({time_s})}};
  return made;
}

}  // namespace

steelyard::hpcc::Settings hpcc_settings() {
  steelyard::hpcc::Settings settings;
  settings.problem = {{1000, 2000}, {80}, {{1, 2}}};
  return settings;
}

record::RunRecord hpcc_run(const steelyard::hpcc::Settings& settings) {
  record::RunRecord run;
  run.program.json() = {{"name", "steelyard"}, {"version", "0.1.0"}};
  run.config.json() = {{"hpcc",
                        {{"input", steelyard::hpcc::write_input(settings)},
                         {"threshold", settings.threshold},
                         {"grid_rows", {1.0}},
                         {"grid_columns", {2.0}}}}};
  run.started_utc = "2026-11-19T08:00:00Z";
  run.processes = 2;
  run.layout.json() = {{"hosts", {"node0"}}};
  run.machine.json() = {{"uname", {{"sysname", "Linux"}}}};
  run.clock.json() = {{"mpi_wtime", {{"tick_s", 1e-9}}}};
  run.libraries.json() = {{"fft", {{"name", "FFTW"}, {"version", "3.3.10"}}}};
  return run;
}

std::vector<PointRecord> hpcc_points() {
  std::vector<PointRecord> all;
  add_updates(all, "");
  add_updates(all, "_LCG");
  add_transpositions(all);
  add_single_and_star(all, "DGEMM", "DGEMM_N", 408);
  add_streams(all, "Star");
  add_streams(all, "Single");
  all.push_back(point("MPIFFT", {},
                      {{"MPIFFT_N", std::int64_t{65536}},
                       {"MPIFFT_Procs", std::int64_t{2}},
                       {"generation_s", 0.03125},
                       {"planning_s", 0.002},
                       {"inverse_s", 0.125},
                       {"MPIFFT_maxErr", 1.25e-15},
                       {"MPIFFT_Gflops", 2.5}}));
  add_single_and_star(all, "FFT", "FFT_N", 65536);
  add_messages(all);
  all.push_back(solved(1000, 0.0084, 0.0795736));
  all.push_back(solved(2000, 0.0667, 0.08));
  return all;
}

PointRecord without_result(PointRecord point, const std::string& why) {
  point.status = record::Status::skipped;
  point.verified.reset();
  point.metrics.clear();
  point.classic.clear();
  point.check.reset();
  record::Reason reason;
  reason.code = record::ReasonCode::memory;
  reason.text = why;
  point.reason = reason;
  return point;
}

record::EndRecord hpcc_end(const std::string& status) {
  record::EndRecord end;
  end.status = status;
  if (status != "complete") end.cause = "signal";
  return end;
}

std::string hpcc_output(const std::vector<PointRecord>& points, const record::RunRecord& run) {
  std::ostringstream out;
  const auto writer = hpcc_text(out, {{}, [] { return time_of_day; }});
  writer->run(run);
  for (const auto& one : points) writer->point(one);
  if (const auto summary = analysis::hpcc_summary(points, analysis::hpcc_frame(run)))
    writer->summary(*summary);
  writer->end(hpcc_end());
  return out.str();
}

std::string hpl_output(const std::vector<PointRecord>& points, HplVersion version,
                       const record::RunRecord& run) {
  std::ostringstream out;
  const auto writer = hpl_text(out, version, [] { return time_of_day; });
  writer->run(run);
  for (const auto& one : points) writer->point(one);
  writer->end(hpcc_end());
  return out.str();
}

}  // namespace steelyard::formats
