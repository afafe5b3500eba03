// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/record.hpp"

#include <stdexcept>

#include "record/codec.hpp"
#include "record/json.hpp"
#include "suites/beffio/patterns.hpp"

namespace steelyard::beffio {
namespace {

using record::held, record::counted;
using Figures = PatternFigures;

constexpr record::Codec figures_of_pattern(
    held("type", &Figures::type), held("position", &Figures::position), counted("weight", &Figures::units),
    counted("chunk_byte", &Figures::chunk_byte), counted("memory_byte", &Figures::memory_byte),
    held("pointer", &Figures::pointer), held("file", &Figures::file), held("mpi_io", &Figures::mpi_io),
    held("hints_on_open", &Figures::open_hints), held("hints", &Figures::hints),
    held("hints_in_effect", &Figures::hints_in_effect), counted("calls", &Figures::calls),
    counted("bytes_moved_byte", &Figures::moved_byte), held("scheduled_s", &Figures::scheduled_s),
    held("time_s", &Figures::time_s), held("io_s", &Figures::io_s), held("barrier_s", &Figures::barrier_s),
    held("broadcast_s", &Figures::broadcast_s), held("sync_s", &Figures::sync_s),
    held("last_call_s", &Figures::last_call_s), held("last_control_s", &Figures::last_control_s),
    held("control_rounds", &Figures::control_rounds), held("open_s", &Figures::open_s),
    held("close_s", &Figures::close_s), held("segment_byte", &Figures::segment_byte),
    held("cache_byte", &Figures::cache_byte), held("cut", &Figures::cut),
    held("overlong", &Figures::overlong));

/// The number is a parameter of the point; among the classic values it has a name of its own.
constexpr record::Codec number_in_parameters(held("pattern", &Figures::number));
constexpr record::Codec number_in_classic(held("pattern_number", &Figures::number));

std::string first_error(const record::PointRecord& point) {
  if (!point.check || point.check->first.empty()) return {};
  return record::text_in(point.check->first.json(), "text");
}

}  // namespace

void put_figures(const PatternFigures& figures, record::PointRecord& record) {
  number_in_classic.write(figures, record.classic);
  figures_of_pattern.write(figures, record.classic);
}

PatternFigures figures_of(const record::PointRecord& point) {
  PatternFigures figures;
  number_in_parameters.read(point, figures);
  if (figures.number < 0 || static_cast<std::size_t>(figures.number) >= pattern_count)
    throw std::invalid_argument(point.key + ": there is no such pattern");
  figures_of_pattern.read(point, figures);
  figures.errors = point.check ? point.check->errors : 0;
  figures.first_error = first_error(point);
  return figures;
}

bool has_figures(const record::PointRecord& point) {
  return measured(point) && record::find(point.classic, "time_s") != nullptr;
}

}  // namespace steelyard::beffio
