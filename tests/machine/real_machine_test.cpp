// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "machine/findings.hpp"
#include "machine/node_counters.hpp"
#include "record/json.hpp"

namespace {

using namespace steelyard::machine;

TEST(this_machine, every_promised_member_is_there) {
  const auto machine = describe_machine().json();
  for (const auto* member :
       {"uname",          "architecture",     "kernel",          "processor", "sockets",
        "cores",          "threads_per_core", "caches",          "numa",      "memory_byte",
        "available_byte", "huge_pages",       "limits",          "governor",  "frequency",
        "mitigations",    "vector_flags",     "virtual_machine", "container", "network",
        "power",          "topology",         "uptime_s",        "load",      "clock_synchronised",
        "missing"})
    EXPECT_TRUE(machine.contains(member)) << member;
  for (const auto* member : {"machine", "sysname", "release", "version"})
    EXPECT_TRUE(machine["uname"][member].is_string()) << member;
}

TEST(this_machine, what_is_usable_is_positive) {
  EXPECT_GT(usable_memory().node_byte, 0);
  EXPECT_GE(usable_cores(), 1);
  EXPECT_GT(last_level_cache().line_byte, 0);
}

TEST(this_machine, affinity_is_ascending_and_not_empty) {
  const auto own = affinity();
  EXPECT_FALSE(own.processors.empty());
  EXPECT_TRUE(std::ranges::is_sorted(own.processors));
  EXPECT_LE(own.cores.size(), own.processors.size());
}

TEST(this_machine, own_work_is_counted_as_run_time) {
  if (std::getenv("STEELYARD_TEST_EMULATOR") != nullptr)
    GTEST_SKIP() << "an emulator answers for /proc/self/stat, and without times";
  const double before = run_time({0});
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  // As long as it takes until the kernel has counted some steps, however busy the machine is.
  while (run_time({0}) < before + 0.05 && std::chrono::steady_clock::now() < end) {
  }
  EXPECT_GE(run_time({0}), before + 0.05);
}

TEST(this_machine, load_of_a_window_is_a_share) {
  const auto foreign = watch_load(std::chrono::milliseconds(50)).foreign();
  EXPECT_GE(foreign.value_or(0), 0);
  EXPECT_LE(foreign.value_or(0), 1);
}

TEST(this_machine, is_examined_without_waiting_or_with_a_short_window) {
  for (const int milliseconds : {0, 20}) {
    Situation situation;
    situation.window = std::chrono::milliseconds(milliseconds);
    EXPECT_FALSE(examine(situation).empty());
  }
}

TEST(this_machine, documents_can_be_written_as_json_text) {
  EXPECT_NO_THROW(static_cast<void>(describe_machine().json().dump()));
  EXPECT_NO_THROW(static_cast<void>(describe_environment_variables().json().dump()));
  EXPECT_NO_THROW(static_cast<void>(describe_directory(".").json().dump()));
}

}  // namespace
