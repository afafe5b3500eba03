// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <set>
#include <stdexcept>

#include "record/clipped.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
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
                           "missing_library",
                           "missing_value",
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

std::string key_of(const Params& params) {
  return make_key("imb-mpi1", "PingPong", 2, 1, 1, params);
}

TEST(key, names_are_in_ascii_order_with_processes_among_them) {
  const Params params{{"type", "MPI_FLOAT"}, {"op", "MPI_SUM"}, {"message_byte", std::int64_t{4096}}};
  EXPECT_EQ(make_key("imb-mpi1", "Allreduce", 2, 1, 1, params),
            "imb-mpi1/Allreduce;message_byte=4096;op=MPI_SUM;processes=2;type=MPI_FLOAT");
}

TEST(key, threads_and_groups_appear_only_when_they_are_not_one) {
  EXPECT_EQ(make_key("hpcc", "HPL", 4, 1, 1, {}), "hpcc/HPL;processes=4");
  EXPECT_EQ(make_key("hpcc", "HPL", 4, 2, 3, {}), "hpcc/HPL;groups=3;processes=4;threads=2");
}

TEST(key, separators_and_control_characters_are_percent_coded) {
  EXPECT_EQ(key_of({{"a", "x;y=z%\n\x7f"}}), "imb-mpi1/PingPong;a=x%3By%3Dz%25%0A%7F;processes=2");
  EXPECT_EQ(make_key("imb-io", "a/b;c", 1, 1, 1, {}), "imb-io/a%2Fb%3Bc;processes=1");
}

TEST(key, values_are_spelled_as_in_json) {
  EXPECT_EQ(key_of({{"a", nullptr}, {"b", true}, {"c", 0.1}, {"d", 4.0}, {"e", std::vector<double>{1, 0.5}}}),
            "imb-mpi1/PingPong;a=null;b=true;c=0.1;d=4.0;e=[1.0,0.5];processes=2");
  EXPECT_EQ(key_of({{"a", std::vector<double>{}}, {"b", std::int64_t{-3}}}),
            "imb-mpi1/PingPong;a=[];b=-3;processes=2");
}

TEST(key, different_text_makes_different_keys) {
  EXPECT_NE(key_of({{"a", "x;b=1"}}), key_of({{"a", "x"}, {"b", std::int64_t{1}}}));
  EXPECT_NE(key_of({{"a", "%3B"}}), key_of({{"a", ";"}}));
}

TEST(key, invalid_utf8_is_replaced_as_in_the_file) {
  EXPECT_EQ(key_of({{"a", "\xff"}}), "imb-mpi1/PingPong;a=\xEF\xBF\xBD;processes=2");
}

TEST(key, number_that_is_not_finite_is_refused) {
  EXPECT_THROW((void)key_of({{"a", std::numeric_limits<double>::quiet_NaN()}}), NotANumber);
  EXPECT_THROW((void)key_of({{"a", std::vector<double>{std::numeric_limits<double>::infinity()}}}),
               NotANumber);
}

TEST(sha256, vectors_of_the_standard) {
  EXPECT_EQ(sha256(""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "sha256:248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "sha256:cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(sha256, lengths_around_a_block_are_padded_right) {
  EXPECT_EQ(sha256(std::string(55, 'a')),
            "sha256:9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256(std::string(56, 'a')),
            "sha256:b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256(std::string(64, 'a')),
            "sha256:ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(value, number_takes_whole_and_real_and_refuses_the_rest) {
  EXPECT_EQ(number(std::int64_t{3}), 3.0);
  EXPECT_EQ(number(0.5), 0.5);
  EXPECT_THROW((void)number("3"), std::domain_error);
  EXPECT_THROW((void)number(true), std::domain_error);
  EXPECT_THROW((void)number(nullptr), std::domain_error);
}

TEST(value, whole_number_has_no_fraction_and_a_size_that_a_double_counts) {
  EXPECT_EQ(record::whole(-3.0), -3);
  EXPECT_EQ(record::whole(0x1p53), std::int64_t{1} << 53);
  for (const double wrong : {0.5, 0x1p54, 1e300, -1e300, std::nan("")})
    EXPECT_THROW((void)record::whole(wrong), std::domain_error) << wrong;
}

TEST(value, clipped_number_is_the_nearest_that_the_type_has) {
  using Signed = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(clipped<std::int64_t>(-2.9), -2);
  EXPECT_EQ(clipped<std::int64_t>(-0x1p63), Signed::min());
  for (const double large : {0x1p63, 1e300, HUGE_VAL}) {
    EXPECT_EQ(clipped<std::int64_t>(large), Signed::max()) << large;
    EXPECT_EQ(clipped<std::int64_t>(-large), Signed::min()) << large;
    EXPECT_EQ(Json(large).get<std::int64_t>(), Signed::max()) << large;
  }
  EXPECT_EQ(clipped<int>(2147483647.5), std::numeric_limits<int>::max());
  EXPECT_EQ(clipped<std::uint64_t>(0x1p63), std::uint64_t{1} << 63);
  EXPECT_EQ(clipped<std::uint64_t>(0x1p64), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(clipped<std::uint64_t>(-1e300), 0U);
  EXPECT_EQ(clipped<int>(std::nan("")), 0);
}

TEST(value, find_gives_the_member_or_nothing) {
  const Members members{{"b", 1.0}, {"a", 2.0}};
  const Params params{{"b", 1.0}, {"a", 2.0}};
  ASSERT_NE(find(members, "a"), nullptr);
  ASSERT_NE(find(params, "a"), nullptr);
  EXPECT_EQ(number(*find(members, "a")), 2.0);
  EXPECT_EQ(number(*find(params, "a")), 2.0);
  EXPECT_EQ(find(members, "c"), nullptr);
  EXPECT_EQ(find(params, "c"), nullptr);
}

TEST(document, copies_are_independent_and_null_is_empty) {
  Document first(Json{{"a", 1}});
  Document second = first;
  second.json()["a"] = 2;
  EXPECT_EQ(first.json()["a"], 1);
  EXPECT_TRUE(Document().empty());
  EXPECT_TRUE(Document(Json::object()).empty());
  EXPECT_FALSE(first.empty());
  first = std::move(second);
  EXPECT_EQ(first.json()["a"], 2);
}

TEST(time, run_id_and_time_have_their_form) {
  EXPECT_THAT(make_run_id(), testing::MatchesRegex("[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}"));
  EXPECT_THAT(utc_now(), testing::MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
  EXPECT_NE(make_run_id(), make_run_id());
}

}  // namespace
}  // namespace steelyard::record
