// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "record/records.hpp"

namespace steelyard::record {
namespace {

TEST(metric_names, suffix_fits_the_unit) {
  for (const MetricName& metric : metric_names()) EXPECT_EQ(unit_of(metric.name), metric.unit) << metric.name;
}

TEST(metric_names, are_unique_and_explained) {
  std::set<std::string_view> seen;
  for (const MetricName& metric : metric_names()) {
    EXPECT_TRUE(seen.insert(metric.name).second) << metric.name;
    EXPECT_THAT(std::string(metric.name), testing::MatchesRegex("[a-z][a-z0-9]*(_[a-z0-9]+)*"));
    EXPECT_FALSE(metric.definition.empty()) << metric.name;
  }
}

TEST(metric_names, those_of_the_result_format_are_there) {
  for (const char* name :
       {"time_s", "bandwidth_byte_s", "message_rate_op_s", "flop_rate_flop_s", "update_rate_update_s",
        "io_time_s", "compute_time_s", "overlap_percent", "scaled_residual", "b_eff_byte_s",
        "b_eff_per_process_byte_s", "b_eff_at_lmax_byte_s", "b_eff_rings_at_lmax_byte_s", "latency_s",
        "ring_latency_s", "memory_communication_time_s", "balance_factor", "pingpong_latency_s",
        "pingpong_bandwidth_byte_s"}) {
    EXPECT_NE(metric_name(name), nullptr) << name;
  }
  EXPECT_EQ(metric_name("time"), nullptr);
}

TEST(metric_names, rates_are_better_when_higher_and_times_when_lower) {
  for (const MetricName& metric : metric_names()) {
    const bool rate = metric.unit.ends_with("/s");
    if (rate || metric.unit == "s") {
      EXPECT_EQ(metric.lower_is_better, !rate) << metric.name;
    }
  }
}

TEST(unit_of, reads_the_end_of_the_name) {
  EXPECT_EQ(unit_of("any_time_s"), "s");
  EXPECT_EQ(unit_of("bandwidth_byte_s"), "byte/s");
  EXPECT_EQ(unit_of("memory_byte"), "byte");
  EXPECT_EQ(unit_of("scaled_residual"), "");
  EXPECT_EQ(unit_of("times"), "");
}

TEST(event_codes, those_of_the_methodology_and_the_format_are_there) {
  for (const char* code : {"clock_backwards",
                           "clock_unusable",
                           "clock_drift",
                           "clock_sync_poor",
                           "oversubscribed",
                           "unpinned",
                           "shared_core",
                           "migrated",
                           "frequency_scaling",
                           "turbo",
                           "smt_on",
                           "virtual_machine",
                           "container_quota",
                           "busy_neighbours",
                           "steal",
                           "no_isolation",
                           "debug_build",
                           "debug_mpi",
                           "remote_memory",
                           "page_faults",
                           "one_placement",
                           "heterogeneous",
                           "noisy",
                           "crowded",
                           "mixed_states",
                           "preempted",
                           "outlier_confirmed",
                           "cached_read",
                           "verification_failed",
                           "file_system_full",
                           "volume_limit",
                           "mpi_error",
                           "stop_requested",
                           "deadline",
                           "budget",
                           "no_locks",
                           "resumed_with_differences",
                           "other_hosts",
                           "gave_up"}) {
    EXPECT_TRUE(is_event_code(code)) << code;
  }
  EXPECT_FALSE(is_event_code("nonsense"));
  EXPECT_FALSE(is_event_code(""));
}

/// Words that sources add to the flags of points.
std::set<std::string> flags_in_sources() {
  std::set<std::string> found;
  const std::regex added("(?:flags\\.(?:emplace|push)_back\\(|flag_if\\([^;]*)\"([a-z_]+)\"\\)");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(STEELYARD_SOURCES)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator one(text.begin(), text.end(), added), end; one != end; ++one)
      found.insert((*one)[1]);
  }
  return found;
}

TEST(flag_texts, every_flag_that_a_point_may_have_is_explained_here_and_in_the_manual) {
  const auto found = flags_in_sources();
  EXPECT_GE(found.size(), 15U);
  for (const std::string& flag : found) EXPECT_FALSE(flag_text(flag).empty()) << flag;
  std::ifstream page(std::filesystem::path(STEELYARD_SOURCES).parent_path() / "docs" / "records.md");
  const std::string manual{std::istreambuf_iterator<char>(page), {}};
  for (const auto& [flag, text] : flag_texts())
    EXPECT_NE(manual.find("| `" + std::string(flag) + "` | " + std::string(text) + " |"), std::string::npos)
        << flag;
  EXPECT_TRUE(flag_text("nonsense").empty());
}

TEST(words, every_status_and_reason_has_its_word) {
  EXPECT_EQ(text(Status::ok), "ok");
  EXPECT_EQ(text(Status::failed), "failed");
  EXPECT_EQ(text(ReasonCode::memory), "memory");
  EXPECT_EQ(text(ReasonCode::file_system), "file_system");
  EXPECT_EQ(text(ReasonCode::mpi_error), "mpi_error");
  EXPECT_EQ(text(ReasonCode::interrupted), "interrupted");
  EXPECT_EQ(text(ReasonCode::internal), "internal");
  EXPECT_EQ(text(Severity::error), "error");
}

}  // namespace
}  // namespace steelyard::record
