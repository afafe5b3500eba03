// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/records.hpp"

/// What the record of a pattern of b_eff_io holds: written by the session, read by summaries and texts. Pure.
namespace steelyard::beffio {

/// One pattern of one access method. Seconds on the root's clock, bytes of all processes; words are empty where there is
/// nothing to tell.
struct PatternFigures {
  int number = 0, position = 0;
  double units = 0, chunk_byte = 0, memory_byte = 0, calls = 0, moved_byte = 0;
  double scheduled_s = 0, time_s = 0, io_s = 0, barrier_s = 0, broadcast_s = 0, sync_s = 0;
  double last_call_s = 0, last_control_s = 0;
  std::optional<std::int64_t> control_rounds, segment_byte, cache_byte;
  std::optional<double> open_s, close_s;  // of the first and the last pattern of a type
  std::int64_t errors = 0;
  std::string type, pointer, file, mpi_io;
  std::string cut;  // what ended it early, "space" or "volume"; empty = its rule
  std::string open_hints, hints, hints_in_effect, first_error;
  bool overlong = false;
  [[nodiscard]] bool shared_pointer() const { return pointer != "individual"; }
  [[nodiscard]] double byte_s() const { return time_s > 0 ? moved_byte / time_s : 0; }
};

/// Adds the figures to the classic values; errors stand in the record's check already.
void put_figures(const PatternFigures& figures, record::PointRecord& record);
/// Reads a point of the suite. Throws std::invalid_argument if it lacks a value, or if there is no such pattern.
[[nodiscard]] PatternFigures figures_of(const record::PointRecord& point);
/// Whether the point was measured and has figures.
[[nodiscard]] bool has_figures(const record::PointRecord& point);

}  // namespace steelyard::beffio
