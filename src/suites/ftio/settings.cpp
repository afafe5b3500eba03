// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/settings.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::ftio {
namespace {

constexpr std::int64_t least_parameter = 2;
constexpr std::int64_t most_order = std::int64_t{1} << 28;  // 2^60 byte

std::int64_t raised(std::int64_t value, std::int64_t step) {
  return (std::max(value, least_parameter) + step - 1) / step * step;
}

constexpr std::array<std::string_view, phase_count> names = {"A init",     "B dft1", "C transpose",
                                                             "D exchange", "E dft2", "F verify"};

std::int64_t batches_of(std::int64_t rows, std::int64_t rows_of_one) {
  return (rows + rows_of_one - 1) / rows_of_one;
}

}  // namespace

std::int64_t parameter_step(int processes) {
  std::int64_t step = 1;
  int rest = processes;
  for (int prime = 2; rest > 1; ++prime) {
    if (prime * prime > rest) prime = rest;
    for (int power = 0; rest % prime == 0; ++power, rest /= prime)
      if (power % 2 == 0) step *= prime;
  }
  return step;
}

bool valid_parameter(int processes, std::int64_t parameter) {
  if (parameter < least_parameter || parameter > most_order) return false;
  if (parameter > most_order / processes / parameter) return false;
  return parameter % parameter_step(processes) == 0;
}

bool smooth(const Shape& shape) {
  std::int64_t rest = shape.order();
  for (const std::int64_t prime : {2, 3, 5, 7})
    while (rest % prime == 0) rest /= prime;
  return rest == 1;
}

std::int64_t default_parameter(int processes) {
  const std::int64_t step = parameter_step(processes);
  std::int64_t parameter = raised(least_parameter, step);
  while ((parameter - 1) * (parameter - 1) < processes) parameter += step;
  return parameter;
}

std::vector<std::int64_t> valid_parameters(int processes, std::int64_t least, std::size_t count) {
  const std::int64_t step = parameter_step(processes);
  std::vector<std::int64_t> list;
  for (std::int64_t i = raised(least, step); list.size() < count && valid_parameter(processes, i); i += step)
    list.push_back(i);
  return list;
}

std::vector<std::int64_t> nearest_parameters(int processes, std::int64_t parameter) {
  const std::int64_t step = parameter_step(processes);
  std::vector<std::int64_t> list;
  for (std::int64_t near : {parameter / step * step, parameter / step * step + step})
    if (near != parameter && valid_parameter(processes, near)) list.push_back(near);
  if (list.empty()) list.push_back(raised(least_parameter, step));
  return list;
}

std::int64_t parameter_beyond(int processes, Bytes memory) {
  const std::int64_t step = parameter_step(processes);
  std::int64_t parameter = raised(least_parameter, step);
  while (valid_parameter(processes, parameter) && Shape{processes, parameter}.matrix() < 2 * memory)
    parameter += step;
  return parameter;
}

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
    case Phase::initialise: return {0, all, series};
    case Phase::first_transforms:
    case Phase::second_transforms: return {all, all, 2 * series};
    case Phase::transpose: return {all, all, 2 * n * shape.parameter};
    case Phase::exchange: {
      const std::int64_t others = shape.processes - 1;
      const std::int64_t moved = others * shape.band() * shape.section().count();
      return {moved, moved, 2 * others * batches_of(shape.band(), batches.exchange_rows)};
    }
    case Phase::verify: return {all, 0, series};
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

Settings hurried(Settings settings, int world) {
  constexpr Bytes largest = 128 * mebi;
  constexpr int most_processes = 53;  // orders are above the square of their number
  settings.runs = 3;
  int most = std::min(world, most_processes);
  while (most > 1 && Shape{most, default_parameter(most)}.matrix() > largest) --most;
  if (most < world) settings.processes = most;
  return settings;
}

std::vector<std::string> departures(const Settings& settings) {
  std::vector<std::string> list;
  if (settings.access != FileAccess::posix) list.emplace_back("files through MPI-IO");
  if (settings.cache == PageCache::drop) list.emplace_back("pages dropped from memory after each phase");
  if (settings.cache == PageCache::direct) list.emplace_back("page cache passed by");
  if (settings.batches.transform_rows > 1) list.emplace_back("several rows transformed at a time");
  if (settings.batches.exchange_rows > 1) list.emplace_back("several rows exchanged in a message");
  return list;
}

int processes(const Settings& settings, int world) {
  return std::min(settings.processes.value_or(world), world);
}

std::vector<std::int64_t> parameters(const Settings& settings, int world) {
  if (!settings.parameters.empty()) return settings.parameters;
  return {default_parameter(processes(settings, world))};
}

std::string_view text(FileAccess access) {
  constexpr std::array<std::string_view, 3> words = {"posix", "mpi", "shared"};
  return words[static_cast<std::size_t>(access)];
}

std::string_view text(PageCache cache) {
  constexpr std::array<std::string_view, 3> words = {"keep", "drop", "direct"};
  return words[static_cast<std::size_t>(cache)];
}

}  // namespace steelyard::ftio
