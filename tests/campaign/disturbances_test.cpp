// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "campaign/node_events.hpp"
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

}  // namespace
}  // namespace steelyard::campaign
