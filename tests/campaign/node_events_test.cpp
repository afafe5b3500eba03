// SPDX-License-Identifier: Apache-2.0
#include "campaign/node_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/json.hpp"

namespace steelyard::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> codes(const Disturbances& met) {
  std::vector<std::string> found;
  for (const auto& event : events_of(met)) {
    EXPECT_EQ(event.severity, record::Severity::warning);
    EXPECT_TRUE(record::is_event_code(event.code));
    found.push_back(event.code);
  }
  return found;
}

TEST(disturbances, that_measurements_bear_are_not_told) {
  EXPECT_THAT(codes({}), IsEmpty());
  EXPECT_THAT(codes({.steal_share = 0.005, .visits = 1000, .migrated_visits = 10}), IsEmpty());
}

TEST(disturbances, beyond_that_are_warnings) {
  EXPECT_THAT(codes({.steal_share = 0.006}), ElementsAre("steal"));
  EXPECT_THAT(codes({.throttled_s = 0.2, .throttled_periods = 1}), ElementsAre("container_quota"));
  EXPECT_THAT(codes({.remote_share = 0.06, .remote_processes = 1}), ElementsAre("remote_memory"));
  EXPECT_THAT(codes({.visits = 1000, .migrated_visits = 11}), ElementsAre("migrated"));
}

TEST(disturbances, are_told_with_their_numbers) {
  const auto events = events_of({.steal_share = 0.03,
                                 .throttled_s = 1.25,
                                 .throttled_periods = 10,
                                 .remote_share = 0.37,
                                 .remote_processes = 2,
                                 .visits = 50,
                                 .migrated_visits = 2});
  ASSERT_EQ(events.size(), 4U);
  EXPECT_THAT(events[0].text, HasSubstr("3.0 %"));
  EXPECT_THAT(events[1].text, HasSubstr("10 times: processes were stopped for 1.25 s"));
  EXPECT_EQ(events[1].data.json()["throttled_s"], 1.25);
  EXPECT_EQ(
      events[2].text,
      "memory of 2 processes lay in other NUMA domains than their processors, up to 37 % of a process's");
  EXPECT_EQ(events[2].data.json()["largest_share"], 0.37);
  EXPECT_THAT(events[3].text, HasSubstr("2 visits of 50"));
}

record::EventRecord found(const char* code, const char* text,
                          record::Severity severity = record::Severity::warning) {
  return {severity, code, text};
}

TEST(node_findings, count_a_node_once_per_code) {
  const NodeFindings node{found("busy_neighbours", "Other processes use 5.0 % of the time."),
                          found("busy_neighbours", "The load average is 3.00."),
                          found("unpinned", "2 processes are not bound.")};
  const auto events = merged({node, node, {node[0]}, {}});
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].code, "busy_neighbours");
  EXPECT_EQ(events[0].data.json()["nodes"], 3);
  EXPECT_EQ(events[1].data.json()["nodes"], 2);
}

TEST(node_findings, keep_a_sentence_of_every_kind) {
  const auto events = merged({{found("busy_neighbours", "Other processes use 5.0 % of the time.")},
                              {found("busy_neighbours", "Other processes use 7.5 % of the time."),
                               found("busy_neighbours", "The load average is 3.00.")}});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].text, "Other processes use 5.0 % of the time. The load average is 3.00.");
}

TEST(node_findings, are_as_severe_as_the_worst) {
  const auto events = merged(
      {{found("file_system", "Only 3 GB.")}, {found("file_system", "Only 0 GB.", record::Severity::error)}});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].severity, record::Severity::error);
}

TEST(node_findings, of_a_single_node_have_no_number_of_nodes) {
  const auto events = merged({{found("swap_in_use", "Swap is used.")}});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_TRUE(events[0].data.json().is_null());
  EXPECT_TRUE(merged({}).empty());
}

}  // namespace
}  // namespace steelyard::campaign
