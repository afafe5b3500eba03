// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "campaign/node_events.hpp"
#include "record/json.hpp"

namespace steelyard::campaign {
namespace {

record::EventRecord found(const char* code, const char* text,
                          record::Severity severity = record::Severity::warning) {
  return {severity, code, text, {}, {}};
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
