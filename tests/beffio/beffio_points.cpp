// SPDX-License-Identifier: Apache-2.0
#include "beffio_points.hpp"

#include <algorithm>

#include "record/json.hpp"
#include "suites/beffio/definition.hpp"

namespace steelyard::beffio_points {
namespace {

using namespace beffio;

constexpr double open_s = 1.0 / 64, close_s = 1.0 / 32;
constexpr std::int64_t calls = 10;

double seconds_of(const Pattern& pattern, int processes, double rate) {
  const Span span = patterns_of(pattern.type);
  const auto table = pattern_table(4 * mebi);
  double bytes = 0;
  for (std::size_t p = span.first; p <= span.last(); ++p)
    bytes += static_cast<double>(calls * table[p].memory.count() * processes);
  const double all_s = bytes / rate - open_s - close_s;
  const double own = static_cast<double>(calls * pattern.memory.count() * processes);
  return all_s * own / bytes;
}

record::PointRecord point(int processes, Access access, const Pattern& pattern, double rate) {
  record::PointRecord record;
  record.suite = suite_name;
  record.benchmark = benchmark_name;
  record.processes = processes;
  record.params = identity(access, pattern);
  record.key = record::make_key(suite_name, benchmark_name, processes, 1, 1, record.params);
  record.verified = true;
  record.check = record::Check{};
  const double time_s = seconds_of(pattern, processes, rate);
  const Span span = patterns_of(pattern.type);
  auto& classic = record.classic;
  classic = {{"pattern_number", std::int64_t{pattern.number}},
             {"type", std::string(text(pattern.type))},
             {"position", std::int64_t{pattern.position}},
             {"weight", std::int64_t{pattern.units}},
             {"chunk_byte", pattern.disk.count()},
             {"memory_byte", pattern.memory.count()},
             {"pointer", std::string(pattern.type == PatternType::shared ? "shared" : "individual")},
             {"file", "i00_00" + std::to_string(processes) + "_" + std::to_string(index(pattern.type))},
             {"calls", calls},
             {"bytes_moved_byte", calls * pattern.memory.count() * processes},
             {"scheduled_s", 1.25 * pattern.units},
             {"time_s", time_s},
             {"io_s", time_s * 0.75},
             {"barrier_s", time_s * 0.0625},
             {"broadcast_s", time_s * 0.0625},
             {"sync_s", time_s * 0.125},
             {"last_call_s", time_s / 16},
             {"last_control_s", time_s / 64},
             {"control_rounds", std::int64_t{5}}};
  if (pattern.type != PatternType::shared) set(record, "pointer", nullptr);
  if (static_cast<std::size_t>(pattern.number) == span.first) {
    classic.emplace_back("open_s", open_s);
    classic.emplace_back("cache_byte", 2e9);
    if (size_driven(pattern.type)) classic.emplace_back("segment_byte", std::int64_t{64} << 20);
  }
  if (static_cast<std::size_t>(pattern.number) == span.last()) classic.emplace_back("close_s", close_s);
  return record;
}

template <class Chosen>
std::vector<record::PointRecord> points_where(int processes, const TypeRate& rate, Chosen chosen) {
  std::vector<record::PointRecord> points;
  const auto table = pattern_table(4 * mebi);
  for (const auto access : accesses)
    for (const auto& pattern : table)
      if (chosen(pattern.type))
        points.push_back(point(processes, access, pattern, rate(index(access), index(pattern.type))));
  return points;
}

}  // namespace

void set(record::PointRecord& point, std::string_view name, record::Value value) {
  for (auto& [key, old] : point.classic)
    if (key == name) old = value;
}

std::vector<record::PointRecord> partition(int processes, const TypeRate& rate) {
  return points_where(processes, rate, [](PatternType type) { return is_of_the_definition(type); });
}

std::vector<record::PointRecord> random_access(int processes, const TypeRate& rate) {
  return points_where(processes, rate, [](PatternType type) { return type == PatternType::random; });
}

std::vector<record::PointRecord> published_run() {
  return partition(4, [](std::size_t access, std::size_t type) { return published[access][type] * 1e6; });
}

record::RunRecord head(const record::Members& more) {
  Settings settings;
  settings.memory_mebibyte = 512;
  settings.system_mebibyte = 2048;
  settings.partitions = {4};
  record::Json own;
  auto members = Definition(settings).configuration();
  members.insert(members.end(), more.begin(), more.end());
  for (const auto& member : members)
    std::visit([&](const auto& one) { own[member.first] = one; }, member.second);
  record::RunRecord run;
  run.processes = 4;
  run.nodes = 2;
  run.threads_per_process = 3;
  run.layout = record::Document(record::Json{{"hosts", {"a", "b"}}, {"ranks", {{0, 2}, {1, 2}}}});
  run.mpi = record::Document(record::Json{{"library", "An MPI 1.2"}});
  run.started_utc = "2026-11-20T08:30:00Z";
  run.program = record::Document(record::Json{{"name", "steelyard"}, {"version", "0.1.0"}});
  run.config = record::Document(record::Json{{"b-eff-io", own}});
  run.machine = record::Document(record::Json{{"uname",
                                               {{"sysname", "Linux"},
                                                {"nodename", "node07"},
                                                {"release", "6.1.0"},
                                                {"version", "#1 SMP"},
                                                {"machine", "x86_64"}}}});
  return run;
}

}  // namespace steelyard::beffio_points
