// SPDX-License-Identifier: Apache-2.0
#include "beff_points.hpp"
#include "record/json.hpp"
#include "synthetic.hpp"

namespace steelyard::synthetic {

using record::Json;
using record::PointRecord;

std::string hostile() {
  return "</script></style></title><script>window.hurt=1</script><!--\"'><img src=x "
         "onerror=\"window.hurt=1\">"
         "@STEELYARD_DATA@ \xe2\x80\xa8 \xff & $& \n|`";
}

namespace {

record::TableRecord hostile_pairs() {
  Json columns{{"from_rank", {0, 9}},
               {"to_rank", {9, 0}},
               {"latency_s", {1e-6, 2e-6}},
               {"bandwidth_byte_s", {1e9, 2e9}}};
  record::TableRecord table;
  table.name = "pingpong_pairs";
  table.suite = "imb-mpi1";
  table.columns = std::move(columns);
  return table;
}

}  // namespace

record::Run hostile_run() {
  record::Run made = run({.name = hostile(), .points = 40, .suites = false});
  made.head.command = {hostile()};
  made.head.labels = {{hostile(), hostile()}};
  made.head.layout = Json{{"hosts", {record::valid_utf8(hostile())}}};
  made.head.environment = Json{{record::valid_utf8(hostile()), record::valid_utf8(hostile())}};
  made.head.noise =
      Json{{record::valid_utf8(hostile()), record::valid_utf8(hostile())}, {"noise", "no number"}};
  for (PointRecord& point : made.points) {
    point.suite = hostile();
    point.params["op"] = hostile() + std::to_string(point.processes);
    point.key = record::make_key(point.suite, point.benchmark, point.processes, 1, 1, point.params);
    point.flags = {hostile()};
  }
  made.points.back().benchmark = hostile();
  made.points.back().status = record::Status::failed;
  made.points.back().metrics.clear();
  made.points.back().reason.emplace();
  made.points.back().reason->text = hostile();
  record::SummaryRecord summary;
  summary.suite = summary.name = hostile();
  summary.official = false;
  summary.not_official_because = {hostile()};
  summary.values = {{"b_eff_byte_s", 1e9}};
  made.summaries = {summary};
  made.events.front().text = hostile();
  made.events.front().key = hostile();
  add_extras(made);
  add_times(made);
  made.head.noise.json()["fixed_work"]["classes"]["low_s"] = record::valid_utf8(hostile());
  made.events.push_back(made.events.front());
  made.events.back().key.clear();
  made.events.back().code = hostile();
  for (PointRecord point : analysis::beff_points({.repetitions = 1})) {
    for (auto& [name, value] : point.classic)
      if (name == "pattern_name") value = hostile() + std::get<std::string>(value);
    point.metrics = {{"bandwidth_byte_s", 1e9}};
    point.primary = "bandwidth_byte_s";
    made.points.push_back(std::move(point));
  }
  made.tables.push_back(hostile_pairs());
  made.head.layout.json()["hosts"] = {record::valid_utf8(hostile()), "b"};
  made.head.layout.json()["ranks"] = {{0, 8}, {1, 8}};
  return made;
}

}  // namespace steelyard::synthetic
