// SPDX-License-Identifier: Apache-2.0
#include "campaign/resume.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/node_events.hpp"
#include "record/json.hpp"
#include "record/whereabouts.hpp"

namespace steelyard::campaign {
namespace {

using record::Json;
using record::Status;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

record::PointRecord point(const std::string& key, Status status) {
  record::PointRecord record;
  record.key = key;
  record.status = status;
  return record;
}

class kept_points : public ::testing::Test {
 protected:
  kept_points() {
    run_.points = {point("ok", Status::ok), point("partial", Status::partial),
                   point("skipped", Status::skipped), point("failed", Status::failed)};
    run_.points[0].verified = false;
  }
  record::Run run_;
};

TEST_F(kept_points, by_default_failed_and_partial_ones_are_measured_again) {
  EXPECT_THAT(kept_keys(run_, {}), ElementsAre("ok", "skipped"));
  const record::Counts counts = kept_counts(run_, {});
  EXPECT_EQ(counts.ok, 1);
  EXPECT_EQ(counts.skipped, 1);
  EXPECT_EQ(counts.failed, 0);
  EXPECT_EQ(counts.unverified, 1);
}

TEST_F(kept_points, of_an_experiment_are_all_kept_or_none) {
  const Experiments whole{{"ok", "partial"}, {"skipped"}};
  EXPECT_THAT(kept_keys(run_, {}, whole), ElementsAre("skipped"));
  EXPECT_EQ(kept_counts(run_, {}, whole).ok, 0);
  EXPECT_THAT(kept_keys(run_, {}, {{"ok", "skipped"}}), ElementsAre("ok", "skipped"));
  EXPECT_THAT(kept_keys(run_, {}, {{"ok", "never measured"}}), ElementsAre("skipped"));
}

TEST_F(kept_points, follow_what_is_asked_for) {
  EXPECT_THAT(kept_keys(run_, {false, false, false, false}),
              ElementsAre("ok", "partial", "skipped", "failed"));
  EXPECT_THAT(kept_keys(run_, {false, false, true, false}), ElementsAre("ok", "partial", "failed"));
  EXPECT_THAT(kept_keys(run_, {true, true, true, true}), ElementsAre("ok"));
}

TEST_F(kept_points, that_the_plan_leaves_out_now_stay_as_they_were_found) {
  const std::set<std::string> left_out{"partial", "skipped"};
  EXPECT_THAT(kept_keys(run_, {}, {}, left_out), ElementsAre("ok", "partial", "skipped"));
  EXPECT_EQ(kept_counts(run_, {}, {}, left_out).partial, 1);
  EXPECT_THAT(kept_keys(run_, {true, true, true, true}, {}, left_out), ElementsAre("ok", "partial"));
}

TEST_F(kept_points, of_single_groups_stay_with_their_point) {
  run_.points = {point("a;group=0;x=1", Status::partial), point("a;group=1;x=1", Status::partial)};
  EXPECT_THAT(kept_keys(run_, {}), IsEmpty());
  EXPECT_THAT(kept_keys(run_, {}, {}, {"a;x=1"}), ElementsAre("a;group=0;x=1", "a;group=1;x=1"));
}

TEST_F(kept_points, have_their_events_still_and_so_has_the_run_but_not_what_is_judged_anew) {
  const auto told = [&](const std::string& code, const std::string& key) {
    run_.events.push_back({record::Severity::warning, code, code + " of " + key, {}, key});
  };
  told("verification_failed", "ok");
  told("point_failed", "failed");
  told("steal", "");
  told("slow_node", "");
  const auto events = standing_events(run_, kept_keys(run_, {}));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].code, "verification_failed");
  EXPECT_EQ(events[1].code, "steal");
}

TEST(key_of_point, is_that_without_a_group) {
  EXPECT_EQ(key_of_point("a;groups=2;x=1"), "a;groups=2;x=1");
  EXPECT_EQ(key_of_point("a;groups=2;group=1"), "a;groups=2");
  EXPECT_EQ(key_of_point("a;group=12;x=1"), "a;x=1");
}

TEST(left_out_keys, are_those_of_skipped_points) {
  Plan plan;
  plan.blocks.resize(1);
  plan.blocks[0].points.resize(2);
  plan.blocks[0].points[0].key = "a";
  plan.blocks[0].points[1].key = "b;group=0;x=1";
  plan.blocks[0].points[1].skip = record::ReasonCode::time;
  EXPECT_THAT(left_out_keys(plan), ElementsAre("b;x=1"));
}

