// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "suites/imb/computation.hpp"
#include "suites/imb/io/catalogue.hpp"

namespace steelyard::imb {
namespace {

constexpr std::int64_t unit = 4;

const FileBenchmark* find_file_benchmark(std::string_view name) {
  const auto* const found = std::ranges::find(file_benchmarks, name, &FileBenchmark::name);
  return found == file_benchmarks.end() ? nullptr : found;
}

constexpr Seconds row_limit{0.06};
constexpr std::uint64_t fewest = 3;
constexpr double cached_share = 0.01;

double time_of(const record::PointRecord& record) {
  for (const auto& [name, metric] : record.metrics) {
    if (name != "time_s") continue;
    if (const auto* seconds = std::get_if<double>(&metric)) return *seconds;
    if (const auto* statistics = std::get_if<record::Statistics>(&metric))
      return statistics->median.value_or(0);
  }
  return 0;
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

int matrix_order(Version version) {
  return version == Version::v31 ? 100 : 10;
}

Seconds computation_target(const Settings& settings) {
  if (settings.computing) return *settings.computing;
  const Seconds full{settings.version == Version::v31 ? 0.1 : 0.01};
  if (!settings.bounded_computation) return full;
  return std::min(full, Seconds{row_limit.value() / static_cast<double>(fewest)});
}

std::optional<std::uint64_t> most_overlapped(const Settings& settings) {
  if (!settings.bounded_computation || settings.balance_overlap) return std::nullopt;
  const auto most =
      static_cast<std::uint64_t>(row_limit.value() / computation_target(settings).value() + 0.5);
  return std::max(most, fewest);
}

bool started_at_once(const Settings& settings, const Definition& definition) {
  if (settings.version != Version::v2021 || !moves_data(definition.name)) return false;
  const auto action = file_action(definition.name);
  return !action.blocks() && !action.together();
}

std::int64_t sections(const Settings& settings, const Definition& definition, std::uint64_t planned) {
  const bool several = started_at_once(settings, definition) && !file_action(definition.name).writes();
  return several ? static_cast<std::int64_t>(planned) : 1;
}

void put_overlap_values(double pure_s, double compute_s, record::PointRecord& record) {
  record.metrics.emplace_back("pure_time_s", pure_s);
  record.metrics.emplace_back("compute_time_s", compute_s);
  record.metrics.emplace_back("overlap_percent", overlap_percent(pure_s, compute_s, time_of(record)));
  double overlapped_s = time_of(record);
  for (const auto& [name, value] : record.classic)
    if (name == "t_max_s") overlapped_s = std::get<double>(value);
  record.classic.emplace_back("t_ovrl_s", overlapped_s);
  record.classic.emplace_back("t_pure_s", pure_s);
  record.classic.emplace_back("t_cpu_s", compute_s);
  record.classic.emplace_back("overlap_percent", overlap_percent(pure_s, compute_s, overlapped_s));
}

void put_residence(double share, record::PointRecord& record) {
  record.metrics.emplace_back("x_resident_share", share);
  if (share > cached_share) record.flags.emplace_back("cached_read");
}

}  // namespace steelyard::imb
