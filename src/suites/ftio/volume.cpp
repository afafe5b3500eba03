// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/volume.hpp"

#include <cmath>

namespace steelyard::ftio {
namespace {

constexpr std::array<std::string_view, phase_count> names = {"A init",     "B dft1", "C transpose",
                                                             "D exchange", "E dft2", "F verify"};

std::int64_t batches_of(std::int64_t rows, std::int64_t rows_of_one) {
  return (rows + rows_of_one - 1) / rows_of_one;
}

}  // namespace

std::string_view text(Phase phase) {
  return names[index(phase)];
}

Traffic& Traffic::operator+=(const Traffic& other) {
  read_byte += other.read_byte;
  written_byte += other.written_byte;
  calls += other.calls;
  return *this;
}

Traffic traffic(const Shape& shape, Phase phase, const Batches& batches) {
  const std::int64_t all = shape.file().count(), n = shape.order();
  const std::int64_t series = batches_of(n, batches.transform_rows);
  switch (phase) {
    case Phase::initialise:
      return {0, all, series};
    case Phase::first_transforms:
    case Phase::second_transforms:
      return {all, all, 2 * series};
    case Phase::transpose:
      return {all, all, 2 * n * shape.parameter};
    case Phase::exchange: {
      const std::int64_t others = shape.processes - 1;
      const std::int64_t moved = others * shape.band() * shape.section().count();
      return {moved, moved, 2 * others * batches_of(shape.band(), batches.exchange_rows)};
    }
    case Phase::verify:
      return {all, 0, series};
  }
  return {};
}

Traffic timed_traffic(const Shape& shape, const Batches& batches) {
  Traffic sum;
  for (std::size_t p = 0; p < timed_phases; ++p) sum += traffic(shape, phases[p], batches);
  return sum;
}

double flops(const Shape& shape) {
  const double n = static_cast<double>(shape.order());
  return 10 * n * n * std::log2(n);
}

}  // namespace steelyard::ftio
