// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/parameters.hpp"

#include <algorithm>

namespace steelyard::ftio {
namespace {

constexpr std::int64_t least_parameter = 2;
constexpr std::int64_t most_order = std::int64_t{1} << 28;  // 2^60 byte

std::int64_t raised(std::int64_t value, std::int64_t step) {
  return (std::max(value, least_parameter) + step - 1) / step * step;
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
  while (Shape{processes, parameter}.matrix() < 2 * memory) parameter += step;
  return parameter;
}

}  // namespace steelyard::ftio
