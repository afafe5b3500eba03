// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "record/json.hpp"
#include "record/whereabouts.hpp"
#include "samples.hpp"

namespace steelyard::record {
namespace {

/// Records of a file, one after the other.
class Session {
 public:
  Session& add(const Body& body, int session = 1, const std::string& run = samples::run_id) {
    Record record = samples::enveloped(body, static_cast<std::int64_t>(content_.records.size()), session);
    record.envelope.run = run;
    content_.records.push_back(record);
    return *this;
  }
  [[nodiscard]] std::vector<Run> merged() const { return runs(content_); }

 private:
  FileContent content_;
};

double median_of(const PointRecord& point) {
  return *std::get<Statistics>(point.metrics[0].second).median;
}

SummaryRecord summary(double value, int processes = 1) {
  SummaryRecord record;
  record.name = "b_eff";
  record.suite = "b-eff";
  record.processes = processes;
  record.values = {{"b_eff_byte_s", value}};
  return record;
}

TEST(runs, last_record_of_a_key_wins_at_the_place_of_the_first) {
  const auto run = Session()
                       .add(samples::bare_run())
                       .add(samples::point(1, 1.0))
                       .add(samples::point(2, 2.0))
                       .add(samples::point(1, 3.0))
                       .merged()
                       .at(0);
  ASSERT_EQ(run.points.size(), 2U);
  EXPECT_EQ(median_of(run.points[0]), 3.0);
  EXPECT_EQ(median_of(run.points[1]), 2.0);
  EXPECT_EQ(run.envelopes[0].seq, 3);
  EXPECT_EQ(run.next_seq, 4);
}

TEST(runs, sessions_are_merged_under_the_last_run_record) {
  RunRecord later = samples::bare_run();
  later.started_utc = "2026-11-21T00:00:00Z";
  const auto run = Session()
                       .add(samples::bare_run())
                       .add(samples::point(1, 1.0))
                       .add(samples::full_end())
                       .add(later, 2)
                       .add(samples::point(2, 2.0), 2)
                       .merged()
                       .at(0);
  EXPECT_EQ(run.sessions, 2);
  EXPECT_EQ(run.head.started_utc, "2026-11-21T00:00:00Z");
  EXPECT_EQ(run.points.size(), 2U);
  EXPECT_EQ(run.envelopes[1].session, 2);
  EXPECT_FALSE(run.end.has_value()) << "the last session was cut off";
}

TEST(runs, summaries_of_a_later_session_replace_the_earlier_ones) {
  const auto run = Session()
                       .add(samples::bare_run())
                       .add(summary(1, 2))
                       .add(samples::bare_run(), 2)
                       .add(summary(2, 4), 2)
                       .add(summary(3, 8), 2)
                       .merged()
                       .at(0);
  ASSERT_EQ(run.summaries.size(), 2U) << "the best partition is another one now";
  EXPECT_EQ(run.summaries[0].processes, 4);
  EXPECT_EQ(std::get<double>(run.summaries[1].values[0].second), 3.0);
}

TEST(runs, a_summary_stays_where_a_later_session_has_none_of_its_suite) {
  SummaryRecord other = summary(2, 4);
  other.suite = other.name = "ftio";
  const auto run = Session()
                       .add(samples::bare_run())
                       .add(summary(1, 2))
                       .add(samples::bare_run(), 2)
                       .add(other, 2)
                       .merged()
                       .at(0);
  ASSERT_EQ(run.summaries.size(), 2U);
  EXPECT_EQ(run.summaries[0].processes, 2);
}

TEST(runs, rows_of_one_table_of_a_session_are_joined_and_other_columns_are_not) {
  TableRecord first = samples::table(2), second = samples::table(3), other = samples::table(1);
  second.columns.json()["latency_s"][2] = 7.0;
  other.columns.json()["more"] = Json::array({1});
  Session session;
  session.add(samples::bare_run()).add(first).add(second).add(other);
  const auto tables = session.merged().at(0).tables;
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].columns.json()["from_rank"].size(), 5U);
  EXPECT_EQ(tables[0].columns.json()["latency_s"][4], Json(7.0));
  EXPECT_EQ(tables[1].columns.json()["latency_s"].size(), 1U);
}

