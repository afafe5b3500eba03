// SPDX-License-Identifier: Apache-2.0
#include "analysis/summary_values.hpp"

namespace steelyard::analysis {

void put(record::SummaryRecord& summary, std::string_view name, std::optional<double> value) {
  summary.values.emplace_back(name, value ? record::Metric(*value) : record::Metric(nullptr));
}

}  // namespace steelyard::analysis
