// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/tables.hpp"

#include <cstdint>

namespace steelyard::screen {
namespace {

using record::Json;

Json known(double value) {
  return value > 0 ? Json(value) : Json();
}

}  // namespace

void put_node(Columns& table, const TestSpec& spec, std::size_t node, std::size_t visit,
              const NodeSample& sample) {
  table.put("host", static_cast<std::int64_t>(node))
      .put("benchmark", std::string(spec.benchmark))
      .put("visit", static_cast<std::int64_t>(visit + 1))
      .put("value", known(sample.value))
      .put("verified", sample.wrong == 0)
      .put("processes", static_cast<std::int64_t>(sample.processes))
      .put("domain", sample.domain < 0 ? Json() : Json(std::int64_t{sample.domain}));
}

void put_pair(Columns& table, const PairSample& sample, const std::vector<int>& leader_of) {
  table.put("from_rank", std::int64_t{leader_of[static_cast<std::size_t>(sample.a)]})
      .put("to_rank", std::int64_t{leader_of[static_cast<std::size_t>(sample.b)]})
      .put("latency_s", known(sample.latency_s))
      .put("bandwidth_byte_s", known(sample.byte_s))
      .put("visit", std::int64_t{sample.visit})
      .put("round", std::int64_t{sample.round})
      .put("verified", sample.wrong == 0);
}

Columns node_columns() {
  return Columns{"host", "benchmark", "visit", "value", "verified", "processes", "domain"};
}
Columns pair_columns() {
  return Columns{"from_rank", "to_rank", "latency_s", "bandwidth_byte_s", "visit", "round", "verified"};
}

}  // namespace steelyard::screen