record::RunRecord somewhere() {
  record::RunRecord run;
  run.processes = 4;
  run.nodes = 2;
  run.layout = Json{{"hosts", {"a", "b"}}, {"ranks", {{0, 2}, {1, 2}}}};
  run.machine = Json{{"processor", "EPYC"}};
  run.mpi = Json{{"library", "Open MPI v4.1.4"}};
  run.program = Json{{"version", "0.3.1"}};
  run.plan_hash = "sha256:1";
  return run;
}

TEST(differences, none_between_equal_runs_on_other_hosts_with_another_patch) {
  record::RunRecord now = somewhere();
  now.layout.json()["hosts"] = {"c", "d"};
  now.program = Json{{"version", "0.3.9"}};
  EXPECT_THAT(differences(somewhere(), now), IsEmpty());
}

TEST(other_hosts, are_warned_of_by_their_names_in_whatever_order_they_come) {
  record::RunRecord now = somewhere();
  now.layout.json()["hosts"] = {"b", "a"};
  EXPECT_FALSE(other_hosts(somewhere(), now));
  now.layout.json()["hosts"] = {"d", "c"};
  const auto all = other_hosts(somewhere(), now);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->severity, record::Severity::warning);
  EXPECT_EQ(all->code, "other_hosts");
  EXPECT_EQ(
      all->text,
      "this session runs on other hosts than the one before (c, d; before: a, b): what its points differ "
      "in may be the machines");
  now.layout.json()["hosts"] = {"a", "c"};
  EXPECT_THAT(other_hosts(somewhere(), now)->text, HasSubstr("(c; before: b)"));
  now.layout.json()["hosts"] = {"a"};
  EXPECT_THAT(other_hosts(somewhere(), now)->text, HasSubstr("(fewer; before: b)"));
  Json many = Json::array();
  for (int host = 0; host < 30; ++host) many.push_back("n" + std::to_string(host));
  now.layout.json()["hosts"] = many;
  EXPECT_THAT(other_hosts(somewhere(), now)->text, HasSubstr(" and 22 more; before: a, b)"));
}

TEST(other_hosts, are_not_known_where_names_are_not_recorded) {
  record::RunRecord named = somewhere(), nameless = somewhere(), large = somewhere();
  nameless.config = Json{{"anonymous", true}};
  nameless.layout.json()["hosts"] = {"node0", "node1"};
  large.layout.json()["hosts"] = Json::array();
  for (const auto& [then, now] : {std::pair(nameless, nameless), std::pair(named, nameless),
                                  std::pair(nameless, named), std::pair(large, named)}) {
    const auto told = other_hosts(then, now);
    ASSERT_TRUE(told);
    EXPECT_EQ(told->severity, record::Severity::info);
    EXPECT_EQ(told->text,
              "whether this session runs on the hosts of the one before is not known: their names are not "
              "recorded");
  }
}

TEST(differences, each_is_told_by_name) {
  record::RunRecord now = somewhere();
  now.processes = 8;
  now.nodes = 3;
  now.layout.json()["ranks"] = {{0, 4}, {1, 4}};
  now.machine = Json{{"processor", "Xeon"}};
  now.mpi = Json{{"library", "MPICH 4.0.2"}};
  now.program = Json{{"version", "0.4.0"}};
  now.io = Json{{"type", "lustre"}};
  now.plan_hash = "sha256:2";
  EXPECT_THAT(differences(somewhere(), now),
              ElementsAre("the number of processes was 4, is 8", "the number of nodes was 2, is 3",
                          "the layout of ranks over nodes differs", "the processor was EPYC, is Xeon",
                          "the MPI library was Open MPI v4.1.4, is MPICH 4.0.2",
                          "the program's version was 0.3, is 0.4",
                          "the file system of the I/O directory was unknown, is lustre", "the plan differs"));
}

