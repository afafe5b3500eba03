// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/record.hpp"

#include "record/codec.hpp"

namespace steelyard::ftio {
namespace {

using record::held;

constexpr record::Codec figures_of_run(
    held("input_parameter", &RunFigures::parameter), held("matrix_order", &RunFigures::order),
    held("matrix_byte", &RunFigures::matrix_byte), held("io_s", &RunFigures::io_s),
    held("communication_s", &RunFigures::communication_s), held("total_s", &RunFigures::total_s),
    held("io_fraction", &RunFigures::io_fraction),
    held("io_fraction_without_init", &RunFigures::io_fraction_without_init),
    held("communication_fraction", &RunFigures::communication_fraction), held("flop", &RunFigures::flop),
    held("flop_rate_flop_s", &RunFigures::flop_rate_flop_s));

constexpr record::Codec figures_of_phases(held("phase_s", &PhaseFigures::time_s),
                                          held("phase_io_s", &PhaseFigures::io_s),
                                          held("phase_io_min_s", &PhaseFigures::io_min_s),
                                          held("phase_io_max_s", &PhaseFigures::io_max_s),
                                          held("phase_communication_s", &PhaseFigures::communication_s),
                                          held("phase_read_byte", &PhaseFigures::read_byte),
                                          held("phase_written_byte", &PhaseFigures::written_byte),
                                          held("phase_calls", &PhaseFigures::calls));

constexpr record::Codec differences_and_surroundings(
    held("allowed_difference", &RunFigures::allowed_difference),
    held("wrong_elements", &RunFigures::wrong_elements), held("not_numbers", &RunFigures::not_numbers),
    held("total_difference", &RunFigures::total_difference),
    held("largest_difference", &RunFigures::largest_difference),
    held("largest_column", &RunFigures::largest_column), held("largest_row", &RunFigures::largest_row),
    held("file_access", &RunFigures::file_access), held("page_cache", &RunFigures::page_cache),
    held("kernel", &RunFigures::kernel), held("mpi_io", &RunFigures::mpi_io),
    held("memory_byte", &RunFigures::memory_byte), held("cycles_per_flop", &RunFigures::cycles_per_flop),
    held("cycles_source", &RunFigures::cycles_source));

constexpr record::Codec identity_of_run(held("run", &RunFigures::run));

}  // namespace

PhaseFigures& PhaseFigures::operator+=(const PhaseFigures& other) {
  for (auto part : {&PhaseFigures::time_s, &PhaseFigures::io_s, &PhaseFigures::io_min_s,
                    &PhaseFigures::io_max_s, &PhaseFigures::communication_s, &PhaseFigures::read_byte,
                    &PhaseFigures::written_byte, &PhaseFigures::calls})
    this->*part += other.*part;
  return *this;
}

PhaseFigures RunFigures::sum() const {
  PhaseFigures sum;
  for (std::size_t p = 0; p < timed_phases; ++p) sum += phases[p];
  return sum;
}

void put_figures(const RunFigures& figures, record::PointRecord& record) {
  figures_of_run.write(figures, record.classic);
  figures_of_phases.write_lists(std::span<const PhaseFigures>(figures.phases), record.classic);
  differences_and_surroundings.write(figures, record.classic);
}

void put_ended_phases(const Shape& shape, std::span<const PhaseFigures> ended, record::PointRecord& record) {
  record.classic.emplace_back("input_parameter", shape.parameter);
  record.classic.emplace_back("matrix_order", shape.order());
  record.classic.emplace_back("matrix_byte", shape.matrix().count());
  figures_of_phases.write_lists(ended, record.classic);
}

RunFigures figures_of(const record::PointRecord& point) {
  RunFigures figures;
  figures.processes = point.processes;
  figures.passed = point.verified == true;
  identity_of_run.read(point, figures);
  figures_of_run.read(point, figures);
  figures_of_phases.read_lists(point, figures.phases);
  differences_and_surroundings.read(point, figures);
  return figures;
}

bool has_figures(const record::PointRecord& point) {
  return measured(point) && record::find(point.classic, "total_s") != nullptr;
}

}  // namespace steelyard::ftio
