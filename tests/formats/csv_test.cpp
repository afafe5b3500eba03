// SPDX-License-Identifier: Apache-2.0
#include "formats/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using record::Json;
using record::PointRecord;

PointRecord point(std::string benchmark, record::Params params) {
  PointRecord point;
  point.suite = "imb-mpi1";
  point.benchmark = std::move(benchmark);
  point.processes = 2;
  point.key = record::make_key(point.suite, point.benchmark, 2, 1, 1, params);
  point.params = std::move(params);
  point.schedule = record::Schedule{};
  point.schedule->rule = "adaptive";
  point.primary = "time_s";
  return point;
}

PointRecord measured() {
  PointRecord made =
      point("Allreduce", {{"message_byte", std::int64_t{4096}}, {"op", "MPI_SUM"}, {"type", "MPI_FLOAT"}});
  made.verified = true;
  made.schedule->ops = 5248;
  made.schedule->batches = 41;
  made.schedule->elapsed_s = 0.0331;
  record::Statistics time;
  time.over_ranks = "max";
  time.median = 6.2311e-06;
  time.ci = {6.1902e-06, 6.3107e-06};
  time.min = 6e-06, time.p25 = 6.1e-06, time.p75 = 6.3e-06, time.p95 = 9e-06, time.p99 = 9.8e-06,
  time.max = 1e-05;
  time.mean = 6.4e-06, time.sd = 0.1 + 0.2;
  made.metrics = {{"time_s", time}, {"bandwidth_byte_s", 657348301.2}};
  return made;
}

PointRecord partial() {
  PointRecord made =
      point("PingPong", {{"message_byte", std::int64_t{0}}, {"weight", 0.5}, {"buffer", "cold"}});
  made.status = record::Status::partial;
  made.verified = false;
  made.groups = 2;
  made.reason = record::Reason{record::ReasonCode::time, "budget", {}, {}, {}, {}, {}, {}};
  made.metrics = {{"time_s", nullptr}};
  made.flags = {"noisy", "few_visits"};
  return made;
}

PointRecord failed() {
  PointRecord made = point("Bcast", {{"map", "2x\"1\", odd"}});
  made.status = record::Status::failed;
  made.schedule.reset();
  made.primary.clear();
  made.reason =
      record::Reason{record::ReasonCode::mpi_error, "line 1\nline 2, \"quoted\"", 1, {}, {}, {}, {}, {}};
  return made;
}

record::Run run_of(std::vector<PointRecord> points) {
  record::Run run;
  run.id = "20261120T083000Z-7f3a91c2";
  run.head.nodes = 3;
  for (std::size_t i = 0; i < points.size(); ++i) {
    run.envelopes.push_back({run.id, 1, static_cast<std::int64_t>(i + 1), 0.5});
  }
  run.points = std::move(points);
  return run;
}

record::Record recorded(const PointRecord& point) {
  record::Record record;
  record.envelope.run = "20261120T083000Z-7f3a91c2";
  record.body = point;
  return record;
}

std::string csv_of(const std::vector<record::Run>& runs, CsvMetrics metrics = CsvMetrics::all) {
  std::ostringstream out;
  CsvText text(out);
  for (const record::Run& run : runs)
    for (std::size_t i = 0; i < run.points.size(); ++i) {
      std::string rows;
      append_csv_rows(rows, metrics, run.head, run.envelopes[i], run.points[i]);
      text.point(rows);
    }
  text.end();
  return out.str();
}

std::string json_of(const std::vector<record::Record>& records) {
  std::ostringstream out;
  JsonText text(out);
  for (const record::Record& record : records) text.record(to_line(record));
  text.end();
  return out.str();
}

/// RFC 4180, written for this test alone.
std::vector<std::vector<std::string>> parsed(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      const bool pair = c == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (pair) ++i;
      if (c == '"' && !pair)
        quoted = false;
      else
        field += c;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      row.push_back(std::exchange(field, {}));
      if (c == '\n') rows.push_back(std::exchange(row, {}));
    } else {
      field += c;
    }
  }
  EXPECT_TRUE(field.empty() && row.empty() && !quoted) << "the text ends in the middle of a row";
  return rows;
}

using NamedRow = std::map<std::string, std::string>;

std::vector<NamedRow> named_rows(const std::string& text) {
  const auto rows = parsed(text);
  std::vector<NamedRow> list;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    EXPECT_EQ(rows[r].size(), rows[0].size()) << "row " << r;
    NamedRow named;
    for (std::size_t c = 0; c < rows[0].size() && c < rows[r].size(); ++c) named[rows[0][c]] = rows[r][c];
    list.push_back(named);
  }
  return list;
}