TEST(exit_code, follows_the_worst_that_happened) {
  const auto counts = [](std::int64_t ok, std::int64_t skipped, std::int64_t failed,
                         std::int64_t unverified) {
    record::Counts c;
    c.ok = ok;
    c.skipped = skipped;
    c.failed = failed;
    c.unverified = unverified;
    return c;
  };
  EXPECT_EQ(exit_code(counts(5, 1, 0, 0), ""), 0);
  EXPECT_EQ(exit_code(counts(5, 0, 1, 0), ""), 1);
  EXPECT_EQ(exit_code(counts(5, 0, 0, 1), ""), 1);
  EXPECT_EQ(exit_code(counts(0, 3, 0, 0), ""), 4);
  EXPECT_EQ(exit_code(counts(5, 0, 1, 0), "signal"), 5);
  EXPECT_EQ(exit_code(counts(5, 0, 0, 0), "budget"), 0);
  EXPECT_EQ(exit_code(counts(0, 0, 0, 0), "budget"), 4);
  EXPECT_EQ(exit_code(counts(5, 0, 0, 0), "error"), 1);
  EXPECT_EQ(exit_code(counts(0, 2, 0, 0), "error"), 4);
}

TEST(outliers, point_far_off_its_neighbours_is_found) {
  std::vector<Measured> curve;
  for (std::int64_t size = 1; size <= 4096; size *= 4) curve.push_back({"x", size, 1e-6, false});
  EXPECT_THAT(outliers(curve), IsEmpty());
  curve[3].time_s = 3.5e-6;
  EXPECT_THAT(outliers(curve), ElementsAre(3));
  curve[3].time_s = 1e-6 / 3.5;
  EXPECT_THAT(outliers(curve), ElementsAre(3));
  curve[3].time_s = 2.5e-6;
  EXPECT_THAT(outliers(curve), IsEmpty());
}

TEST(outliers, ends_of_a_curve_other_series_and_missing_times_are_left_alone_but_noise_counts) {
  std::vector<Measured> curve{{"x", 1, 1e-6, false}, {"x", 4, 1e-6, false}, {"x", 16, 8e-6, false}};
  EXPECT_THAT(outliers(curve), IsEmpty());
  curve.push_back({"y", 64, 1e-6, false});
  EXPECT_THAT(outliers(curve), IsEmpty());
  curve.push_back({"y", 128, std::nullopt, false});
  curve.push_back({"y", 256, 1.0, true});
  EXPECT_THAT(outliers(curve), ElementsAre(5));
}

TEST(layout, ranks_become_runs_and_nodes_are_ordered_by_their_first_rank) {
  EXPECT_THAT(rank_runs({0, 1, 2, 5, 6, 9}), ElementsAre(RankRun{0, 3}, RankRun{5, 2}, RankRun{9, 1}));
  const Layout layout({{"b", {{2, 2}}, "core"}, {"a", {{0, 2}, {4, 1}}, "core"}});
  EXPECT_EQ(layout.nodes(), 2);
  EXPECT_EQ(layout.host_of(1), "a");
  EXPECT_EQ(layout.host_of(3), "b");
  EXPECT_EQ(layout.host_of(4), "a");
  EXPECT_EQ(layout.host_of(5), "");
  EXPECT_EQ(layout.document().json().dump(),
            R"({"hosts":["a","b"],"ranks":[[0,2],[1,2],[0,1]],"binding":"core"})");
}

TEST(layout, different_bindings_are_mixed) {
  const Layout layout({{"a", {{0, 1}}, "core"}, {"b", {{1, 1}}, "none"}});
  EXPECT_EQ(layout.document().json().dump(),
            R"({"hosts":["a","b"],"ranks":[[0,1],[1,1]],"binding":"mixed"})");
}

TEST(layout, kinds_of_nodes_are_told_where_they_differ) {
  const char *lion = R"({"processor":"Lion"})", *puma = R"({"processor":"Puma"})";
  const Layout layout(
      {{"a", {{0, 1}}, "core", lion}, {"b", {{1, 1}}, "core", puma}, {"c", {{2, 1}}, "core", lion}});
  EXPECT_EQ(layout.document().json()["kinds"].dump(), R"([{"processor":"Lion"},{"processor":"Puma"}])");
  EXPECT_EQ(layout.document().json()["kind_of"].dump(), "[0,1,0]");
  const Layout alike({{"a", {{0, 1}}, "core", lion}, {"b", {{1, 1}}, "core", lion}});
  EXPECT_FALSE(alike.document().json().contains("kinds"));
}

