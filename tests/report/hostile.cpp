// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "synthetic.hpp"

namespace steelyard::synthetic {

using record::Json;
using record::PointRecord;

std::string hostile() {
  return "</script></style></title><script>window.hurt=1</script><!--\"'><img src=x "
         "onerror=\"window.hurt=1\">"
         "@STEELYARD_DATA@ \xe2\x80\xa8 \xff & $& \n|`";
}

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
  return made;
}

}  // namespace steelyard::synthetic
