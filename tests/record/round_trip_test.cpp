// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>
#include <map>

#include "record/json.hpp"
#include "samples.hpp"

namespace steelyard::record {
namespace {

/// The same with the members of objects in the order of their names.
Json sorted(const Json& json) {
  if (json.is_object()) {
    std::map<std::string, Json> members;
    for (const auto& [name, value] : json.items()) members[name] = sorted(value);
    return members;
  }
  if (!json.is_array()) return json;
  Json list = Json::array();
  for (const Json& element : json) list.push_back(sorted(element));
  return list;
}

std::vector<std::string> examples() {
  std::ifstream file(STEELYARD_TEST_DATA "/examples.jsonl");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> names_of(const std::string& line) {
  std::vector<std::string> names;
  const Json object = Json::parse(line);
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

void expect_round_trip(const Body& body) {
  const std::string line = samples::line_of(samples::enveloped(body, 3));
  const auto again = from_line(line);
  ASSERT_TRUE(again.has_value()) << line;
  EXPECT_EQ(again->body.index(), body.index());
  EXPECT_EQ(samples::line_of(*again), line);
}

TEST(examples, are_read_and_written_with_equal_content) {
  ASSERT_EQ(examples().size(), 3U);
  for (const std::string& line : examples()) {
    const auto record = from_line(line);
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(sorted(Json::parse(samples::line_of(*record))), sorted(Json::parse(line)));
  }
}

TEST(examples, members_stand_in_the_same_order) {
  for (const std::string& line : examples()) EXPECT_EQ(names_of(to_line(*from_line(line))), names_of(line));
}

TEST(examples, run_record_is_the_same_to_the_byte) {
  EXPECT_EQ(to_line(*from_line(examples()[0])), examples()[0]);
}

TEST(examples, point_members_reach_the_record) {
  const auto record = from_line(examples()[1]);
  EXPECT_EQ(record->envelope.seq, 57);
  EXPECT_EQ(record->envelope.at_s, 9.812);
  const auto& point = std::get<PointRecord>(record->body);
  EXPECT_EQ(point.verified, true);
  EXPECT_EQ(point.schedule->ops_per_batch, 128);
  const auto& time = std::get<Statistics>(point.metrics.at(0).second);
  EXPECT_EQ(time.ci, std::pair(6.1902e-06, 6.3107e-06));
  EXPECT_EQ(time.batches.size(), 4U);
  EXPECT_EQ(number(*find(point.classic, "t_avg_s")), 6.2613e-06);
  EXPECT_EQ(point.slowest_host, "node0");
  EXPECT_EQ(
      make_key(point.suite, point.benchmark, point.processes, point.threads, point.groups, point.params),
      point.key);
}

TEST(round_trip, every_type_with_all_members) {
  for (const Body& body : samples::full_bodies()) expect_round_trip(body);
}

TEST(older_records, values_have_the_names_of_today) {
  auto summary = samples::full_summary();
  summary.values = {{"b_eff_io_seed_byte_s", 1.5}};
  const auto again = from_line(samples::line_of(samples::enveloped(summary, 3)));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(std::get<SummaryRecord>(again->body).values.at(0).first, "b_eff_io_published_byte_s");
  summary.name = "b_eff_io";
  summary.classic = {{"seed_byte_s", std::vector<double>{1.5}}};
  const auto old = from_line(samples::line_of(samples::enveloped(summary, 3)));
  ASSERT_TRUE(old.has_value());
  EXPECT_EQ(std::get<SummaryRecord>(old->body).classic.at(0).first, "published_byte_s");
}

TEST(round_trip, every_type_without_optional_members) {
  for (const Body& body : samples::bare_bodies()) expect_round_trip(body);
}

TEST(round_trip, doubles_are_restored_exactly) {
  const auto record = from_line(to_line(samples::enveloped(samples::full_point())));
  const auto& point = std::get<PointRecord>(record->body);
  const auto& found = std::get<Statistics>(point.metrics.at(0).second);
  const Statistics wanted = samples::full_statistics();
  EXPECT_EQ(found.median, wanted.median);
  EXPECT_EQ(found.max, wanted.max);
  EXPECT_EQ(found.mean, wanted.mean);
  EXPECT_EQ(found.sd, wanted.sd);
  EXPECT_EQ(found.batches, wanted.batches);
}

TEST(round_trip, kinds_of_values_are_kept_apart) {
  const auto record = from_line(to_line(samples::enveloped(samples::full_point())));
  const Params& params = std::get<PointRecord>(record->body).params;
  EXPECT_EQ(*find(params, "message_byte"), Value(std::int64_t{4096}));
  EXPECT_EQ(*find(params, "ratio"), Value(0.5));
  EXPECT_EQ(*find(params, "cold"), Value(true));
  EXPECT_EQ(*find(params, "map"), Value(nullptr));
  EXPECT_EQ(*find(params, "op"), Value("MPI_SUM"));
  EXPECT_EQ(*find(params, "list"), Value(std::vector<double>{1, 2.5}));
}

TEST(to_line, batches_say_whether_all_were_kept) {
  PointRecord point = samples::full_point();
  auto& time = std::get<Statistics>(point.metrics[0].second);
  const auto kept = [&] {
    return Json::parse(to_line(samples::enveloped(point)))["metrics"]["time_s"].value("batches_kept",
                                                                                      "absent");
  };
  EXPECT_EQ(kept(), "all");
  time.n = 100;
  EXPECT_EQ(kept(), "absent");
  time.batches_thinned = true;
  EXPECT_EQ(kept(), "thinned");
}

TEST(to_line, front_end_stands_inside_program_and_returns_from_there) {
  const std::string line = to_line(samples::enveloped(samples::full_run()));
  EXPECT_EQ(Json::parse(line)["program"]["front_end"], "imb-mpi1");
  const auto run = std::get<RunRecord>(from_line(line)->body);
  EXPECT_EQ(run.front_end, "imb-mpi1");
  EXPECT_FALSE(run.program.json().contains("front_end"));
}

/// Every number of every record, one by one made NaN or infinite.
struct Place {
  const char* name;
  std::function<Record(double)> record;
};

template <class Change>
Place in_point(const char* name, Change change) {
  return {name, [change](double bad) {
            PointRecord point = samples::full_point();
            change(point, bad);
            return samples::enveloped(point);
          }};
}

template <class Change>
Place in_statistics(const char* name, Change change) {
  return in_point(
      name, [change](PointRecord& p, double bad) { change(std::get<Statistics>(p.metrics[0].second), bad); });
}

template <class Change>
Place in_schedule(const char* name, Change change) {
  return in_point(name, [change](PointRecord& p, double bad) { change(*p.schedule, bad); });
}

template <class Change>
Place in_state(const char* name, Change change) {
  return in_point(name, [change](PointRecord& p, double bad) { change(p.states[0], bad); });
}

std::vector<Place> statistics_places() {
  using S = Statistics;
  return {in_statistics("median", [](S& s, double bad) { s.median = bad; }),
          in_statistics("ci low", [](S& s, double bad) { s.ci->first = bad; }),
          in_statistics("ci high", [](S& s, double bad) { s.ci->second = bad; }),
          in_statistics("ci_level", [](S& s, double bad) { s.ci_level = bad; }),
          in_statistics("ci_batches", [](S& s, double bad) { s.ci_batches->first = bad; }),
          in_statistics("ci_visits", [](S& s, double bad) { s.ci_visits->second = bad; }),
          in_statistics("min", [](S& s, double bad) { s.min = bad; }),
          in_statistics("p05", [](S& s, double bad) { s.p05 = bad; }),
          in_statistics("p25", [](S& s, double bad) { s.p25 = bad; }),
          in_statistics("p75", [](S& s, double bad) { s.p75 = bad; }),
          in_statistics("p95", [](S& s, double bad) { s.p95 = bad; }),
          in_statistics("p99", [](S& s, double bad) { s.p99 = bad; }),
          in_statistics("max", [](S& s, double bad) { s.max = bad; }),
          in_statistics("mean", [](S& s, double bad) { s.mean = bad; }),
          in_statistics("sd", [](S& s, double bad) { s.sd = bad; }),
          in_statistics("rho", [](S& s, double bad) { s.rho = bad; }),
          in_statistics("visit_medians", [](S& s, double bad) { s.visit_medians.back() = bad; }),
          in_statistics("batches", [](S& s, double bad) { s.batches.back() = bad; })};
}

std::vector<Place> point_places() {
  using P = PointRecord;
  return {in_schedule("elapsed_s", [](Schedule& s, double bad) { s.elapsed_s = bad; }),
          in_schedule("overhead_s", [](Schedule& s, double bad) { s.overhead_s = bad; }),
          in_schedule("pilot_s", [](Schedule& s, double bad) { s.pilot_s = bad; }),
          in_schedule("clock_share", [](Schedule& s, double bad) { s.clock_share = bad; }),
          in_schedule("clock_error_s", [](Schedule& s, double bad) { s.clock_error_s = bad; }),
          in_schedule("clock_error_median_s", [](Schedule& s, double bad) { s.clock_error_median_s = bad; }),
          in_schedule("clock_sync_s", [](Schedule& s, double bad) { s.clock_sync_s = bad; }),
          in_state("c2c_s", [](State& s, double bad) { s.c2c_s = bad; }),
          in_state("chain_s", [](State& s, double bad) { s.chain_s = bad; }),
          in_state("wide_s", [](State& s, double bad) { s.wide_s = bad; }),
          in_state("share", [](State& s, double bad) { s.share = bad; }),
          in_state("state median", [](State& s, double bad) { s.median = bad; }),
          in_state("state ci", [](State& s, double bad) { s.ci->first = bad; }),
          in_point("plain metric", [](P& p, double bad) { p.metrics[1].second = bad; }),
          in_point("param", [](P& p, double bad) { p.params["ratio"] = bad; }),
          in_point("list of params",
                   [](P& p, double bad) {
                     p.params["list"] = std::vector{1.0, bad};
                   }),
          in_point("classic", [](P& p, double bad) { p.classic[0].second = bad; }),
          in_point("worst", [](P& p, double bad) { p.check->worst = bad; }),
          in_point("limit", [](P& p, double bad) { p.check->limit = bad; }),
          in_point("first", [](P& p, double bad) { p.check->first.json()["found"] = bad; }),
          in_point("disturbed_share", [](P& p, double bad) { p.disturbed_share = bad; }),
          in_point("preempted_s", [](P& p, double bad) { p.preempted_s = bad; }),
          in_point("late_share", [](P& p, double bad) { p.late_share = bad; })};
}

template <class Kind, class Change>
Place in_record(const char* name, const Kind& record, Change change) {
  return {name, [record, change](double bad) {
            Kind changed = record;
            change(changed, bad);
            return samples::enveloped(changed);
          }};
}

std::vector<Place> other_places() {
  const RunRecord run = samples::full_run();
  const SummaryRecord summary = samples::full_summary();
  const EndRecord end = samples::full_end();
  return {
      {"at_s",
       [](double bad) {
         return Record{{samples::run_id, 1, 0, bad}, samples::full_event()};
       }},
      in_record("plan_estimate_s", run, [](RunRecord& r, double bad) { r.plan_estimate_s = bad; }),
      in_record("machine", run,
                [](RunRecord& r, double bad) {
                  r.machine.json()["a"]["b"] = {1, bad};
                }),
      in_record("clock", run, [](RunRecord& r, double bad) { r.clock.json()["cost_s"] = bad; }),
      in_record("noise", run, [](RunRecord& r, double bad) { r.noise.json()["noise"] = bad; }),
      in_record("config", run, [](RunRecord& r, double bad) { r.config.json()["ci"] = bad; }),
      in_record("columns", samples::table(3),
                [](TableRecord& r, double bad) { r.columns.json()["latency_s"][2] = bad; }),
      in_record("values", summary, [](SummaryRecord& r, double bad) { r.values[0].second = bad; }),
      in_record("summary params", summary, [](SummaryRecord& r, double bad) { r.params["x"] = bad; }),
      in_record("summary classic", summary, [](SummaryRecord& r, double bad) { r.classic[1].second = bad; }),
      in_record("data", samples::full_event(), [](EventRecord& r, double bad) { r.data.json()["x"] = bad; }),
      in_record("elapsed_s", end, [](EndRecord& r, double bad) { r.elapsed_s = bad; }),
      in_record("engine_ratio", end, [](EndRecord& r, double bad) { r.engine_ratio = bad; })};
}

void expect_refusal(const std::vector<Place>& places) {
  using Limits = std::numeric_limits<double>;
  for (const Place& place : places) {
    for (const double bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
      EXPECT_THROW((void)to_line(place.record(bad)), NotANumber) << place.name << " " << bad;
    }
    EXPECT_NO_THROW((void)to_line(place.record(0.5))) << place.name;
  }
}

TEST(not_a_number, is_refused_in_every_place_of_the_statistics) {
  expect_refusal(statistics_places());
}
TEST(not_a_number, is_refused_in_every_place_of_a_point) {
  expect_refusal(point_places());
}
TEST(not_a_number, is_refused_in_every_place_of_the_other_records) {
  expect_refusal(other_places());
}

TEST(not_a_number, message_names_the_member) {
  PointRecord point = samples::full_point();
  std::get<Statistics>(point.metrics[0].second).batches[2] = std::numeric_limits<double>::quiet_NaN();
  try {
    (void)to_line(samples::enveloped(point));
    FAIL();
  } catch (const NotANumber& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/metrics/time_s/batches/2"));
  }
}

}  // namespace
}  // namespace steelyard::record