TEST(runs, tables_of_a_later_session_replace_all_parts_of_the_earlier_one) {
  TableRecord first = samples::table(2), second = samples::table(2), whole = samples::table(4);
  first.parts = second.parts = second.part = 2;
  Session session;
  session.add(samples::bare_run()).add(first).add(second);
  EXPECT_EQ(session.merged().at(0).tables.at(0).columns.json()["from_rank"].size(), 4U);
  session.add(samples::bare_run(), 2).add(whole, 2);
  EXPECT_EQ(session.merged().at(0).tables.size(), 1U);
  EXPECT_EQ(session.merged().at(0).tables.at(0).columns.json()["from_rank"].size(), 4U);
}

using Names = std::vector<std::string>;

/// A run record of two processes on each of these hosts.
RunRecord run_on(const Names& hosts) {
  RunRecord run = samples::bare_run();
  run.nodes = static_cast<int>(hosts.size());
  run.processes = 2 * run.nodes;
  Json ranks = Json::array();
  for (int host = 0; host < run.nodes; ++host) ranks.push_back({host, 2});
  run.layout = Json{{"hosts", hosts}, {"ranks", std::move(ranks)}};
  return run;
}

TEST(runs, points_and_tables_are_of_the_hosts_of_their_session) {
  TableRecord other = samples::table(2);
  other.key = "other";
  const auto run = Session()
                       .add(run_on({"a", "b"}))
                       .add(samples::point(1))
                       .add(samples::point(2))
                       .add(samples::table(2))
                       .add(run_on({"a", "b"}), 2)
                       .add(samples::point(3), 2)
                       .add(run_on({"c", "d"}), 3)
                       .add(samples::point(2), 3)
                       .add(other, 3)
                       .merged()
                       .at(0);
  ASSERT_EQ(run.earlier.size(), 1U) << "sessions of one place are kept once";
  EXPECT_EQ(run.earlier[0].last, 2);
  EXPECT_EQ(run.head_session, 3);
  EXPECT_EQ(host_names(whereabouts_of_point(run, 0)), (Names{"a", "b"}));
  EXPECT_EQ(host_names(whereabouts_of_point(run, 1)), (Names{"c", "d"})) << "measured again";
  EXPECT_EQ(host_names(whereabouts_of_point(run, 2)), (Names{"a", "b"}));
  ASSERT_EQ(run.tables.size(), 2U);
  EXPECT_EQ(run.table_sessions, (std::vector<int>{1, 3}));
  EXPECT_EQ(hosts_of_ranks(whereabouts_of_table(run, 0)), (Names{"a", "a", "b", "b"}));
  EXPECT_EQ(hosts_of_ranks(whereabouts_of_table(run, 1)), (Names{"c", "c", "d", "d"}));
}

TEST(runs, sessions_on_the_same_hosts_in_another_order_are_told_apart) {
  const auto run = Session()
                       .add(run_on({"a", "b"}))
                       .add(samples::point(1))
                       .add(run_on({"b", "a"}), 2)
                       .add(samples::point(2), 2)
                       .merged()
                       .at(0);
  EXPECT_EQ(hosts_of_ranks(whereabouts_of_point(run, 0)).front(), "a");
  EXPECT_EQ(hosts_of_ranks(whereabouts_of_point(run, 1)).front(), "b");
}

TEST(runs, of_one_session_or_without_sessions_are_where_their_record_says) {
  const auto run = Session().add(run_on({"a", "b"})).add(samples::point(1)).merged().at(0);
  EXPECT_TRUE(run.earlier.empty());
  EXPECT_EQ(host_names(whereabouts_of_point(run, 0)), (Names{"a", "b"}));
  record::Run made;
  made.head = run_on({"c"});
  made.points = run.points;
  EXPECT_EQ(host_names(whereabouts_of_point(made, 0)), (Names{"c"}));
  EXPECT_EQ(host_names(whereabouts_of_table(made, 0)), (Names{"c"}));
  made.head.layout.json().erase("ranks");
  EXPECT_TRUE(hosts_of_ranks(made.head).empty());
}

TEST(runs, interleaved_runs_are_kept_apart_in_order) {
  const std::string other = "20260101T000000Z-00000001";
  const auto list = Session()
                        .add(samples::bare_run())
                        .add(samples::bare_run(), 1, other)
                        .add(samples::point(1))
                        .add(samples::full_event(), 1, other)
                        .merged();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].id, samples::run_id);
  EXPECT_EQ(list[0].points.size(), 1U);
  EXPECT_EQ(list[1].events.size(), 1U);
}

TEST(runs, run_without_run_record_is_refused) {
  EXPECT_THROW((void)Session().add(samples::point(1)).merged(), ReadError);
}

}  // namespace
}  // namespace steelyard::record
