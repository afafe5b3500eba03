// SPDX-License-Identifier: Apache-2.0
#include "planted.hpp"

#include <algorithm>
#include <array>

#include "analysis/hpcc_summary.hpp"
#include "record/json.hpp"

namespace steelyard::planted {
namespace {

using record::Json;
using record::Members;
using record::PointRecord;
using record::Run;

constexpr double giga = 1e9, mega = 1e6;
constexpr std::int64_t stream_elements = 100'000'000, slow_host = 2, pair_one = 1, pair_other = 3;

record::RunRecord head_of(const Machine& machine) {
  record::RunRecord head;
  head.name = "cluster";
  head.started_utc = "2026-11-20T08:30:00Z";
  head.processes = machine.processes();
  head.nodes = machine.nodes;
  Json hosts = Json::array(), ranks = Json::array();
  for (int node = 0; node < machine.nodes; ++node) {
    hosts.push_back("host" + std::to_string(node));
    ranks.push_back({node, machine.each});
  }
  head.layout = Json{{"hosts", hosts}, {"ranks", ranks}};
  Json container{{"quota_cores", machine.quota_cores > 0 ? Json(machine.quota_cores) : Json()},
                 {"memory_limit_byte", nullptr}};
  head.machine = Json{{"memory_byte", machine.node_memory_byte},
                      {"cores", machine.each},
                      {"caches", {{{"level", 3}, {"size_byte", 32e6}, {"count", 2}}}},
                      {"container", container}};
  head.io = Json{{"medium", "local"}};
  return head;
}

PointRecord point(const std::string& benchmark, Members classic) {
  PointRecord one;
  one.suite = "hpcc";
  one.benchmark = benchmark;
  one.verified = true;
  one.metrics.emplace_back("time_s", 1.0);
  one.primary = "time_s";
  one.classic = std::move(classic);
  return one;
}

/// The mean over the hosts of a test with one slow one; all but STREAM count that.
double mean_rate(const Machine& machine, double rate) {
  const double share = machine.nodes > 1 ? machine.slow_host_share : 1;
  return rate * (machine.nodes - 1 + share) / machine.nodes;
}

void put_hosts(const Machine& machine, double rate, Members& classic) {
  if (machine.nodes < 2) return;
  const double s = machine.scatter,
               slow = rate * (machine.slow_host_share < 1 ? machine.slow_host_share : 1 - s);
  classic.emplace_back("hosts", std::int64_t{machine.nodes});
  classic.emplace_back("host_repetitions", std::int64_t{3});
  classic.emplace_back("slowest_host_rank", slow_host * machine.each);
  classic.emplace_back("slowest_host_rates", std::vector<double>{slow, slow * (1 + s)});
  classic.emplace_back("other_hosts_rates",
                       std::vector<double>{rate * (1 - s), rate * (1 - s / 4), rate, rate * (1 + s / 4)});
}

void put_pairs(const Machine& machine, double time_s, Members& classic) {
  const bool between_hosts = machine.nodes > 1;
  const std::int64_t places = between_hosts ? machine.nodes : machine.each,
                     each = between_hosts ? machine.each : 1;
  const std::int64_t pairs = each * each * places * (places - 1), of_pair = 2 * each * each,
                     of_place = 2 * each * each * (places - 1);
  if (places < 2) return;
  const double worst = std::max({1 + machine.scatter, machine.slow_host_link, machine.slow_pair});
  const bool one_pair = machine.slow_pair > machine.slow_host_link && machine.slow_pair > 1,
             one_place = !one_pair && machine.slow_host_link > 1;
  const auto number = [](auto value) { return static_cast<double>(value); };
  const std::int64_t from = one_pair ? pair_one : slow_host, to = one_pair ? pair_other : 0;
  classic.emplace_back("pair_places", places);
  classic.emplace_back("slowest_pair", std::vector<double>{number(from * each), number(to * each)});
  classic.emplace_back("pair_times_s",
                       std::vector<double>{time_s * worst, time_s, time_s * (1 + machine.scatter)});
  classic.emplace_back("slow_pairs",
                       std::vector<double>{number(one_pair    ? of_pair
                                                  : one_place ? of_place
                                                              : pairs / 2),
                                           number(of_pair), number(one_pair || one_place ? of_pair : 1)});
  classic.emplace_back("slowest_place_rank", slow_host * each);
  classic.emplace_back("slowest_place_s",
                       time_s * (one_place ? machine.slow_host_link : 1 + machine.scatter));
  classic.emplace_back("slow_pairs_of_place",
                       std::vector<double>{number(of_place), number(one_place ? of_place : of_place / 2)});
}

PointRecord dgemm(const Machine& machine) {
  const double rate = mean_rate(machine, machine.flop_s), share = rate / machine.peak_flop_s;
  PointRecord one =
      point("StarDGEMM", {{"StarDGEMM_Gflops", rate / giga},
                          {"Sy_core_peak_Gflops", machine.peak_flop_s / giga},
                          {"Sy_BLAS", std::string("OpenBLAS 0.3.21")},
                          {"Sy_BLAS_kernel", std::string(machine.slow_blas ? "Prescott" : "Zen")},
                          {"Sy_DGEMM_peak_share", share}});
  if (machine.slow_blas) {
    one.flags.emplace_back("blas_below_peak");
    one.classic.emplace_back("Sy_BLAS_advice", std::string("set OPENBLAS_CORETYPE=Zen"));
  }
  put_hosts(machine, machine.flop_s, one.classic);
  return one;
}

/// As long as its slowest process.
PointRecord triad(const Machine& machine) {
  const double share = machine.nodes > 1 ? machine.slow_host_share : 1;
  PointRecord one = point("StarSTREAM", {{"STREAM_VectorSize", stream_elements},
                                         {"StarSTREAM_Triad", machine.memory_byte_s * share / giga}});
  one.params["kernel"] = std::string("Triad");
  put_hosts(machine, machine.memory_byte_s, one.classic);
  return one;
}

/// Random rings wait for their slowest pair.
double held_up(const Machine& machine) {
  return std::max(machine.slow_pair, machine.slow_host_link);
}

PointRecord latency(const Machine& machine) {
  const double time_s = machine.ring_latency_s * held_up(machine);
  PointRecord one = point("LatencyBandwidth", {{"RandomlyOrderedRingLatency_usec", time_s * mega}});
  one.metrics.emplace_back("random_ring_latency_s", time_s);
  one.params["message_byte"] = std::int64_t{8};
  put_pairs(machine, machine.ring_latency_s, one.classic);
  return one;
}

PointRecord bandwidth(const Machine& machine) {
  constexpr double message_byte = 2e6;
  const double byte_s = machine.ring_byte_s / held_up(machine);
  PointRecord one = point("LatencyBandwidth", {{"RandomlyOrderedRingBandwidth_GBytes", byte_s / giga}});
  one.metrics.emplace_back("random_ring_byte_s", byte_s);
  one.params["message_byte"] = std::int64_t{2'000'000};
  put_pairs(machine, message_byte / machine.ring_byte_s, one.classic);
  return one;
}

/// Every pattern of the first type of all access methods is enough for the volume; the value is the summary's.
void add_files(const Machine& machine, Run& run) {
  record::SummaryRecord summary;
  summary.name = "b_eff_io";
  summary.suite = "b-eff-io";
  summary.official = true;
  summary.processes = machine.processes();
  summary.values = {{"b_eff_io_byte_s", machine.io_byte_s},
                    {"b_eff_io_write_byte_s", machine.io_byte_s},
                    {"b_eff_io_read_byte_s", machine.io_byte_s}};
  run.summaries.push_back(std::move(summary));
  constexpr int patterns = 43, accesses = 3;
  constexpr std::array<int, 5> first_of_type = {0, 9, 17, 25, 34}, last_of_type = {8, 16, 24, 33, 42};
  const double byte = machine.io_volume_byte / patterns, time_s = byte / machine.io_byte_s;
  for (int access = 0; access < accesses; ++access)
    for (int pattern = 0; pattern < patterns; ++pattern) {
      PointRecord one = point("b_eff_io", {});
      one.suite = "b-eff-io";
      one.processes = machine.processes();
      one.params["access"] =
          std::string(std::array{"write", "rewrite", "read"}[static_cast<std::size_t>(access)]);
      one.params["pattern"] = std::int64_t{pattern};
      for (const char* name : {"position", "weight", "chunk_byte", "memory_byte", "calls", "scheduled_s",
                               "io_s", "barrier_s", "broadcast_s", "sync_s", "last_call_s", "last_control_s"})
        one.classic.emplace_back(name, 1.0);
      one.classic.emplace_back("bytes_moved_byte", byte);
      one.classic.emplace_back("time_s", time_s);
      if (std::ranges::find(first_of_type, pattern) != first_of_type.end()) {
        one.classic.emplace_back("open_s", 0.0);
        one.classic.emplace_back("cache_byte", machine.node_memory_byte * machine.nodes);
      }
      if (std::ranges::find(last_of_type, pattern) != last_of_type.end())
        one.classic.emplace_back("close_s", 0.0);
      run.points.push_back(std::move(one));
    }
}

}  // namespace

Run run_of(const Machine& machine) {
  Run run;
  run.head = head_of(machine);
  run.points = {dgemm(machine), triad(machine), latency(machine), bandwidth(machine)};
  for (PointRecord& one : run.points) one.processes = machine.processes();
  if (auto summary = analysis::hpcc_summary(run.points)) run.summaries.push_back(std::move(*summary));
  if (machine.io_byte_s > 0) add_files(machine, run);
  return run;
}

void withhold(Run& run, const std::string& benchmark, const std::string& condition) {
  for (PointRecord& one : run.points) {
    if (one.benchmark != benchmark) continue;
    one.flags.emplace_back("not_representative");
    one.classic.emplace_back("condition", condition);
  }
}

void remove(Run& run, const std::string& benchmark) {
  std::erase_if(run.points, [&](const PointRecord& one) { return one.benchmark == benchmark; });
  std::erase_if(run.summaries, [](const auto& one) { return one.name == "hpcc"; });
  if (auto summary = analysis::hpcc_summary(run.points)) run.summaries.push_back(std::move(*summary));
}

}  // namespace steelyard::planted
