// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/action.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "suites/imb/io/catalogue.hpp"

namespace steelyard::imb {
namespace {

constexpr std::int64_t unit = 4;

const FileBenchmark* find_file_benchmark(std::string_view name) {
  const auto* const found = std::ranges::find(file_benchmarks, name, &FileBenchmark::name);
  return found == file_benchmarks.end() ? nullptr : found;
}

}  // namespace

bool moves_data(std::string_view benchmark) {
  return find_file_benchmark(benchmark) != nullptr;
}

FileAction file_action(std::string_view benchmark) {
  const auto* found = find_file_benchmark(benchmark);
  if (found == nullptr) throw std::invalid_argument(std::string(benchmark) + " moves no data of a file");
  return found->action;
}

Portion portion(Bytes size, int processes, int rank) {
  const std::int64_t units = (size.count() + unit - 1) / unit;
  const std::int64_t each = units / processes;
  const std::int64_t more = units % processes;
  const std::int64_t own = each + (rank < more ? 1 : 0);
  const std::int64_t start = unit * (rank < more ? rank * (each + 1) : rank * each + more);
  return {start, std::max<std::int64_t>(0, std::min(start + unit * own, size.count()) - start)};
}

Portion portion(const FileAction& action, Bytes size, int processes, int rank) {
  if (action.access == Access::single) return {0, size.count()};
  return portion(size, processes, action.access == Access::priv ? 0 : rank);
}

std::int64_t step_byte(const FileAction& action, Bytes size, int processes) {
  return action.own_file() ? portion(action, size, processes, 0).bytes : size.count();
}

}  // namespace steelyard::imb