std::string golden() {
  std::ifstream file(GOLDEN_DIRECTORY "/points.csv", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(csv, is_the_golden_file_to_the_byte) {
  EXPECT_EQ(csv_of({run_of({measured(), partial(), failed()})}), golden());
}

TEST(csv, one_row_per_point_and_metric_or_per_point) {
  const std::vector<record::Run> runs{run_of({measured(), partial(), failed()}), run_of({measured()})};
  EXPECT_EQ(named_rows(csv_of(runs)).size(), 6U);
  EXPECT_EQ(named_rows(csv_of(runs, CsvMetrics::primary)).size(), 4U);
}

TEST(csv, no_points_leave_the_header) {
  EXPECT_EQ(parsed(csv_of({})).size(), 1U);
}

TEST(csv, columns_have_their_order_and_the_version_is_last_and_empty) {
  const auto rows = parsed(csv_of({run_of({measured()})}));
  const auto& header = rows[0];
  const std::vector<std::string> first{"run",       "session", "seq",      "suite",
                                       "benchmark", "status",  "verified", "processes",
                                       "threads",   "groups",  "nodes",    "message_byte"};
  const std::vector<std::string> last{
      "rule",   "ops",     "batches", "elapsed_s", "metric", "unit", "over_ranks",   "median",
      "ci_low", "ci_high", "min",     "p25",       "p75",    "p95",  "p99",          "max",
      "mean",   "sd",      "better",  "reason",    "flags",  "key",  "other_params", "steelyard_csv_1"};
  ASSERT_GT(header.size(), first.size() + last.size());
  EXPECT_EQ(std::vector(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(first.size())), first);
  EXPECT_EQ(std::vector(header.end() - static_cast<std::ptrdiff_t>(last.size()), header.end()), last);
  EXPECT_EQ(rows[1].back(), "");
}

TEST(csv, numbers_are_restored_exactly_and_units_are_told) {
  const NamedRow row = named_rows(csv_of({run_of({measured()})})).at(0);
  EXPECT_EQ(std::stod(row.at("median")), 6.2311e-06);
  EXPECT_EQ(std::stod(row.at("sd")), 0.1 + 0.2);
  EXPECT_EQ(row.at("ci_high"), "6.3107e-06");
  EXPECT_EQ(row.at("unit"), "s");
  EXPECT_EQ(row.at("better"), "lower");
  EXPECT_EQ(row.at("message_byte"), "4096");
  EXPECT_EQ(row.at("op"), "MPI_SUM");
  EXPECT_EQ(row.at("nodes"), "3");
}

TEST(csv, derived_metric_has_its_own_direction_and_no_statistics) {
  const NamedRow row = named_rows(csv_of({run_of({measured()})})).at(1);
  EXPECT_EQ(row.at("metric"), "bandwidth_byte_s");
  EXPECT_EQ(row.at("unit"), "byte/s");
  EXPECT_EQ(row.at("better"), "higher");
  EXPECT_EQ(row.at("median"), "657348301.2");
  EXPECT_EQ(row.at("mean"), "");
}

TEST(csv, text_with_separators_comes_back) {
  const NamedRow row = named_rows(csv_of({run_of({failed()})})).at(0);
  EXPECT_EQ(row.at("reason"), "mpi_error: line 1\nline 2, \"quoted\"");
  EXPECT_EQ(row.at("map"), "2x\"1\", odd");
  EXPECT_EQ(row.at("metric"), "");
  EXPECT_EQ(row.at("verified"), "");
}

TEST(csv, params_without_a_column_are_kept) {
  const NamedRow row = named_rows(csv_of({run_of({partial()})})).at(0);
  EXPECT_EQ(row.at("other_params"), "buffer=cold;weight=0.5");
  EXPECT_EQ(row.at("flags"), "noisy few_visits");
  EXPECT_EQ(row.at("verified"), "false");
  EXPECT_EQ(row.at("message_byte"), "0");
}

TEST(csv, points_of_hpc_challenge_fill_the_columns_of_its_letters) {
  PointRecord solver = point("HPL", {{"order", std::int64_t{2000}},
                                     {"block", std::int64_t{80}},
                                     {"grid_rows", std::int64_t{1}},
                                     {"grid_columns", std::int64_t{2}},
                                     {"mapping", "R"},
                                     {"depth", std::int64_t{1}},
                                     {"broadcast", std::int64_t{3}},
                                     {"recursive", "C"},
                                     {"panel", "R"},
                                     {"stop", std::int64_t{4}},
                                     {"parts", std::int64_t{2}},
                                     {"l1", std::int64_t{0}}});
  solver.suite = "hpcc";
  PointRecord stream = point("StarSTREAM", {{"elements", std::int64_t{1000}}, {"kernel", "Add"}});
  stream.suite = "hpcc";
  PointRecord other = point("Bcast", {{"order", std::int64_t{7}}});
  const auto rows = named_rows(csv_of({run_of({solver, stream, other})}));
  const std::map<std::string, std::string> letters{
      {"n", "2000"},  {"nb", "80"},   {"p", "1"},     {"q", "2"},     {"pmap", "R"}, {"bcast", "3"},
      {"depth", "1"}, {"pfact", "R"}, {"rfact", "C"}, {"nbmin", "4"}, {"ndiv", "2"}};
  for (const auto& [column, value] : letters) EXPECT_EQ(rows.at(0).at(column), value) << column;
  EXPECT_EQ(rows.at(0).at("other_params"), "l1=0");
  EXPECT_EQ(rows.at(1).at("n"), "1000");
  EXPECT_EQ(rows.at(1).at("nb"), "");
  EXPECT_EQ(rows.at(1).at("other_params"), "kernel=Add");
  EXPECT_EQ(rows.at(2).at("other_params"), "order=7") << "letters are those of one suite";
}

TEST(json_set, holds_the_records_as_they_are_in_the_file) {
  std::vector<record::Record> records;
  for (const PointRecord& made : {measured(), partial(), failed()}) records.push_back(recorded(made));
  const Json set = Json::parse(json_of(records));
  EXPECT_EQ(set.at("format"), "steelyard.result-set");
  EXPECT_EQ(set.at("format_version"), 1);
  ASSERT_EQ(set.at("records").size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(set["records"][i], Json::parse(to_line(records[i])));
}

TEST(json_set, without_records_is_valid) {
  EXPECT_TRUE(Json::parse(json_of({})).at("records").empty());
}

TEST(json_set, number_that_is_not_finite_is_refused) {
  PointRecord bad = measured();
  bad.metrics[1].second = std::numeric_limits<double>::infinity();
  EXPECT_THROW(json_of({recorded(bad)}), record::NotANumber);
}

}  // namespace
}  // namespace steelyard::formats
