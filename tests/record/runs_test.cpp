// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

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