/// So many nodes, on which so many ranks each are placed by turns.
Layout cyclic(int nodes, int each) {
  std::vector<NodeRanks> list;
  for (int node = 0; node < nodes; ++node) {
    std::vector<RankRun> runs;
    for (int turn = 0; turn < each; ++turn) runs.emplace_back(turn * nodes + node, 1);
    list.push_back({"lion" + std::to_string(100'000 + node), std::move(runs), "core"});
  }
  return Layout(std::move(list));
}

record::RunRecord run_with(const record::Document& layout, int processes) {
  record::RunRecord run;
  run.processes = processes;
  run.layout = layout;
  return run;
}

TEST(layout, of_many_nodes_is_coded_by_hosts_that_follow_one_another) {
  const Layout layout = cyclic(10'000, 10);
  const auto document = layout.document();
  EXPECT_EQ(document.json()["ranks"].size(), 10U);
  EXPECT_EQ(document.json()["ranks"][0].dump(), "[0,1,10000]");
  const auto stretches = record::rank_stretches(run_with(document, 100'000));
  ASSERT_EQ(stretches.size(), 100'000U);
  for (const int rank : {0, 9'999, 10'000, 54'321, 99'999})
    EXPECT_EQ(document.json()["hosts"][stretches[static_cast<std::size_t>(rank)].first].get<std::string>(),
              layout.host_of(rank));
}

TEST(layout, of_few_nodes_stays_plain) {
  EXPECT_EQ(cyclic(2, 2).document().json()["ranks"].dump(), "[[0,1],[1,1],[0,1],[1,1]]");
}

TEST(layout, fits_into_the_line_of_a_record_or_is_shortened) {
  for (const auto& [nodes, each] : {std::pair(10'000, 10), std::pair(2000, 64), std::pair(40'000, 1)}) {
    auto layout = cyclic(nodes, each).document();
    EXPECT_EQ(shorten(layout), "") << nodes;
    EXPECT_EQ(layout.json()["hosts"].size(), static_cast<std::size_t>(nodes));
  }
  auto irregular = cyclic(2000, 64).document(), endless = cyclic(80'000, 1).document();
  for (int i = 0; i < 128'000; ++i) irregular.json()["ranks"].push_back({i % 1999, 1});
  EXPECT_EQ(shorten(irregular), "which ranks are on which host");
  EXPECT_EQ(irregular.json()["hosts"].size(), 2000U);
  EXPECT_TRUE(record::rank_stretches(run_with(irregular, 128'000)).empty());
  EXPECT_NE(shorten(endless), "");
  EXPECT_EQ(endless.json().dump(), R"({"hosts":[],"ranks":[]})");
}

TEST(layout, that_tells_more_ranks_than_there_are_tells_none) {
  const auto stretches = [](const char* ranks, int processes) {
    return record::rank_stretches(run_with(record::Json{{"ranks", record::Json::parse(ranks)}}, processes))
        .size();
  };
  EXPECT_EQ(stretches("[[0,2],[1,3,2]]", 8), 3U);
  for (const char* ranks :
       {"[[0,9]]", "[[0,1,9]]", "[[0,1,9223372036854775807]]", "[[0,9223372036854775807,2]]", "[[-1,1]]",
        "[[0,0]]", "[[0,1,0]]", "[[0,1,1,1]]", "[[0,\"1\"]]", "[7]", "{}"})
    EXPECT_EQ(stretches(ranks, 8), 0U) << ranks;
}

TEST(layout, switches_are_told_of_the_hosts_that_are_at_one) {
  const Layout layout({{"a.site", {{0, 1}}, "core"}, {"b", {{1, 1}}, "core"}, {"c", {{2, 1}}, "core"}});
  const std::map<std::string, std::string> switch_of{{"a", "core/s1"}, {"c", "core/s2"}, {"x", "core/s3"}};
  auto told = layout.document(), hidden = layout.document(), none = layout.document();
  tell_switches(switch_of, false, told);
  EXPECT_EQ(told.json()["switches"].dump(), R"(["core/s1","core/s2"])");
  EXPECT_EQ(told.json()["switch_of"].dump(), "[0,null,1]");
  tell_switches(switch_of, true, hidden);
  EXPECT_EQ(hidden.json()["switches"].dump(), R"(["switch0/switch1","switch0/switch2"])");
  tell_switches({{"x", "s3"}}, false, none);
  EXPECT_FALSE(none.json().contains("switches"));
}

TEST(layout, binding_is_told_from_the_masks) {
  EXPECT_EQ(binding_of({{{0}, {0}}, {{1}, {1}}}), "core");
  EXPECT_EQ(binding_of({{{0, 1}, {0, 1}}, {{0, 1}, {0, 1}}}), "none");
  EXPECT_EQ(binding_of({{{0, 1}, {0, 1}}, {{2, 3}, {2, 3}}}), "set");
}

}  // namespace
}  // namespace steelyard::campaign
