// SPDX-License-Identifier: Apache-2.0
// What the schema demands and knows, without a schema validator; check_schema.py looks at everything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "record/json.hpp"
#include "samples.hpp"

namespace steelyard::record {
namespace {

const Json& schema() {
  static const Json whole = [] {
    std::ifstream file(STEELYARD_SCHEMA);
    return Json::parse(file);
  }();
  return whole;
}

const Json& definition(std::string_view name) {
  return schema().at("$defs").at(name);
}

/// Members that are missing ("-name") and members that the schema does not know ("+name").
std::vector<std::string> faults(const Json& object, const Json& rule) {
  std::vector<std::string> list;
  for (const auto& name : rule.value("required", Json::array())) {
    if (!object.contains(name.get<std::string>()))
      list.push_back(std::string("-").append(name.get<std::string>()));
  }
  for (const auto& [name, value] : object.items()) {
    if (!rule.at("properties").contains(name)) list.push_back(std::string("+").append(name));
  }
  return list;
}

/// Rule of a whole record: the root's and the type's together.
Json rule_of(const Json& record) {
  Json rule = schema();
  const Json& of_type = definition(record.at("type").get<std::string>() + "_record");
  rule["properties"].update(of_type.at("properties"));
  for (const auto& name : of_type.at("required")) rule["required"].push_back(name);
  return rule;
}

Json json_of(const Body& body) {
  return Json::parse(samples::line_of(samples::enveloped(body)));
}

TEST(schema, every_record_has_what_is_required_and_nothing_unknown) {
  for (const auto& bodies : {samples::full_bodies(), samples::bare_bodies()}) {
    for (const Body& body : bodies) {
      const Json record = json_of(body);
      EXPECT_THAT(faults(record, rule_of(record)), testing::IsEmpty()) << record.at("type");
    }
  }
}

TEST(schema, all_members_of_the_schema_are_written) {
  for (const Body& body : samples::full_bodies()) {
    const Json record = json_of(body);
    const Json& of_type = definition(record.at("type").get<std::string>() + "_record");
    for (const auto& [name, rule] : of_type.at("properties").items()) {
      const bool has_no_place =
          name == "memory_kind" || (record.at("type") == "table" && !record.contains(name));
      EXPECT_TRUE(has_no_place || record.contains(name)) << record.at("type") << " " << name;
    }
  }
}

TEST(schema, parts_of_a_point_have_every_member_and_nothing_unknown) {
  const Json point = json_of(samples::full_point());
  const Json& rule = definition("point_record").at("properties");
  const auto expect_all = [](const Json& part, const Json& part_rule) {
    EXPECT_THAT(faults(part, part_rule), testing::IsEmpty());
    EXPECT_EQ(part.size(), part_rule.at("properties").size()) << part;
  };
  expect_all(point["schedule"], rule.at("schedule"));
  expect_all(point["check"], rule.at("check"));
  expect_all(point["ranks"], rule.at("ranks"));
  expect_all(point["reason"], definition("reason"));
  expect_all(point["metrics"]["time_s"], definition("statistics"));
  expect_all(point["states"][0], definition("state"));
  EXPECT_THAT(faults(point["states"][1], definition("state")), testing::IsEmpty());
}

TEST(schema, measured_points_have_what_their_status_demands) {
  for (const auto& name : {"verified", "schedule", "metrics", "primary", "better"}) {
    EXPECT_TRUE(json_of(samples::bare_point()).contains(name)) << name;
  }
  EXPECT_TRUE(json_of(samples::failed_point()).contains("reason"));
  EXPECT_FALSE(json_of(samples::failed_point()).contains("metrics"));
}

/// Names that the tables of metrics and event codes do not have; experimental ones start with x_.
std::vector<std::string> unknown_names(const Json& record) {
  std::vector<std::string> list;
  for (const char* member : {"metrics", "values"}) {
    const Json metrics = record.value(member, Json::object());
    for (const auto& [name, metric] : metrics.items()) {
      if (metric_name(name) == nullptr && !name.starts_with("x_")) list.push_back(name);
    }
  }
  const std::string code = record.value("code", "noisy");
  if (!is_event_code(code)) list.push_back(code);
  return list;
}

TEST(schema, names_of_metrics_and_events_are_those_of_the_tables) {
  for (const Body& body : samples::full_bodies())
    EXPECT_THAT(unknown_names(json_of(body)), testing::IsEmpty());
  PointRecord point = samples::full_point();
  point.metrics[1].first = "bandwidth_mb_s";
  EXPECT_THAT(unknown_names(Json::parse(to_line(samples::enveloped(point)))),
              testing::ElementsAre("bandwidth_mb_s"));
}

TEST(schema, planted_faults_are_found) {
  Json record = json_of(samples::bare_point());
  record.erase("key");
  record["stray"] = 1;
  EXPECT_THAT(faults(record, rule_of(record)), testing::ElementsAre("-key", "+stray"));
}

}  // namespace
}  // namespace steelyard::record
