// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "suites/ftio/row_transform.hpp"
#include "survey/probes.hpp"

namespace steelyard::survey {
namespace {

using ftio::Complex;
using ftio::Shape;

constexpr std::int64_t least_order = 4096;
/// A prime number of processes permits very long rows only, which a survey has neither memory nor time for.
constexpr std::int64_t longest_section_byte = 4 << 20;
constexpr int row_trials = 3;
constexpr double rows_long_enough_s = 2e-3;

/// The shortest rows of the benchmark that are long enough to stand for those of its matrices.
Shape shape_for(int processes) {
  const std::int64_t step = ftio::parameter_step(processes);
  Shape shape{processes, ftio::default_parameter(processes)};
  while (shape.order() < least_order) shape.parameter += step;
  return shape;
}

double work(const Shape& shape) {
  const auto n = static_cast<double>(shape.order());
  return 5 * n * std::log2(n) / shape.processes;
}

}  // namespace

void probe_rows(const ProbeClock& clock, Surveyed& surveyed) {
  const auto& world = clock.world();
  const Shape shape = shape_for(world.size());
  if (shape.section().count() > longest_section_byte) return;
  std::vector<Complex> here(static_cast<std::size_t>(shape.band()), Complex(1)), there(here);
  ftio::RowTransform transform(world, shape, 1, here.data(), there.data());
  ftio::PhaseSums sums;
  ftio::Meter meter;
  meter.begin(sums);
  int count = 1;
  const auto rows = [&] {
    for (int i = 0; i < count; ++i) static_cast<void>(transform.forward(meter));
  };
  while (seconds_together(world, rows) < rows_long_enough_s) count *= 2;
  std::vector<double> seconds;
  for (int i = 0; i < row_trials; ++i) seconds.push_back(seconds_together(world, rows) / count);
  RateNotes(surveyed).rate(&suites::Rates::distributed_row_flop_s, work(shape), seconds);
}

}  // namespace steelyard::survey
