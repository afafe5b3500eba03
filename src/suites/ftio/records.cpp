// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/records.hpp"

#include <utility>

#include "suites/ftio/closed_form.hpp"
#include "suites/ftio/row_transform.hpp"

namespace steelyard::ftio {
namespace {

template <class Value>
std::vector<double> each(const RunResult& result, Value value) {
  std::vector<double> list;
  for (const PhaseResult& phase : result.phases) list.push_back(static_cast<double>(value(phase)));
  return list;
}

void put_phases(const RunResult& result, record::Members& classic) {
  const auto put = [&](const char* name, auto value) { classic.emplace_back(name, each(result, value)); };
  put("phase_s", [](const auto& p) { return p.time_s; });
  put("phase_io_s", [](const auto& p) { return p.io_s; });
  put("phase_io_min_s", [](const auto& p) { return p.io_min_s; });
  put("phase_io_max_s", [](const auto& p) { return p.io_max_s; });
  put("phase_communication_s", [](const auto& p) { return p.communication_s; });
  put("phase_read_byte", [](const auto& p) { return p.traffic.read_byte; });
  put("phase_written_byte", [](const auto& p) { return p.traffic.written_byte; });
  put("phase_calls", [](const auto& p) { return p.traffic.calls; });
}

/// Of what is no number there is nothing to add up.
void put_differences(const Shape& shape, const Difference& difference, record::PointRecord& record) {
  auto& classic = record.classic;
  classic.emplace_back("allowed_difference", largest_difference(shape.order()));
  classic.emplace_back("wrong_elements", difference.wrong);
  if (record.check) record.check->limit = largest_difference(shape.order());
  if (difference.not_numbers > 0) {
    classic.emplace_back("not_numbers", difference.not_numbers);
    return;
  }
  classic.emplace_back("total_difference", difference.total);
  classic.emplace_back("largest_difference", difference.largest);
  classic.emplace_back("largest_column", difference.column);
  classic.emplace_back("largest_row", difference.row);
  record.metrics.emplace_back("max_error", difference.largest);
}

void put_surroundings(const Settings& settings, const RunResult& result, record::Members& classic) {
  classic.emplace_back("file_access", std::string(text(settings.access)));
  classic.emplace_back("page_cache", std::string(text(settings.cache)));
  classic.emplace_back("kernel", std::string(RowTransform::kernel()));
  if (!result.implementation.empty()) classic.emplace_back("mpi_io", result.implementation);
  if (settings.memory_byte > 0) classic.emplace_back("memory_byte", settings.memory_byte);
  if (!result.cycles) return;
  classic.emplace_back("cycles_per_flop", result.cycles->value);
  classic.emplace_back("cycles_source", result.cycles->source);
}

double io_without_init_s(const RunResult& result) {
  return result.io_s() - result.phases[index(Phase::initialise)].io_s;
}
double total_without_init_s(const RunResult& result) {
  return result.total_s() - result.phases[index(Phase::initialise)].time_s;
}

void put_result(const Shape& shape, const RunResult& result, record::PointRecord& record) {
  const double total = result.total_s(), rate = flops(shape) / total;
  record.classic.emplace_back("input_parameter", shape.parameter);
  record.classic.emplace_back("matrix_order", shape.order());
  record.classic.emplace_back("matrix_byte", shape.matrix().count());
  record.classic.emplace_back("io_s", result.io_s());
  record.classic.emplace_back("communication_s", result.communication_s());
  record.classic.emplace_back("total_s", total);
  record.classic.emplace_back("io_fraction", result.io_s() / total);
  record.classic.emplace_back("io_fraction_without_init",
                              io_without_init_s(result) / total_without_init_s(result));
  record.classic.emplace_back("communication_fraction", result.communication_s() / total);
  record.classic.emplace_back("flop", flops(shape));
  record.classic.emplace_back("flop_rate_flop_s", rate);
  record.metrics.emplace_back("time_s", total);
  record.metrics.emplace_back("io_fraction", result.io_s() / total);
  record.metrics.emplace_back("communication_fraction", result.communication_s() / total);
  record.metrics.emplace_back("flop_rate_flop_s", rate);
  record.metrics.emplace_back("io_time_s", result.io_s());
  record.metrics.emplace_back("communication_time_s", result.communication_s());
}

}  // namespace

record::PointRecord point_record(const Settings& settings, const Shape& shape, const RunResult& result,
                                 record::PointRecord record) {
  put_result(shape, result, record);
  put_phases(result, record.classic);
  put_differences(shape, result.difference, record);
  put_surroundings(settings, result, record.classic);
  record.primary = "io_fraction";
  record.lower_is_better = true;
  return record;
}

}  // namespace steelyard::ftio
