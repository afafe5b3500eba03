// SPDX-License-Identifier: Apache-2.0
#include "synthetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "beff_points.hpp"
#include "beffio_points.hpp"
#include "record/json.hpp"

namespace steelyard::synthetic {
namespace {

using record::Json;
using record::PointRecord;
using record::Statistics;

struct Kind {
  const char *suite, *benchmark;
  double latency_s, byte_s, by_process;  // by_process: growth of the latency per doubling
};
constexpr auto kinds = std::to_array<Kind>({
    {"imb-mpi1", "PingPong", 0.9e-6, 11e9, 0},
    {"imb-mpi1", "Sendrecv", 1.1e-6, 9e9, 0.1},
    {"imb-mpi1", "Allreduce", 2e-6, 3e9, 0.9},
    {"imb-mpi1", "Alltoall", 3e-6, 2e9, 1.8},
    {"imb-mpi1", "Bcast", 1.5e-6, 6e9, 0.7},
    {"imb-ext", "Unidir_Put", 1.6e-6, 10e9, 0},
    {"imb-io", "S_Write_indv", 60e-6, 0.8e9, 0},
    {"imb-io", "P_Read_expl", 40e-6, 1.9e9, 0.2},
});
constexpr std::array counts = {2, 4, 8, 16};

/// Between -1 and 1, the same every time.
double wobble(std::size_t i) {
  return std::sin(static_cast<double>(i) * 12.9898) * std::cos(static_cast<double>(i) * 4.1414);
}

Statistics statistics(double median, std::size_t i) {
  Statistics out;
  out.over_ranks = "max";
  out.n = 40;
  out.median = median;
  const double half = median * (0.01 + 0.02 * std::abs(wobble(i + 1)));
  out.ci = {median - half, median + half};
  out.ci_level = 0.95;
  out.min = median * 0.95;
  out.p25 = median * (0.98 - 0.02 * std::abs(wobble(i)));
  out.p75 = median * 1.03;
  out.p99 = median * (1.2 + std::abs(wobble(i + 2)));
  out.max = median * 2.5;
  for (std::size_t k = 0; k < 32; ++k) out.batches.push_back(median * (1 + 0.05 * wobble(i + 7 * k)));
  return out;
}

PointRecord imb_point(const Kind& kind, int processes, double length, std::size_t i, double factor) {
  PointRecord point;
  point.suite = kind.suite;
  point.benchmark = kind.benchmark;
  point.processes = processes;
  point.verified = true;
  point.params["message_byte"] = static_cast<std::int64_t>(length);
  point.key = record::make_key(point.suite, point.benchmark, processes, 1, 1, point.params);
  point.schedule.emplace();
  point.schedule->rule = "adaptive";
  point.schedule->sync = "none";
  point.schedule->timing = "batch";
  const double growth = 1 + kind.by_process * std::log2(processes);
  const double time = factor * (kind.latency_s * growth + length / kind.byte_s) * (1 + 0.03 * wobble(i));
  const Statistics times = statistics(time, i);
  point.metrics.emplace_back("time_s", times);
  if (length > 0) {
    Statistics rate;
    rate.median = length / time;
    point.metrics.emplace_back("bandwidth_byte_s", rate);
  }
  point.primary = "time_s";
  return point;
}

/// 0, then evenly in the logarithm up to 4 MiB.
double length_at(std::size_t k, std::size_t sizes) {
  if (k == 0) return 0;
  return std::round(std::exp2(22.0 * static_cast<double>(k - 1) /
                              static_cast<double>(std::max<std::size_t>(1, sizes - 2))));
}

void add_imb(const Wish& wish, record::Run& run) {
  const std::size_t curves = kinds.size() * counts.size();
  const std::size_t sizes = std::max<std::size_t>(3, wish.points / curves);
  std::size_t i = 0;
  for (const Kind& kind : kinds)
    for (const int processes : counts) {
      double last = -1;
      for (std::size_t k = 0; k < sizes; ++k) {
        const double length = std::max(length_at(k, sizes), last + 1);
        run.points.push_back(imb_point(kind, processes, last = length, ++i, wish.factor));
      }
    }
}

/// Of two cases, of which one hides half as much.
void add_overlap(record::Run& run) {
  for (const char* progress : {"polled", "none"})
    for (std::size_t k = 0; k < 12; ++k) {
      PointRecord point = imb_point({"imb-nbc", "Ibcast", 2e-6, 5e9, 0.5}, 8, std::exp2(2 * k), k, 1);
      point.params["progress"] = progress;
      point.key = record::make_key(point.suite, point.benchmark, 8, 1, 1, point.params);
      const double most = progress == std::string_view("none") ? 50 : 100;
      point.metrics.emplace_back("overlap_percent", most * (1 - std::exp(-static_cast<double>(k) / 4)));
      run.points.push_back(std::move(point));
    }
}

record::SummaryRecord hpcc_summary(double factor) {
  record::SummaryRecord summary;
  summary.name = summary.suite = "hpcc";
  summary.processes = 16;
  summary.verified = true;
  summary.inputs_select = "hpcc/*";
  const std::pair<const char*, double> keys[] = {{"CommWorldProcs", 16},
                                                 {"HPL_Tflops", 0.7},
                                                 {"HPL_N", 40000},
                                                 {"StarDGEMM_Gflops", 50},
                                                 {"StarSTREAM_Copy", 5.5},
                                                 {"StarSTREAM_Triad", 5.8},
                                                 {"PTRANS_GBs", 14},
                                                 {"MPIFFT_Gflops", 22},
                                                 {"MPIRandomAccess_GUPs", 0.09},
                                                 {"RandomlyOrderedRingBandwidth_GBytes", 0.6},
                                                 {"RandomlyOrderedRingLatency_usec", 3.1},
                                                 {"NaturallyOrderedRingBandwidth_GBytes", 1.1},
                                                 {"NaturallyOrderedRingLatency_usec", 2.2},
                                                 {"MinPingPongBandwidth_GBytes", 1.6},
                                                 {"MaxPingPongLatency_usec", 2.4}};
  for (const auto& [key, value] : keys) {
    const std::string_view name(key);
    const bool rate = name.find("Latency") == name.npos && name != "CommWorldProcs" && name != "HPL_N";
    summary.classic.emplace_back(key, rate ? value / factor : value);
  }
  summary.values = {{"hpl_flop_s", 0.7e12 / factor}, {"star_stream_triad_byte_s", 5.8e9 / factor}};
  return summary;
}

record::SummaryRecord bandwidth_summary(const char* name, const char* suite, double byte_s,
                                        std::string because) {
  record::SummaryRecord summary;
  summary.name = name;
  summary.suite = suite;
  summary.processes = 8;
  summary.verified = true;
  summary.official = false;
  summary.not_official_because = {std::move(because)};
  summary.inputs_select = std::string(suite) + "/*";
  summary.values = {{std::string(name) + "_byte_s", byte_s}};
  return summary;
}

/// As the layout of the head says.
int node_of(int rank) {
  constexpr std::array nodes = {0, 1, 1, 0, 2, 2, 3, 3};  // of every two ranks
  return nodes[static_cast<std::size_t>(rank / 2)];
}

record::TableRecord pairs() {
  Json columns{{"from_rank", Json::array()},
               {"to_rank", Json::array()},
               {"latency_s", Json::array()},
               {"bandwidth_byte_s", Json::array()}};
  for (int from = 0; from < 16; ++from)
    for (int to = 0; to < 16; ++to) {
      if (from == to) continue;
      const bool near = node_of(from) == node_of(to);
      columns["from_rank"].push_back(from);
      columns["to_rank"].push_back(to);
      columns["latency_s"].push_back((near ? 0.4e-6 : 1.9e-6) *
                                     (1 + 0.1 * wobble(static_cast<std::size_t>(from * 16 + to))));
      columns["bandwidth_byte_s"].push_back(near ? 9e9 : 2.5e9);
    }
  record::TableRecord table;
  table.name = "pingpong_pairs";
  table.suite = "imb-mpi1";
  table.columns = std::move(columns);
  return table;
}

double classic(const PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.classic, name);
  if (value == nullptr) return 0;
  if (const auto* list = std::get_if<std::vector<double>>(value)) return list->empty() ? 0 : list->front();
  return record::number(*value);
}

/// The bandwidth that such a point records beside its classic values.
void add_bandwidth(PointRecord& point) {
  const auto* length = record::find(point.params, "message_byte");
  const double rate = length == nullptr ? classic(point, "bytes_moved_byte") / classic(point, "time_s")
                                        : record::number(*length) * classic(point, "messages") *
                                              classic(point, "looplength") / classic(point, "repeats_s");
  if (!std::isfinite(rate)) return;
  point.metrics.emplace_back("bandwidth_byte_s", rate);
  point.primary = "bandwidth_byte_s";
  point.lower_is_better = false;
}

void add_suites(const Wish& wish, record::Run& run) {
  const auto append = [&](std::vector<PointRecord> points) {
    std::ranges::for_each(points, add_bandwidth);
    std::ranges::move(points, std::back_inserter(run.points));
  };
  append(analysis::beff_points({.repetitions = 1}));
  append(beffio_points::published_run());
  add_overlap(run);
  run.summaries = {
      hpcc_summary(wish.factor),
      bandwidth_summary("b_eff", "b-eff", 9.1e9 / wish.factor, "1 repetition instead of 3"),
      bandwidth_summary("b_eff_io", "b-eff-io", 0.31e9 / wish.factor, "scheduled for less than 15 min")};
  run.tables = {pairs()};
}

record::RunRecord head(const Wish& wish) {
  record::RunRecord head;
  head.name = wish.name;
  head.command = {"steelyard", "run", "--preset", "standard"};
  head.program = Json{{"name", "steelyard"},
                      {"version", "0.1.0"},
                      {"build", {{"type", "Release"}, {"compiler", "GNU 12.2.0"}}}};
  head.config = Json{{"preset", "standard"}};
  head.started_utc = "2026-11-20T08:30:00Z";
  head.processes = 16;
  head.nodes = 4;
  head.layout = Json{{"hosts", {"node0", "node1", "node2", "node3"}},
                     {"ranks", Json::array({Json::array({0, 2}), Json::array({1, 4}), Json::array({0, 2}),
                                            Json::array({2, 4}), Json::array({3, 4})})},
                     {"binding", "core"}};
  head.machine = Json{{"processor", "AMD EPYC 9654"},
                      {"sockets", 1},
                      {"cores", 4},
                      {"memory_byte", 34359738368},
                      {"uname", {{"sysname", "Linux"}, {"release", "6.1.0"}}}};
  head.mpi = Json{{"library", "Open MPI v4.1.4"}, {"standard", "3.1"}};
  head.libraries = Json{{"blas", {{"name", "OpenBLAS"}, {"version", "0.3.21"}, {"kernel", "Zen"}}}};
  head.clock =
      Json{{"source", "clock_gettime(CLOCK_MONOTONIC_RAW)"}, {"resolution_s", 1e-8}, {"cost_s", 2.3e-8}};
  head.noise = Json{{"work_s", 1e-4},
                    {"p99_over_median", 1.2},
                    {"noise", 0.02},
                    {"detour_rate_hz", 310.0},
                    {"detours",
                     {{"class_ends_s", {2e-6, 5e-6, 1e-5, 5e-5, 2e-4, 1e-3, 5e-3}},
                      {"counts", {36, 5, 21, 119, 27, 0, 1, 0}}}},
                    {"fixed_work", {{"median_s", 1.0e-4}, {"p99_s", 1.2e-4}, {"max_s", 2.7e-3}}}};
  head.plan_hash = record::sha256(wish.name);
  return head;
}

}  // namespace

record::Run run(const Wish& wish) {
  record::Run made;
  made.id = "20261120T083000Z-" + record::sha256(wish.name).substr(7, 8);
  made.head = head(wish);
  add_imb(wish, made);
  if (wish.suites) add_suites(wish, made);
  record::EventRecord event;
  event.severity = record::Severity::warning;
  event.code = "noisy";
  event.text = "noise at the end: 3.0 % of the time lost, 1.8 % at the start";
  made.events = {event};
  if (wish.suites) add_extras(made);
  if (wish.suites) add_times(made);
  record::EndRecord end;
  end.status = "complete";
  end.points.ok = std::ssize(made.points);
  end.elapsed_s = 61.5;
  end.finished_utc = "2026-11-20T08:31:02Z";
  made.end = end;
  return made;
}

void write(const record::Run& run, const std::string& directory) {
  record::Writer writer(directory, record::Writer::Mode::create, run.id, 1, 0);
  writer.write(run.head);
  for (const auto& event : run.events) writer.write(event);
  for (const auto& point : run.points) writer.write(point);
  for (const auto& table : run.tables) writer.write(table);
  for (const auto& summary : run.summaries) writer.write(summary);
  if (run.end) writer.write(*run.end);
}

}  // namespace steelyard::synthetic
