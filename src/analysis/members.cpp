// SPDX-License-Identifier: Apache-2.0
#include "analysis/members.hpp"

#include <stdexcept>

namespace steelyard::analysis {

using record::PointRecord;

const record::Value* member(const PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.classic, name);
  return value != nullptr ? value : record::find(point.params, name);
}

std::optional<double> number_if(const PointRecord& point, std::string_view name) {
  const auto* value = member(point, name);
  if (value == nullptr || std::holds_alternative<std::nullptr_t>(*value)) return std::nullopt;
  return record::number(*value);
}

double number(const PointRecord& point, std::string_view name) {
  const auto value = number_if(point, name);
  if (!value) throw std::invalid_argument(point.key + " has no " + std::string(name));
  return *value;
}

std::string words(const PointRecord& point, std::string_view name) {
  const auto* value = member(point, name);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::string() : *text;
}

void put(record::SummaryRecord& summary, std::string_view name, std::optional<double> value) {
  summary.values.emplace_back(name, value ? record::Metric(*value) : record::Metric(nullptr));
}

}  // namespace steelyard::analysis
