// SPDX-License-Identifier: Apache-2.0
// A screening that nobody has measured: one node in 64 is slow in one test, one link is.
#include <cmath>
#include <string>

#include "record/json.hpp"
#include "synthetic.hpp"

namespace steelyard::synthetic {
namespace {

using record::Json;

constexpr int visits = 3;

/// Between -1 and 1, always the same.
double wobble(int i) {
  return std::sin(12.9898 * i + 78.233) * std::cos(4.1 * i);
}

std::string host_name(int host) {
  const std::string digits = std::to_string(10000 + host);
  return "lion" + digits.substr(1);
}

record::TableRecord table(const char* name, Json columns) {
  return {name, "screen", "screen", 1, 1, std::move(columns)};
}

record::TableRecord node_table(int nodes) {
  struct Test {
    const char* name;
    double value, slow;
  };
  Json columns = Json::object();
  for (const char* name : {"host", "benchmark", "visit", "value", "verified", "processes"})
    columns[name] = Json::array();
  int test_number = 0;
  for (const Test& test :
       {Test{"triad", 3.5e11, 0.82}, Test{"dgemm", 1.8e12, 0.91}, Test{"chase", 9.4e-8, 1.3}}) {
    ++test_number;
    for (int visit = 1; visit <= visits; ++visit)
      for (int host = 0; host < nodes; ++host) {
        const bool slow = host % 64 == 16 + test_number;
        columns["host"].push_back(host);
        columns["benchmark"].push_back(test.name);
        columns["visit"].push_back(visit);
        columns["value"].push_back(test.value * (slow ? test.slow : 1) *
                                   (1 + 0.01 * wobble(7 * host + test_number) + 0.001 * visit));
        columns["verified"].push_back(true);
        columns["processes"].push_back(1);
      }
  }
  return table("screen_nodes", std::move(columns));
}

record::TableRecord link_table(int nodes) {
  Json columns = Json::object();
  for (const char* name :
       {"from_rank", "to_rank", "latency_s", "bandwidth_byte_s", "visit", "round", "verified"})
    columns[name] = Json::array();
  for (int from = 0; from < nodes; ++from)
    for (int to = from + 1; to < nodes; ++to) {
      const bool slow = from == 3 && to == 40;
      const double off = 1 + 0.01 * wobble(31 * from + 17 * to);
      columns["from_rank"].push_back(from);
      columns["to_rank"].push_back(to);
      columns["latency_s"].push_back(1.6e-6 * off);
      columns["bandwidth_byte_s"].push_back(2.4e10 * off * (slow ? 0.5 : 1));
      columns["visit"].push_back(1);
      columns["round"].push_back(1);
      columns["verified"].push_back(true);
    }
  return table("pingpong_pairs", std::move(columns));
}

}  // namespace

record::Run screening(int nodes) {
  record::Run made = run({.name = "lion", .points = 0, .suites = false});
  made.head.processes = made.head.nodes = nodes;
  Json hosts = Json::array(), ranks = Json::array();
  for (int host = 0; host < nodes; ++host) {
    hosts.push_back(host_name(host));
    ranks.push_back(Json::array({host, 1}));
  }
  made.head.layout = Json{{"hosts", std::move(hosts)}, {"ranks", std::move(ranks)}, {"binding", "core"}};
  made.tables = {node_table(nodes), link_table(nodes)};
  return made;
}

record::Run screening_of_switches(int nodes) {
  record::Run made = screening(nodes);
  Json switch_of = Json::array();
  for (int host = 0; host < nodes; ++host) switch_of.push_back(host % 4);
  made.head.layout.json()["switches"] = Json::array({"core/leaf1", "core/leaf2", "core/leaf3", "core/leaf4"});
  made.head.layout.json()["switch_of"] = std::move(switch_of);
  Json& columns = made.tables.back().columns.json();
  for (std::size_t k = 0; k < columns["from_rank"].size(); ++k)
    if (columns["from_rank"][k].get<int>() % 4 != columns["to_rank"][k].get<int>() % 4)
      columns["bandwidth_byte_s"][k] = 0.8 * columns["bandwidth_byte_s"][k].get<double>();
  return made;
}

}  // namespace steelyard::synthetic
