// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/records.hpp"

#include <utility>

namespace steelyard::beffio {
namespace {

void describe(const PointFacts& facts, record::Members& classic) {
  const Pattern& pattern = facts.pattern;
  classic.emplace_back("pattern_number", std::int64_t{pattern.number});
  classic.emplace_back("type", std::string(text(pattern.type)));
  classic.emplace_back("position", std::int64_t{pattern.position});
  classic.emplace_back("weight", std::int64_t{pattern.units});
  classic.emplace_back("chunk_byte", pattern.disk.count());
  classic.emplace_back("memory_byte", pattern.memory.count());
  if (!facts.pointer.empty()) classic.emplace_back("pointer", facts.pointer);
  classic.emplace_back("file", facts.file);
  if (!facts.mpi_io.empty()) classic.emplace_back("mpi_io", facts.mpi_io);
  if (!facts.open_hints.empty()) classic.emplace_back("hints_on_open", facts.open_hints);
  if (!facts.hints.empty()) classic.emplace_back("hints", facts.hints);
  if (!facts.hints_in_effect.empty()) classic.emplace_back("hints_in_effect", facts.hints_in_effect);
}

void put_times(const PatternTimes& times, record::Members& classic) {
  classic.emplace_back("time_s", times.total_s);
  classic.emplace_back("io_s", times.io_s);
  classic.emplace_back("barrier_s", times.barrier_s);
  classic.emplace_back("broadcast_s", times.broadcast_s);
  classic.emplace_back("sync_s", times.sync_s);
  classic.emplace_back("last_call_s", times.last_call_s);
  classic.emplace_back("last_control_s", times.last_control_s);
  classic.emplace_back("control_rounds", static_cast<std::int64_t>(times.rounds));
}

template <class T>
void put_known(const char* name, const std::optional<T>& value, record::Members& classic) {
  if (value) classic.emplace_back(name, *value);
}

}  // namespace

record::PointRecord point_record(const PointFacts& facts, const PatternResult& result,
                                 record::PointRecord record) {
  auto& classic = record.classic;
  const std::int64_t bytes = bytes_of(facts.pattern, result.calls) * facts.processes;
  describe(facts, classic);
  classic.emplace_back("calls", static_cast<std::int64_t>(result.calls));
  classic.emplace_back("bytes_moved_byte", bytes);
  classic.emplace_back("scheduled_s", facts.scheduled_s);
  put_times(result.times, classic);
  put_known("open_s", facts.open_s, classic);
  put_known("close_s", result.close_s, classic);
  put_known("segment_byte", facts.segment_byte, classic);
  put_known("cache_byte", facts.cache_byte, classic);
  if (result.cut != Cut::none) classic.emplace_back("cut", std::string(text(result.cut)));
  if (facts.overlong) classic.emplace_back("overlong", true);
  if (bytes > 0 && result.times.total_s > 0)
    record.metrics.emplace_back("bandwidth_byte_s", static_cast<double>(bytes) / result.times.total_s);
  record.metrics.emplace_back("time_s", result.times.total_s);
  record.primary = bytes > 0 ? "bandwidth_byte_s" : "time_s";
  record.lower_is_better = bytes == 0;
  return record;
}

}  // namespace steelyard::beffio
