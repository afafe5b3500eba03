// SPDX-License-Identifier: Apache-2.0
// Parts of a report, its forms, its data, hostile and missing texts.
#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "analysis/balance/measured.hpp"
#include "analysis/balance/system.hpp"
#include "analysis/beff_run.hpp"
#include "formats/tables/tables.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "record/whereabouts.hpp"
#include "report/sections.hpp"
#include "synthetic.hpp"

namespace steelyard::report {
namespace {

using record::Json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A page with the tokens and nothing else.
constexpr const char* tokens =
    "<t>@STEELYARD_TITLE@</t>@STEELYARD_STATIC@<script type=\"text/plain\" "
    "data-encoding=\"@STEELYARD_ENCODING@\">"
    "@STEELYARD_DATA@</script>";

ReportInput material_of(std::vector<record::Run> runs) {
  ReportInput material{.runs = std::move(runs)};
  std::vector<balance::System> systems;
  for (const auto& run : material.runs) systems.push_back(balance::system_of_run(run));
  material.judged = balance::judge(std::move(systems), {});
  return material;
}

std::vector<std::string> ids(const ReportInput& material) {
  std::vector<std::string> list;
  for (const Part& part : parts(material)) list.push_back(part.id);
  return list;
}

const analysis::Section& section(const std::vector<Part>& parts, std::string_view id,
                                 std::string_view title) {
  for (const Part& part : parts)
    for (const auto* list : {&part.shown, &part.folded})
      for (const auto& one : *list)
        if (part.id == id && one.title == title) return one;
  throw std::runtime_error("no section " + std::string(title));
}

TEST(report_parts, name_summaries_of_partitions_by_their_processes) {
  auto run = synthetic::run({});
  auto one = *std::ranges::find(run.summaries, "b_eff_io", &record::SummaryRecord::name);
  const auto title = "b_eff_io, " + std::to_string(one.processes) + " processes";
  EXPECT_EQ(section(parts(material_of({run})), "io", "b_eff_io").id, "summary");
  one.processes = 1;
  run.summaries.push_back(one);
  auto all = parts(material_of({run}));
  EXPECT_EQ(section(all, "io", title).id, "summary");
  EXPECT_EQ(section(all, "io", "b_eff_io, 1 process").id, "summary");
  run.summaries.push_back(one);
  all = parts(material_of({run}));
  EXPECT_EQ(section(all, "io", "b_eff_io, 1 process (2)").id, "summary");
}

TEST(report_parts, everything_that_was_measured_has_one) {
  EXPECT_EQ(ids(material_of({synthetic::run({})})),
            (std::vector<std::string>{"verdict", "merit", "balance", "messages", "b_eff", "io", "hpcc",
                                      "scaling", "pairs", "overlap", "noise", "points", "environment"}));
}

TEST(report_parts, nothing_else_has_one) {
  EXPECT_EQ(ids(material_of({synthetic::run({.points = 40, .suites = false})})),
            (std::vector<std::string>{"verdict", "merit", "messages", "io", "scaling", "noise", "points",
                                      "environment"}));
}

// A rate of messages, of so many pairs of processes with so many threads each.
void add_rate(record::Run& run, const char* benchmark, int processes, int threads, double rate) {
  auto point = run.points.front();
  point.suite = "imb-mt";
  point.benchmark = benchmark;
  point.processes = processes;
  point.threads = threads;
  point.params["taking_part"] = std::int64_t{processes - processes % 2};
  point.metrics.emplace_back("message_rate_total_op_s", rate);
  point.key = record::make_key(point.suite, point.benchmark, processes, threads, 1, point.params);
  run.points.push_back(point);
}

TEST(report_parts, message_rates_stand_over_pairs_and_threads_where_there_are_several) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  run.points.resize(1);
  const char* title = "Messages per second over pairs and threads";
  add_rate(run, "UniBandMT", 2, 1, 1e6);
  EXPECT_THROW(static_cast<void>(section(parts(material_of({run})), "messages", title)), std::runtime_error);
  add_rate(run, "UniBandMT", 2, 4, 3e6);
  add_rate(run, "UniBandMT", 5, 1, 2e6);
  const auto all = parts(material_of({run}));
  const auto& rows = section(all, "messages", title).table.rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(std::get<double>(rows[0].at(3).value), 1) << "pairs";
  EXPECT_EQ(std::get<double>(rows[1].at(4).value), 4) << "threads";
  EXPECT_EQ(std::get<double>(rows[2].at(3).value), 2) << "four of five processes take part";
  EXPECT_EQ(std::get<double>(rows[2].at(5).value), 2e6);
}

TEST(report_parts, no_result_at_all_is_still_a_report) {
  EXPECT_EQ(ids({}), (std::vector<std::string>{"verdict", "environment"}));
  record::Run empty;
  empty.id = "20261120T083000Z-00000000";
  EXPECT_THAT(html(material_of({empty}), {}), HasSubstr("it was cut off before its end"));
}

TEST(report_parts, one_point_is_one_row) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  run.points.resize(1);
  const auto all = parts(material_of({run}));
  EXPECT_EQ(section(all, "messages", "imb-mpi1/PingPong").table.rows.size(), 1U);
}

/// A point with these figures, beside its time.
record::PointRecord compared(std::string suite, std::string benchmark,
                             std::vector<std::pair<std::string, record::Metric>> metrics) {
  record::PointRecord point;
  point.suite = std::move(suite);
  point.benchmark = std::move(benchmark);
  point.key = point.suite + '/' + point.benchmark;
  point.processes = 2;
  point.params = {{"message_byte", std::int64_t{64}}};
  point.primary = "time_s";
  point.metrics = std::move(metrics);
  point.metrics.emplace_back("time_s", 4.2e-6);
  return point;
}

TEST(report_parts, what_benchmarks_are_compared_with_stands_in_every_form) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  auto request = compared("mpi4", "Bcast_init",
                          {{"request_init_time_s", 30e-6},
                           {"plain_time_s", 5e-6},
                           {"saving_percent", 16.0},
                           {"break_even", 52.0}});
  request.classic.emplace_back("t_init_max_s", 40e-6);
  auto passive =
      compared("imb-rma", "Truly_passive_put", {{"pure_time_s", 11e-6}, {"x_passive_progress", 0.25}});
  passive.classic.emplace_back("t_ovrl_s", 12e-6);
  for (auto& point :
       {request, passive, compared("mpi4", "Overlap_part", {{"part_time_s", 8e-6}, {"availability", 0.9375}}),
        compared("mpi4", "Neighbor_alltoall", {{"halo_time_s", 4e-6}, {"ratio_to_p2p", 1.05}})})
    run.points.push_back(point);
  const auto material = material_of({run});
  const auto all = parts(material);
  const auto cell = [&](const char* title, std::string_view column) {
    const auto& table = section(all, "messages", title).table;
    const auto at = std::ranges::find(table.columns, column, &analysis::Column::key) - table.columns.begin();
    EXPECT_EQ(table.rows.size(), 1U) << title;
    return std::get<double>(table.rows.at(0).at(static_cast<std::size_t>(at)).value);
  };
  const char* const requests = "What persistent requests cost and save";
  EXPECT_DOUBLE_EQ(cell(requests, "request_init_time_s"), 30);
  EXPECT_DOUBLE_EQ(cell(requests, "t_init_max_s"), 40);
  EXPECT_DOUBLE_EQ(cell(requests, "break_even"), 52);
  EXPECT_DOUBLE_EQ(cell(requests, "saving_percent"), 16);
  EXPECT_DOUBLE_EQ(cell("Messages in parts, each handed over when it has been computed", "availability"),
                   0.9375);
  EXPECT_DOUBLE_EQ(cell("Collectives of neighbours over messages to the same neighbours", "ratio_to_p2p"),
                   1.05);
  EXPECT_DOUBLE_EQ(cell("Puts to a process that computes", "t_ovrl_s"), 12);
  EXPECT_DOUBLE_EQ(cell("Puts to a process that computes", "x_passive_progress"), 0.25);
  EXPECT_THAT(html(material, {}), HasSubstr(requests));
  EXPECT_THAT(formats::tables_latex_body(tables(all)), HasSubstr(requests));
}

TEST(report_parts, failed_and_wrong_points_are_told_first) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  run.points[0].verified = false;
  run.points[1].status = record::Status::failed;
  run.points[1].metrics.clear();
  run.points[1].reason.emplace();
  run.points[1].reason->text = "no space";
  const auto all = parts(material_of({run}));
  const auto& doubts = section(all, "verdict", "What bears on validity").table.rows;
  EXPECT_EQ(std::get<std::string>(doubts.at(0).at(1).value), "error");
  EXPECT_THAT(std::get<std::string>(doubts.at(0).at(3).value), HasSubstr("wrong data"));
  EXPECT_THAT(formats::tables_text(tables(all)), HasSubstr("failed: no space"));
}

TEST(report_parts, wrong_and_failed_points_of_other_launches_are_told_and_not_among_the_values) {
  std::vector<record::Run> launches(3, synthetic::run({.points = 40, .suites = false}));
  for (std::size_t i = 0; i < launches.size(); ++i) launches[i].id += std::to_string(i);
  launches[0].points[0].verified = false;
  launches[1].points[1].status = record::Status::failed;
  launches[1].points[1].metrics.clear();
  auto material = material_of({launches[2]});
  material.launches = launches;
  const auto all = parts(material);
  const auto& doubts = section(all, "verdict", "What bears on validity").table.rows;
  EXPECT_EQ(std::get<std::string>(doubts.at(0).at(1).value), "error");
  EXPECT_EQ(std::get<std::int64_t>(doubts.at(0).at(2).value), 2);
  const std::string text = formats::tables_text(tables(all), 300);
  EXPECT_THAT(text,
              HasSubstr("points of other launches failed or with wrong data: not among the values shown"));
  EXPECT_THAT(text, HasSubstr("Find out why 2 points of other launches failed or hold wrong data"));
  EXPECT_THAT(text, HasSubstr("1 value is left out: a check found wrong data there."));
  const auto& spreads = section(all, "launches", "Median, least and most of all launches").table.rows;
  EXPECT_EQ(std::get<std::int64_t>(spreads.at(0).at(5).value), 2);
}

TEST(report_parts, launches_that_were_cut_are_told_beside_their_spread) {
  std::vector<record::Run> launches(3, synthetic::run({.points = 40, .suites = false}));
  for (std::size_t i = 0; i < launches.size(); ++i) launches[i].id += std::to_string(i);
  launches[0].points[0].status = record::Status::partial;
  auto material = material_of({launches[2]});
  material.launches = launches;
  const auto all = parts(material);
  const auto& spreads = section(all, "launches", "Median, least and most of all launches").table.rows;
  EXPECT_EQ(std::get<std::string>(spreads.at(0).back().value), "1 of 3 launches was cut short");
  EXPECT_EQ(std::get<std::string>(spreads.at(1).back().value), "");
}

std::string word(const analysis::Cell& cell) {
  return std::get<std::string>(cell.value);
}

/// A table of a page as "title=cell" of each column, row by row.
std::string told(const analysis::Section& section, std::string_view key, std::size_t row) {
  const auto& table = section.table;
  const auto at = std::ranges::find(table.columns, key, &analysis::Column::key) - table.columns.begin();
  return word(table.rows.at(row).at(static_cast<std::size_t>(at)));
}

/// A point of hpcc/LatencyBandwidth that tells one metric, in base units.
record::PointRecord of_messages(record::PointRecord point, const char* metric, double value) {
  point.suite = "hpcc";
  point.benchmark = "LatencyBandwidth";
  point.primary = metric;
  point.metrics = {{metric, value}};
  point.params = {
      {"message_byte", std::int64_t{metric == std::string_view("random_ring_latency_s") ? 8 : 2000000}}};
  point.key = record::make_key(point.suite, point.benchmark, point.processes, 1, 1, point.params);
  return point;
}

TEST(report_parts, metrics_of_one_benchmark_have_a_table_and_a_unit_each) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  const record::PointRecord like = run.points.front();
  run.points = {of_messages(like, "random_ring_latency_s", 1.5e-6),
                of_messages(like, "random_ring_byte_s", 10246306943.0)};
  run.points.push_back(run.points.back());
  run.points.back().status = record::Status::skipped;
  run.points.back().primary.clear();
  run.points.back().metrics.clear();
  const auto all = parts(material_of({run}));
  const auto& latency = section(all, "hpcc", "hpcc/LatencyBandwidth, random ring latency").table;
  const auto& rate = section(all, "hpcc", "hpcc/LatencyBandwidth, random ring").table;
  ASSERT_EQ(latency.rows.size(), 2U) << "with the one that has no value";
  ASSERT_EQ(rate.rows.size(), 1U);
  EXPECT_EQ(latency.columns[5].unit, "us");
  EXPECT_DOUBLE_EQ(std::get<double>(latency.rows[0][5].value), 1.5);
  EXPECT_EQ(rate.columns[5].unit, "GB/s");
  EXPECT_NEAR(std::get<double>(rate.rows[0][5].value), 10.246, 1e-3);
  EXPECT_THAT(section(all, "points", "").text.front(), HasSubstr("3 points of 1 benchmark."));
}

TEST(report_parts, single_numbers_are_no_medians_and_their_statistic_is_told) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  const record::PointRecord like = run.points.front();
  auto stream = of_messages(like, "bandwidth_byte_s", 1e10);
  stream.benchmark = "StarSTREAM";
  stream.key = "hpcc/StarSTREAM;kernel=Triad";
  run.points = {like, of_messages(like, "random_ring_latency_s", 1.5e-6), stream};
  const auto all = parts(material_of({run}));
  const auto head = [&](const std::string& part, const std::string& title) {
    return section(all, part, title).table.columns[5].title;
  };
  EXPECT_EQ(head("messages", like.suite + '/' + like.benchmark), "median time");
  EXPECT_EQ(head("hpcc", "hpcc/StarSTREAM"), "value");
  EXPECT_EQ(head("hpcc", "hpcc/LatencyBandwidth"), "value");
  EXPECT_THAT(section(all, "hpcc", "hpcc/StarSTREAM").notes, Contains("value: best pass after the first"));
  const auto& rings = section(all, "hpcc", "hpcc/LatencyBandwidth");
  EXPECT_THAT(rings.notes, Contains("value: mean over the rings"));
  EXPECT_EQ(told(rings, "statistic", 0), "mean over the rings");
}

/// The time of the point, with the ends of its interval.
void measure_between(record::PointRecord& point, double low, double median, double high) {
  auto& time = std::get<record::Statistics>(point.metrics.front().second);
  time.median = median;
  time.ci = {low, high};
}

TEST(report_parts, doubts_stand_beside_their_numbers_and_among_what_bears_on_validity) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  ASSERT_EQ(run.points[0].primary, "time_s");
  measure_between(run.points[0], 0.9e-6, 1e-6, 5.12e-6);
  run.points[1].flags = {"noisy", "few_visits"};
  const auto all = parts(material_of({run}));
  const auto& table = section(all, "messages", run.points[0].suite + '/' + run.points[0].benchmark);
  EXPECT_EQ(told(table, "remark", 0), "+-211 %");
  EXPECT_EQ(told(table, "remark", 1), "noisy");
  const auto& validity = section(all, "verdict", "What bears on validity");
  std::map<std::string, std::string> severities;
  for (std::size_t i = 0; i < validity.table.rows.size(); ++i)
    severities[told(validity, "filter", i)] =
        told(validity, "severity", i) + ": " + told(validity, "what", i);
  EXPECT_EQ(severities[run.points[0].suite + "/ mark=wide_interval"],
            "warning: point of " + run.points[0].suite + " in doubt: 95 % interval wider than +-20 %");
  EXPECT_THAT(severities[run.points[1].suite + "/ mark=noisy"], HasSubstr("warning: point of "));
  for (const std::string& form : {formats::tables_text(tables(all)), formats::tables_markdown(tables(all))})
    EXPECT_THAT(form, HasSubstr("+-211 %"));
  EXPECT_THAT(html(material_of({run}), {}), HasSubstr("+-211&nbsp;%"));
}

TEST(report_forms, no_line_ends_between_a_number_and_its_unit) {
  EXPECT_EQ(formats::html_text("80 % of 2 GiB (1.5 us, 3 Gflop/s) in 2 steps, 4 messages, 5 Mittens"),
            "80&nbsp;% of 2&nbsp;GiB (1.5&nbsp;µs, 3&nbsp;Gflop/s) in 2 steps, 4 messages, 5 Mittens");
  EXPECT_EQ(formats::html_text("latency 0.3 1/us, tells us of time, us"),
            "latency 0.3 1/µs, tells us of time, µs");
  EXPECT_EQ(formats::html_sentence("'steelyard b-eff-io -o x' at imb-io/S_Read, 5 GB/s or -"),
            "'steelyard <span class=\"whole\">b-eff-io</span> <span class=\"whole\">-o</span> x' at "
            "<span class=\"whole\">imb-io</span>/<wbr>S_Read, 5&nbsp;GB/s or -");
  EXPECT_EQ(formats::html_attribute("\"2 s\" < 80 %"), "&quot;2 s&quot; &lt; 80 %");
}

TEST(report_parts, points_of_a_benchmark_that_failed_alike_are_one_warning) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  run.events.clear();
  for (const char* size : {"0", "64"}) {
    const std::string key = std::string("imb-mpi1/Bcast;message_byte=") + size;
    run.events.push_back({record::Severity::warning, "point_failed", key + ": invalid window", {}, key});
  }
  run.points.front().status = record::Status::failed;
  const auto all = parts(material_of({run}));
  const auto& validity = section(all, "verdict", "What bears on validity");
  std::map<std::string, std::int64_t> counts;
  for (std::size_t i = 0; i < validity.table.rows.size(); ++i)
    counts[told(validity, "what", i)] = std::get<std::int64_t>(validity.table.rows[i][2].value);
  EXPECT_EQ(counts["points of imb-mpi1/Bcast: invalid window"], 2);
  EXPECT_THAT(formats::tables_text(tables(all)), HasSubstr("Find out why 1 point failed, before"));
}

TEST(report_parts, what_does_not_stand_for_the_machine_is_a_warning) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  for (const std::size_t i : {0U, 1U, 2U}) {
    run.points[i].suite = "hpcc";
    run.points[i].benchmark = i < 2 ? "HPL" : "PTRANS";
    run.points[i].flags = {"not_representative"};
    run.points[i].classic.emplace_back("condition",
                                       "order " + std::to_string(320 + i) + " where 4800 or more");
  }
  const auto all = parts(material_of({run}));
  const auto& validity = section(all, "verdict", "What bears on validity");
  std::map<std::string, std::string> found;
  for (std::size_t i = 0; i < validity.table.rows.size(); ++i)
    if (told(validity, "filter", i).ends_with("mark=not_representative"))
      found[told(validity, "filter", i)] = told(validity, "severity", i) + ": " + told(validity, "what", i);
  EXPECT_EQ(found,
            (std::map<std::string, std::string>{
                {"hpcc/HPL mark=not_representative",
                 "warning: points of hpcc/HPL do not stand for this machine: order 320 where 4800 or more "
                 "(and others of this kind)"},
                {"hpcc/PTRANS mark=not_representative",
                 "warning: point of hpcc/PTRANS does not stand for this machine: order 322 where 4800 or "
                 "more"}}));
  const Part& hpcc = *std::ranges::find(all, "hpcc", &Part::id);
  EXPECT_EQ(hpcc.warnings.size(), 2U) << "the part tells it too";
  for (const auto& one : all.front().folded)
    for (std::size_t i = 0; one.id == "validity" && i < one.table.rows.size(); ++i)
      EXPECT_THAT(told(one, "what", i), Not(HasSubstr("too small"))) << "told once";
}

TEST(report_parts, values_of_summaries_bear_the_doubts_of_their_points) {
  record::Run run = synthetic::run({});
  auto solution = run.points.front();
  solution.suite = "hpcc";
  solution.benchmark = "HPL";
  solution.params.clear();
  solution.flags = {"noisy"};
  solution.key = record::make_key("hpcc", "HPL", solution.processes, 1, 1, {});
  run.points.push_back(solution);
  const auto all = parts(material_of({run}));
  const auto& summary = section(all, "hpcc", "hpcc");
  std::map<std::string, std::string> doubts;
  for (std::size_t i = 0; i < summary.table.rows.size(); ++i)
    doubts[told(summary, "name", i)] = told(summary, "doubt", i);
  EXPECT_EQ(doubts["hpl_flop_s"], "noisy");
  EXPECT_EQ(doubts["dgemm_star_flop_s"], "");
  EXPECT_THAT(summary.notes, Contains(HasSubstr("in doubt")));
  run.points.back().flags = {"not_representative", "noisy"};
  const auto small = parts(material_of({run}));
  const auto& withheld = section(small, "hpcc", "hpcc");
  for (std::size_t i = 0; i < withheld.table.rows.size(); ++i)
    doubts[told(withheld, "name", i)] = told(withheld, "doubt", i);
  EXPECT_EQ(doubts["hpl_flop_s"], "too small to stand for this machine, noisy");
}

TEST(report_parts, marks_of_points_are_told_with_what_they_mean) {
  record::Run run = synthetic::run({});
  run.points[0].flags = {"few_visits"};
  EXPECT_THAT(formats::tables_text(tables(parts(material_of({run})))),
              HasSubstr("with a doubt: looked at fewer than six times"));
}

TEST(report_parts, points_that_were_skipped_are_not_told_as_measured) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  run.points[0].status = record::Status::skipped;
  run.points[1].status = record::Status::skipped;
  const auto measured = std::to_string(run.points.size() - 2);
  EXPECT_THAT(section(parts(material_of({run})), "verdict", "What was measured").text.at(0),
              HasSubstr(measured + " points measured, 2 skipped"));
}

TEST(report_parts, verdict_is_one_sentence_five_figures_and_what_to_do_next) {
  record::Run run = synthetic::run({});
  const auto all = parts(material_of({run}));
  const Part& verdict = all.at(0);
  EXPECT_EQ(verdict.shown.at(0).id, "verdict");
  EXPECT_EQ(verdict.shown.at(0).text.size(), 1U);
  ASSERT_EQ(verdict.cards.size(), 5U);
  for (const Card& card : verdict.cards)
    for (const Card::Value& value : card.values) EXPECT_NE(value.note, "") << card.title;
  EXPECT_FALSE(section(all, "verdict", "What to do next").text.empty());
  run.points[0].verified = false;
  run.end.reset();
  const auto worse = parts(material_of({run}));
  const auto& steps = section(worse, "verdict", "What to do next").text;
  EXPECT_THAT(steps.at(0), HasSubstr("Find out why 1 point holds wrong data, before"));
  EXPECT_THAT(steps.at(1), HasSubstr("--resume"));
  EXPECT_THAT(section(parts({}), "verdict", "What to do next").text.at(0), HasSubstr("steelyard run"));
}

TEST(report_parts, time_lost_is_a_share_of_the_whole_time) {
  record::Run run = synthetic::run({});
  run.head.noise = record::Document(Json{{"noise", 1.19}});
  const auto all = parts(material_of({run}));
  const auto& rows = section(all, "noise", "The same work again and again, before measuring").table.rows;
  EXPECT_NEAR(std::get<double>(rows.at(0).at(1).value), 100 * 1.19 / 2.19, 1e-9);
}

TEST(report_parts, times_of_noise_stand_in_the_unit_that_fits_the_longest_of_all_runs) {
  std::vector<record::Run> runs(2, synthetic::run({}));
  runs[1].id += "b";
  for (const double median : {1.1e-6, 20.3e-3})
    runs[median < 1e-3 ? 0 : 1].head.noise = record::Document(
        Json{{"fixed_work", {{"median_s", median}, {"max_s", 5e-6}}}, {"detour_rate_hz", 2500.0}});
  const auto all = parts(material_of(runs));
  const auto& rows = section(all, "noise", "The same work again and again, before measuring").table.rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NEAR(std::get<double>(rows[0].at(1).value), 0.0011, 1e-9);
  EXPECT_NEAR(std::get<double>(rows[0].at(2).value), 20.3, 1e-9);
  const std::vector<std::string> units{"ms", "us", "1/s"};
  for (std::size_t i = 0; i < units.size(); ++i)
    EXPECT_EQ(std::get<std::string>(rows[i].at(3).value), units[i]);
  EXPECT_EQ(std::get<double>(rows[2].at(1).value), 2500);
}

TEST(report_parts, nothing_hides_behind_a_transfer_of_no_byte) {
  record::Run run = synthetic::run({});
  const auto lengths = [&] {
    std::vector<std::int64_t> list;
    const auto data = page_data(material_of({run}), {});
    for (const auto& one : data.json().at("overlap"))
      if (!one.at("length_byte").is_null()) list.push_back(one.at("length_byte").get<std::int64_t>());
    return list;
  };
  const auto before = lengths();
  ASSERT_FALSE(before.empty());
  for (auto& point : run.points)
    for (auto& [name, value] : point.params)
      if (name == "message_byte") value = std::int64_t{0};
  EXPECT_THAT(lengths(), Not(Contains(0)));
}

TEST(report_parts, speed_is_shown_at_the_time_of_measuring_not_of_writing) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  run.points.resize(3);
  run.envelopes.resize(3);
  const double written[] = {10, 31.9, 31.901}, took[] = {4, 5, 5};
  for (std::size_t i = 0; i < 3; ++i) {
    run.envelopes[i].at_s = written[i];
    run.points[i].schedule.emplace();
    run.points[i].schedule->elapsed_s = took[i];
    record::State state;
    state.chain_s = 3e-6;
    state.visits = 1;
    run.points[i].states = {state};
  }
  const auto all = parts(material_of({run}));
  const auto& rows = section(all, "noise", "Speed of the processors over the run").table.rows;
  ASSERT_EQ(rows.size(), 3U);
  const auto at = [&](std::size_t i) { return std::get<double>(rows.at(i).at(1).value); };
  EXPECT_DOUBLE_EQ(at(0), 8);
  EXPECT_DOUBLE_EQ(at(1), 26.9);  // in turns with the third: both from 21.9 to 31.9 s
  EXPECT_DOUBLE_EQ(at(2), 26.9);

  run.envelopes[2].session = 2;  // whose times count from its own start
  run.envelopes[2].at_s = 7;
  const auto resumed = parts(material_of({run}));
  const auto& later = section(resumed, "noise", "Speed of the processors over the run").table.rows;
  EXPECT_DOUBLE_EQ(std::get<double>(later.at(0).at(1).value), 8);
  EXPECT_DOUBLE_EQ(std::get<double>(later.at(1).at(1).value), 29.4);
  EXPECT_DOUBLE_EQ(std::get<double>(later.at(2).at(1).value), 31.9 + 4.5);
}

TEST(report_parts, a_barrier_is_scaled_though_it_has_no_length_and_doubts_stand_beside_times) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  auto barrier = run.points.front();
  run.points.clear();
  barrier.benchmark = "Barrier";
  barrier.params.clear();
  barrier.flags = {"noisy"};
  for (const int processes : {2, 4}) {
    barrier.processes = processes;
    barrier.key = record::make_key(barrier.suite, "Barrier", processes, 1, 1, {});
    run.points.push_back(barrier);
  }
  const auto all = parts(material_of({run}));
  const auto& scaling =
      section(all, "scaling", "Time over the number of processes, middle length of each benchmark");
  ASSERT_EQ(scaling.table.rows.size(), 2U);
  EXPECT_EQ(told(scaling, "benchmark", 1), barrier.suite + "/Barrier");
  EXPECT_EQ(told(scaling, "remark", 1), "noisy");
}

TEST(report_parts, first_part_tells_why_a_run_ended_in_how_many_sessions_and_which_launch_it_is) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  run.end.emplace().status = "interrupted";
  run.end->cause = "budget";
  run.envelopes.resize(run.points.size());
  run.envelopes.back().session = 2;
  run.head.launch = 2;
  run.head.launches = 3;
  const auto all = parts(material_of({run}));
  std::string text;
  for (const auto& one : all.front().shown)
    for (const auto& sentence : one.text) text += sentence + '\n';
  EXPECT_THAT(text, HasSubstr("in 2 sessions, the last one started "));
  EXPECT_THAT(text, HasSubstr(", launch 2 of 3; its budget was spent"));
  EXPECT_THAT(text, HasSubstr("Figures are of this launch alone"));
}

TEST(report_forms, long_texts_are_broken_where_a_table_is_wider_than_the_page) {
  analysis::Section one{"t", "", {}, {"t", {}, {}, {}}, {}};
  one.table.columns = {{"what", "what", "", analysis::ColumnKind::text},
                       {"count", "count", "", analysis::ColumnKind::number},
                       {"command", "command", "", analysis::ColumnKind::text}};
  one.table.rows = {
      {"a sentence that is longer than the page is wide", 12, "steelyard run --resume -o results"},
      {"short", 3, "steelyard doctor"}};
  EXPECT_EQ(formats::tables_text({one}, 70),
            "what                          count  command\n"
            "a sentence that is longer        12  steelyard run --resume -o results\n"
            "than the page is wide\n"
            "short                             3  steelyard doctor\n");
  EXPECT_THAT(formats::tables_text({one}, 30),
              HasSubstr("a sentence that is       12  steelyard run --resume -o results\n"))
      << "no narrower than sensible, and commands stay whole";
  EXPECT_THAT(formats::tables_text({one}, 200), HasSubstr("is wide     12  steel"));
}

TEST(report_forms, body_of_latex_has_figures_and_no_document) {
  const auto all = parts(material_of({synthetic::run({})}));
  const std::string body = formats::tables_latex_body(tables(all));
  EXPECT_THAT(body, Not(HasSubstr("\\begin{document}")));
  EXPECT_THAT(body, Not(HasSubstr("\\end{document}")));
  EXPECT_THAT(body, HasSubstr("\\begin{longtable}"));
  const std::string plot = formats::latex_plot(section(all, "messages", "imb-mpi1/PingPong"));
  EXPECT_THAT(plot, HasSubstr("\\addplot coordinates {"));
  EXPECT_THAT(plot, HasSubstr("\\addlegendentry{16 processes}"));
  EXPECT_EQ(formats::latex_plot(section(all, "merit", "")), "");
  EXPECT_THAT(plot, HasSubstr("anchor=north"));  // a legend beside the plot would lie outside the page
}

TEST(report_parts, what_bears_on_validity_names_its_part_which_tells_it_too) {
  record::Run run = synthetic::run({});
  run.events.push_back({record::Severity::warning, "unpinned", "may move"});
  run.events.push_back(
      {record::Severity::warning, "verification_failed", "wrong", {}, "hpcc/HPL;processes=2"});
  for (int i = 0; i < 9; ++i)
    run.events.push_back({record::Severity::warning, "scratch_left", "left " + std::to_string(i)});
  const auto all = parts(material_of({run}));
  const auto& rows = section(all, "verdict", "What bears on validity").table.rows;
  const auto where = [&](const std::string& what) {
    for (const auto& row : rows)
      if (word(row.at(3)).starts_with(what))
        return word(row.at(4)) + '|' + word(row.at(5)) + '|' + word(row.at(6));
    return std::string("no row");
  };
  EXPECT_EQ(where("the matrix of 64 MiB"), "Parallel I/O|io|");
  EXPECT_EQ(where("may move"), "Environment and method|environment|");
  EXPECT_EQ(where("wrong"), "HPC Challenge|hpcc|hpcc/HPL");
  EXPECT_EQ(where("point of imb-mpi1 cut"), "Latency and bandwidth|messages|imb-mpi1/ status=partial");
  EXPECT_EQ(where("left 4 (and others of this kind)"), "Parallel I/O|io|");
  EXPECT_EQ(where("left 5"), "no row");
  const auto& io = *std::ranges::find(all, "io", &Part::id);
  EXPECT_EQ(io.warnings.size(), 7U);  // not official, cache, five of nine
  const std::string page = html(material_of({run}), {});
  EXPECT_THAT(page, HasSubstr("<a href=\"#io\">Parallel I/O</a>"));
  EXPECT_THAT(page, HasSubstr("data-filter=\"imb-mpi1/ status=partial\""));
  EXPECT_THAT(page, HasSubstr("<a href=\"#validity\">"));
}

TEST(report_parts, a_doubt_of_one_of_several_results_names_the_points_of_that_one) {
  record::Run named = synthetic::run({.points = 40, .suites = false}), other = named;
  named.points[0].flags = {"noisy"};
  other.points[0].suite = "two words";
  other.points[0].flags = {"a \"mark\""};
  const auto filters = [](const std::vector<Part>& all, const std::string& title) {
    std::vector<std::string> list;
    for (const Part& part : all)
      for (const auto* sections : {&part.shown, &part.folded})
        for (const auto& one : *sections)
          for (std::size_t i = 0;
               one.id == "validity" && one.title.starts_with(title) && i < one.table.rows.size(); ++i)
            list.push_back(told(one, "filter", i));
    return list;
  };
  const auto all = parts(material_of({named, other}));
  const auto bearing = filters(all, "What bears"), remarks = filters(all, "Remarks");
  EXPECT_THAT(bearing, Contains(named.points[0].suite + "/ mark=noisy run=1"));
  EXPECT_THAT(bearing, Contains("")) << "what is about no points has no filter";
  EXPECT_THAT(remarks, Contains("\"two words/\" \"mark=a \"\"mark\"\"\" run=2"));
  EXPECT_THAT(filters(parts(material_of({named})), "What bears"),
              Contains(named.points[0].suite + "/ mark=noisy"));
}

TEST(report_forms, characters_that_turn_the_direction_are_shown_as_what_they_are) {
  record::Run run = synthetic::run({.name = "al\u202epha\u2066\u00e9", .points = 40, .suites = false});
  const auto all = tables(parts(material_of({run})));
  for (const std::string& form :
       {formats::tables_text(all), formats::tables_html(all), html(material_of({run}), {})}) {
    EXPECT_THAT(form, HasSubstr("al[U+202E]pha[U+2066]\u00e9"));
    EXPECT_THAT(form.substr(0, form.find("<script")), Not(HasSubstr("\u202e")));
  }
  EXPECT_EQ(formats::html_text("\u2029\u202a\u202f\u2069\u206a\xe2\x80"),
            "\u2029[U+202A]\u202f[U+2069]\u206a\xe2\x80");
}

TEST(report_parts, paths_types_and_phases_are_those_of_the_analysis) {
  const record::Run run = synthetic::run({});
  const auto all = parts(material_of({run}));
  std::vector<record::PointRecord> points;
  for (const auto& point : run.points)
    if (point.suite == "b-eff") points.push_back(point);
  const analysis::BeffRun beff(points);
  const auto& paths = section(all, "b_eff", "b_eff along its analysis paths").table.rows;
  EXPECT_EQ(word(paths.at(0).at(2)), "b_eff");
  EXPECT_DOUBLE_EQ(std::get<double>(paths.at(0).at(6).value) * 1e9, *beff.b_eff());
  for (const auto& path : paths)
    EXPECT_LE(std::get<double>(path.at(6).value), std::get<double>(paths.at(0).at(6).value) * (1 + 1e-12));
  EXPECT_EQ(section(all, "b_eff", "The best of methods and repetitions at each length").table.rows.size(),
            21U);
  for (const auto& row : section(all, "b_eff", "Each method of b_eff at each length").table.rows) {
    const auto number = [&](std::size_t i) { return std::get<double>(row.at(i).value); };
    EXPECT_NEAR(number(6) * number(6), number(4) * number(5), 1e-9 * number(6) * number(6))
        << word(row.at(2));
  }
  const auto& phases = section(all, "io", "Phases of FTIO, mean over the runs of a size").table.rows;
  ASSERT_EQ(phases.size(), 15U);
  for (const auto& row : phases) {
    const auto number = [&](std::size_t i) { return std::get<double>(row.at(i).value); };
    EXPECT_NEAR(number(5), number(6) + number(7) + number(8), 1e-12);
  }
  EXPECT_EQ(section(all, "io", "b_eff_io by pattern type").table.rows.size(), 15U);
  EXPECT_GT(section(all, "io", "Share of I/O in FTIO over the size of the matrix").table.rows.size(), 3U);
  const auto& work = section(all, "noise", "Times of the same work").table.rows;
  ASSERT_EQ(work.size(), 80U);
  EXPECT_NEAR(std::get<double>(work.back().at(3).value), 2700, 1e-9);
}

TEST(report_parts, several_runs_of_one_name_are_told_apart) {
  auto first = synthetic::run({.points = 40, .suites = false}), second = first;
  second.head.started_utc = "2026-11-21T08:30:00Z";
  EXPECT_EQ(run_names({first, second}),
            (std::vector<std::string>{"alpha, 2026-11-20T08:30:00Z", "alpha, 2026-11-21T08:30:00Z"}));
  second.head.started_utc = first.head.started_utc;
  second.id = "other";
  EXPECT_EQ(run_names({first, second})[1], "alpha, other");
}

TEST(report_parts, runs_that_are_judged_together_are_told) {
  auto first = synthetic::run({.points = 40, .suites = false}), second = first;
  second.head.started_utc = "2026-11-21T08:30:00Z";
  ReportInput material{.runs = {first, second}};
  material.judged =
      balance::judge(balance::joined_runs({balance::system_of_run(first), balance::system_of_run(second)},
                                          balance::Joined::all),
                     {});
  EXPECT_THAT(formats::tables_text(tables(parts(material))), HasSubstr("are judged together"));
}

TEST(report_parts, long_tables_are_thinned_and_say_so) {
  const auto all = parts(material_of({synthetic::run({.points = 20000, .suites = false})}));
  const auto& table = section(all, "messages", "imb-mpi1/PingPong");
  EXPECT_EQ(table.table.rows.size(), 500U);
  EXPECT_THAT(table.notes,
              Contains("500 of 2500 points, evenly thinned; 'steelyard export --to csv' writes all"));
}

TEST(report_parts, tables_over_processes_and_of_overlap_are_thinned_and_say_so) {
  auto run = synthetic::run({.points = 40});
  const auto copies = [&](const record::PointRecord& point, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      record::PointRecord more = point;
      more.benchmark = "Copied";  // of one length
      more.params["case"] = static_cast<std::int64_t>(i);
      more.key += std::to_string(i);
      run.points.push_back(std::move(more));
    }
  };
  const auto points = run.points;
  std::set<int> counts;
  for (const auto& point : points)
    if (point.benchmark == "PingPong" && counts.insert(point.processes).second) copies(point, most_rows);
  copies(*std::ranges::find(points, "imb-nbc", &record::PointRecord::suite), most_rows);
  ASSERT_GT(counts.size(), 1U);
  const auto all = parts(material_of({std::move(run)}));
  for (const auto* id : {"scaling", "overlap"}) {
    const auto& folded = std::ranges::find(all, id, &Part::id)->folded.front();
    EXPECT_EQ(folded.table.rows.size(), most_rows) << id;
    EXPECT_THAT(folded.notes, Contains(HasSubstr("rows, evenly thinned"))) << id;
  }
}

TEST(report_rows, what_matters_stays_before_what_is_evenly_thinned) {
  using Indices = std::vector<std::size_t>;
  EXPECT_EQ(evenly({false, true, false, false, true}, 3), (Indices{0, 1, 4}));
  EXPECT_EQ(evenly({false, true, false, false, true}, 4), (Indices{0, 1, 3, 4}));
  EXPECT_EQ(evenly({true, true, true, false}, 2), (Indices{0, 2}));
  EXPECT_EQ(evenly({true, false}, 5), (Indices{0, 1}));
  EXPECT_EQ(evenly(std::vector<bool>{}, 5), Indices{});
}

// One Tables object stands behind every form: what the eye sees of a row is in all of them, and the number
// for programs is the record's.
TEST(report_forms, text_markdown_html_csv_and_json_show_the_same_numbers) {
  const record::Run run = synthetic::run({.points = 40, .suites = false});
  const auto all = parts(material_of({run}));
  const auto one = tables(all);
  const std::string text = formats::tables_text(one), page = html(material_of({run}), {}),
                    markdown = formats::tables_markdown(one);
  const auto& point = run.points.at(1);
  const double median = *std::get<record::Statistics>(point.metrics.at(0).second).median * 1e6;
  const Json json = formats::tables_json({section(all, "messages", "imb-mpi1/PingPong")})[0];
  std::size_t column = 0;
  while (json["columns"][column]["key"] != "median") ++column;
  EXPECT_EQ(json["columns"][column]["unit"], "us");
  EXPECT_DOUBLE_EQ(json["rows"][1][column].get<double>(), median);
  EXPECT_THAT(formats::tables_csv({section(all, "messages", "imb-mpi1/PingPong")}, "points"),
              HasSubstr(Json(json["rows"][1][column]).dump()));
  char shown[32];
  std::snprintf(shown, sizeof shown, median < 1 ? "%.3f" : "%.2f", median);
  EXPECT_THAT(text, HasSubstr(shown));
  EXPECT_THAT(markdown, HasSubstr(shown));
  EXPECT_THAT(page, HasSubstr(std::string(">") + shown + "<"));
}

TEST(report_forms, figures_of_merit_are_those_of_the_balance) {
  const auto all = parts(material_of({synthetic::run({})}));
  const auto& rows = section(all, "merit", "").table.rows;
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(std::get<std::string>(rows[0][0].value), "HPL");
  EXPECT_DOUBLE_EQ(std::get<double>(rows[0][2].value), 700);
  EXPECT_THAT(formats::tables_text(tables(all)), HasSubstr("HPL 700 Gflop/s"));
}

TEST(report_forms, cards_are_the_figures_of_the_table) {
  const auto all = parts(material_of({synthetic::run({})}));
  const Part& merit = all.at(1);
  ASSERT_EQ(merit.cards.size(), section(all, "merit", "").table.rows.size());
  EXPECT_EQ(merit.cards[0].title, "HPL");
  EXPECT_EQ(merit.cards[0].part, "hpcc");
  EXPECT_EQ(merit.cards[0].values.at(0).text, "700 Gflop/s");
  EXPECT_EQ(merit.cards[0].values.at(0).of, "");
  const std::string page = html(material_of({synthetic::run({})}), {});
  EXPECT_THAT(page, HasSubstr("<a class=\"card\" href=\"#hpcc\">"));
  EXPECT_THAT(page, HasSubstr("<dt>run as</dt><dd>16 processes on 4 nodes</dd>"));
}

TEST(report_forms, a_run_and_a_text_of_one_machine_have_names_of_their_own) {
  record::Run run = synthetic::run({.name = "node07"});
  run.head.nodes = 1;
  run.head.layout = record::Document();
  balance::System text;
  text.name = text.curve = "node07";
  text.source = "theirs/hpccoutf.txt";
  text.inputs.set(balance::Quantity::processes, 16);
  text.inputs.set(balance::Quantity::random_ring_byte_s, 0.5e9);
  text.inputs.set(balance::Quantity::random_ring_latency_s, 3e-6);
  ReportInput material{.runs = {run}, .foreign = {text}};
  std::vector<balance::System> systems{balance::system_of_run(run), text};
  systems.front().source = "mine";
  balance::make_names_unique(systems);
  material.judged = balance::judge(std::move(systems), {});
  const auto all = parts(material);
  std::vector<std::string> columns;
  for (const auto& column : section(all, "merit", "").table.columns) columns.push_back(column.key);
  EXPECT_THAT(columns, Contains("node07"));
  EXPECT_THAT(columns, Contains("node07 (hpccoutf.txt)"));
  std::ranges::sort(columns);
  EXPECT_EQ(std::ranges::adjacent_find(columns), columns.end());
  EXPECT_THAT(section(all, "verdict", "What was measured").text,
              Contains(HasSubstr("node07 (hpccoutf.txt): figures from the text of another program")));
  const auto& cards = all.front().cards;
  const auto ring = std::ranges::find(cards, "random ring, all processes", &Card::title);
  ASSERT_NE(ring, cards.end());
  ASSERT_EQ(ring->values.size(), 2U);
  EXPECT_THAT(ring->values[0].note, HasSubstr("inside one node: not part of the verdict"));
  EXPECT_THAT(ring->values[1].note, Not(HasSubstr("inside one node"))) << "its nodes are not known";
}

TEST(report_forms, cards_tell_what_makes_their_figures_doubtful) {
  record::Run run = synthetic::run({});
  const auto of = [&](const char* benchmark) {
    return std::ranges::find(run.points, benchmark, &record::PointRecord::benchmark);
  };
  of("PingPong")->flags = {"noisy"};
  const auto all = parts(material_of({run}));
  const auto card = std::ranges::find(all.at(1).cards, "IMB PingPong, shortest message", &Card::title);
  ASSERT_NE(card, all.at(1).cards.end());
  EXPECT_EQ(card->values.at(0).note, "+- 1.6 %; noisy");
}

TEST(report_forms, cards_tell_both_ends_of_an_interval) {
  record::Run run = synthetic::run({});
  for (auto& point : run.points)
    if (point.benchmark == "PingPong")
      for (auto& [name, metric] : point.metrics)
        if (auto* all = std::get_if<record::Statistics>(&metric); all != nullptr && name == "time_s")
          all->ci = {0.99 * *all->median, 1.05 * *all->median};
  const auto all = parts(material_of({run}));
  const auto card = std::ranges::find(all.at(1).cards, "IMB PingPong, shortest message", &Card::title);
  ASSERT_NE(card, all.at(1).cards.end());
  EXPECT_THAT(card->values.at(0).note, HasSubstr("-1.0 % to +5.0 %"));
  EXPECT_THAT(formats::tables_text(tables(all)), HasSubstr("from, to: ends of the 95 % interval"));
}

TEST(report_forms, latex_holds_the_same_numbers_and_no_command_of_a_record) {
  const auto all = tables(parts(material_of({synthetic::run({.points = 40, .suites = false})})));
  EXPECT_THAT(formats::tables_latex(all, "a"), HasSubstr("\\begin{longtable}{@{}"));
  analysis::Section section{
      "x", "50 % & $x_1$ \\input{x}", {"\xc2\xb5 \xe2\x82\xac\n"}, {"x", {}, {}, {}}, {}};
  section.table.columns = {{"name", "name", "", analysis::ColumnKind::text},
                           {"time", "time", "us", analysis::ColumnKind::number},
                           {"eye", "eye", "", analysis::ColumnKind::text, analysis::Audience::readers}};
  section.table.rows = {{"a \"b\"", 0.1, "seen"}, {analysis::Cell(), analysis::Cell(), "too"}};
  const std::string text = formats::tables_latex({section}, synthetic::hostile());
  for (const char* mark : {"\\input", " $x", "\xc2", "\xff"}) EXPECT_THAT(text, Not(HasSubstr(mark))) << mark;
  EXPECT_THAT(text, HasSubstr("50 \\% \\&"));
  EXPECT_THAT(text, HasSubstr("u ?"));
  EXPECT_EQ(formats::table_columns(section),
            "# 50 % & $x_1$ \\input{x}\nname time[us]\na__b_ 0.1\nnan nan\n");
}

/// Sum of the shares of a line that the columns of the first table have: "p{0.300\linewidth}".
double shares_of_columns(const std::string& latex) {
  double sum = 0;
  const std::string line = latex.substr(latex.find("\\begin{longtable}"),
                                        latex.find("\\toprule") - latex.find("\\begin{longtable}"));
  for (std::size_t at = line.find("p{"); at != std::string::npos; at = line.find("p{", at + 1))
    sum += std::stod(line.substr(at + 2));
  return sum;
}

TEST(report_forms, latex_narrows_a_table_that_is_wider_than_a_page) {
  analysis::Section section{"sheet", "Sheet", {}, {"sheet", {}, {}, {}}, {}};
  for (const char* title : {"criterion", "verdict", "value", "interval", "limit", "margin", "launches"})
    section.table.columns.push_back({title, title, "", analysis::ColumnKind::number});
  section.table.columns.push_back({"reason", "", "", analysis::ColumnKind::text});
  std::vector<analysis::Cell> row{"LATENCY",
                                  "undecided",
                                  "0.2018 us",
                                  "0.1606 .. 0.2436",
                                  "<= 0.2750 us or whatever",
                                  "+36.3 %",
                                  "1, about 3 needed",
                                  "single launch, and what else makes the value doubtful"};
  section.table.rows = {row};
  const std::string narrowed = formats::tables_latex({section}, "a");
  EXPECT_THAT(narrowed, HasSubstr("{\\scriptsize\n\\begin{longtable}"));
  EXPECT_THAT(narrowed, HasSubstr("\\end{longtable}\n}\n"));
  EXPECT_THAT(narrowed, HasSubstr("\\raggedleft"));
  EXPECT_LE(shares_of_columns(narrowed), 0.95);
  section.table.columns.resize(3);
  section.table.rows[0].resize(3);
  EXPECT_THAT(formats::tables_latex({section}, "a"), HasSubstr("\n\\begin{longtable}{@{}rrr@{}}"));
}

TEST(report_parts, a_rank_that_all_others_reach_slowly_is_named) {
  record::Run run = synthetic::run({});
  const auto outliers = [&] {
    return section(parts(material_of({run})), "pairs", "Ranks that stand out, alpha").table.rows;
  };
  EXPECT_TRUE(outliers().empty());
  for (auto& table : run.tables) {
    if (table.name != "pingpong_pairs") continue;
    Json& columns = table.columns.json();
    for (std::size_t k = 0; k < columns["to_rank"].size(); ++k)
      if (columns["to_rank"][k] == 5 || columns["from_rank"][k] == 5)
        columns["latency_s"][k] = 9 * columns["latency_s"][k].get<double>();
  }
  const auto found = outliers();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(std::get<std::int64_t>(found[0][0].value), 5);
  EXPECT_GT(std::get<double>(found[0].back().value), 5);
}

TEST(report_parts, hosts_are_those_of_the_session_that_measured) {
  record::Run run = synthetic::run({});
  const auto told = [&run] {
    const auto rows = section(parts(material_of({run})), "environment", "").table.rows;
    for (const auto& row : rows)
      if (std::get<std::string>(row[0].value) == "hosts") return std::get<std::string>(row[1].value);
    return std::string();
  };
  EXPECT_EQ(told(), "node0 node1 node2 node3");
  run.head_session = 1;
  run.table_sessions.assign(run.tables.size(), 1);
  record::RunRecord later = run.head;
  later.layout.json()["hosts"] = {"lion0", "lion1", "lion2", "lion3"};
  record::begin_session(run, later, 2);
  EXPECT_EQ(told(), "session 1: node0 node1 node2 node3; session 2: lion0 lion1 lion2 lion3");
  const Json pairs = page_data({.runs = {run}}, {}).json()["pairs"];
  ASSERT_FALSE(pairs.empty());
  EXPECT_EQ(pairs[0]["hosts"][0], Json("node0"));
  record::begin_session(run, run.head, 3);
  EXPECT_EQ(told(), "session 1: node0 node1 node2 node3; sessions 2 to 3: lion0 lion1 lion2 lion3");
}

TEST(report_page, pairs_are_in_percent_of_their_class_of_hosts_and_switches) {
  const auto pairs_of = [](record::Run run) {
    return page_data({.runs = {std::move(run)}}, {}).json()["pairs"][0];
  };
  const Json by_switch = pairs_of(synthetic::screening_of_switches(64));
  EXPECT_EQ(by_switch["switches"][5], Json("core/leaf2"));
  const Json& columns = by_switch["columns"];
  for (std::size_t k = 0; k < columns["from_rank"].size(); ++k) {
    const bool slow = columns["from_rank"][k] == 3 && columns["to_rank"][k] == 40;
    EXPECT_NEAR(columns["bandwidth_percent"][k].get<double>(), slow ? 50 : 100, 2) << k;
  }
  // Within a node and between nodes.
  const Json by_host = pairs_of(synthetic::run({}));
  for (const Json& percent : by_host["columns"]["bandwidth_percent"])
    EXPECT_NEAR(percent.get<double>(), 100, 0.1);
  // Blocks are of neighbours, and tell their worst pair.
  const Json blocks = pairs_of(synthetic::screening_of_switches(512));
  EXPECT_EQ(blocks["block"], Json(2));
  const Json& worst = blocks["columns"]["worst_bandwidth_percent"];
  EXPECT_LT(std::ranges::min(worst.get<std::vector<double>>()), 51);
  for (const Json& percent : blocks["columns"]["bandwidth_percent"]) EXPECT_GT(percent.get<double>(), 74);
}

/// Material of a run as a report reads one that is alone in its file.
ReportInput rows_of(const record::Run& run) {
  const auto rows = std::make_shared<Rows>();
  record::Run few = run;
  few.points.clear();
  few.envelopes.clear();
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const record::PointRecord passing = run.points[i];  // gone when the report is made
    if (rows->take(run.envelopes[i], passing)) continue;
    few.points.push_back(passing);
    few.envelopes.push_back(run.envelopes[i]);
  }
  rows->end(few);
  balance::System system = balance::system_of_run(few, rows->states(0));
  ReportInput material;
  material.runs.push_back(std::move(few));
  material.judged = balance::judge({std::move(system)}, {});
  material.rows = rows;
  return material;
}

/// Doubts and other kinds of points of a curve: of every so many points one each.
void vary(record::PointRecord& point, std::size_t i) {
  if (i % 14 < 3) point.flags.emplace_back("noisy");  // of neighbours, too
  if (i % 11 == 0) point.flags.emplace_back("cache_warm");
  if (i % 13 == 0) point.verified = false;
  if (i % 17 == 0) point.status = record::Status::partial;
  if (i % 19 == 0) point.metrics.emplace_back("overlap_percent", 1.0 + static_cast<double>(i % 90));
  if (i % 23 == 0) point.metrics.emplace_back("ratio_to_p2p", 2.0);
  if (i % 29 == 0) point.params["op"] = std::string("MPI_SUM");
  if (i % 31 == 0) point.threads = 2, point.metrics.emplace_back("message_rate_op_s", 1e6);
  if (i % 37 == 0)
    point.flags.emplace_back("not_representative"), point.classic.emplace_back("condition", "small");
  if (i % 41 == 0) point.schedule->sync = "barrier";
  if (i % 43 == 0) point.metrics.front().second = record::value_of(point.metrics.front().second).value_or(1);
}

/// Points of curves with all that a report may say of them.
record::Run run_of_curves() {
  record::Run run = synthetic::run({.points = 150});
  synthetic::add_extras(run);
  synthetic::add_times(run);
  run.envelopes.resize(run.points.size());
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    record::PointRecord& point = run.points[i];
    const bool of_imb = record::is_of_imb(point);
    if (point.metrics.empty()) continue;
    if (!point.schedule) point.schedule.emplace();
    point.schedule->elapsed_s = of_imb ? 1 : 1e-6;
    record::State& state = point.states.emplace_back();
    state.c2c_s = of_imb ? 1e-6 * (1 + static_cast<double>(i % 3)) : 1e-7;
    state.share = 1;
    if (!of_imb) continue;
    vary(point, i);
    auto* held = std::get_if<record::Statistics>(&point.metrics.front().second);
    if (held == nullptr || !held->median) continue;
    const double median = *held->median, wobble = 0.01 * static_cast<double>(i % 5);
    held->p25 = median * (1 - wobble), held->p75 = median * (1 + wobble);
    held->batches = std::vector<double>(8, median);
    for (const double factor : {1.0, 1.1, 1.2, 1.3, 1.4, 1.5}) held->visit_medians.push_back(factor * median);
    if (i % 47 == 0) held->ci = std::pair(0.5 * median, 1.5 * median);
  }
  return run;
}

TEST(report_rows, say_what_all_points_say) {
  const record::Run run = run_of_curves();
  const ReportInput all = material_of({run}), rows = rows_of(run);
  const std::string text = formats::tables_text(tables(parts(all)), 200);
  EXPECT_EQ(formats::tables_text(tables(parts(rows)), 200), text);
  EXPECT_THAT(text, HasSubstr("visits of a point resemble each other"));
  const auto data = page_data(all, {});
  EXPECT_EQ(page_data(rows, {}).json().dump(), data.json().dump());
  EXPECT_EQ(data.json()["batches"].size(), 4U) << "of the points whose batches spread most";
  EXPECT_LT(rows.runs.front().points.size() + 50, run.points.size()) << "one stands for others";
  const auto remarks = [](const ReportInput& of) { return of.judged->systems.front().system.doubts.remarks; };
  EXPECT_EQ(remarks(rows), remarks(all));
  EXPECT_THAT(remarks(all)[balance::Quantity::b_eff_byte_s], Contains("other machine states in this run"));
}

TEST(report_page, hostile_texts_stay_texts) {
  const ReportInput material = material_of({synthetic::hostile_run()});
  for (const char* page : {"", tokens}) {
    const std::string text = html(material, {.page = page});
    for (const char* mark : {"<img", "<script>window", "<!--", "\xff", "onerror=\""})
      EXPECT_THAT(text, Not(HasSubstr(mark))) << mark;
  }
  const std::string filled = html(material, {.title = synthetic::hostile(), .page = tokens});
  EXPECT_THAT(filled, HasSubstr("@STEELYARD_DATA@"));  // of a record: a token there is a word like any other
  EXPECT_EQ(filled.find("</script>"), filled.rfind("</script>"));
}

TEST(report_page, every_token_is_replaced_or_asked_for) {
  const ReportInput material = material_of({synthetic::run({.points = 40, .suites = false})});
  EXPECT_THAT(html(material, {.title = "T<1>", .page = tokens}), HasSubstr("<t>T&lt;1&gt;</t>"));
  EXPECT_THAT(html(material, {.page = tokens}), Not(HasSubstr("@STEELYARD_")));
  EXPECT_THROW(static_cast<void>(html(material, {.page = "<t>@STEELYARD_TITLE@</t>"})),
               std::invalid_argument);
}

TEST(report_page, needs_no_network) {
  const std::string text = html(material_of({synthetic::run({})}), {.page = std::string(built_in_page())});
  EXPECT_EQ(text.find("https:"), std::string::npos);
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
}

TEST(report_data, columns_are_of_one_length_and_hold_six_digits) {
  const record::Run run = synthetic::run({.points = 400, .suites = false});
  const record::Document document = page_data(material_of({run}), {});
  const Json& data = document.json();
  EXPECT_EQ(data["total_points"], run.points.size());
  for (const auto& [name, column] : data["points"].items())
    EXPECT_EQ(column.size(), run.points.size()) << name;
  const double exact = *std::get<record::Statistics>(run.points[5].metrics[0].second).median;
  EXPECT_NEAR(data["points"]["median"][5].get<double>() / exact, 1, 5e-6);
  EXPECT_EQ(data["dictionaries"]["benchmark"][data["points"]["benchmark"][5].get<std::size_t>()],
            run.points[5].benchmark);
}

TEST(report_data, suites_tell_the_part_of_the_page_that_shows_them) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  run.points[0].suite = "imb-mpi1";
  run.points[1].suite = "ior";  // of another program, beside files of ours
  run.points[2].suite = "my suite";
  const record::Document document = page_data(material_of({run}), {});
  const Json& data = document.json();
  const Json &suites = data["dictionaries"]["suite"], &parts = data["dictionaries"]["part"];
  ASSERT_EQ(parts.size(), suites.size());
  std::map<std::string, std::string> part_of;
  for (std::size_t i = 0; i < suites.size(); ++i)
    part_of[suites[i].get<std::string>()] = parts[i].get<std::string>();
  EXPECT_EQ(part_of["imb-mpi1"], "messages");
  EXPECT_EQ(part_of["ior"], "io");
  EXPECT_EQ(part_of["my suite"], "suite-my-suite");
}

TEST(report_data, doubts_of_points_are_in_the_words_of_the_terminal) {
  record::Run run = synthetic::run({.points = 40, .suites = false});
  measure_between(run.points[0], 0.9e-6, 1e-6, 5.12e-6);
  run.points[0].flags = {"single_state_short", "noisy"};
  const record::Document document = page_data(material_of({run}), {});
  const Json& data = document.json();
  const auto of_first = [&](const char* name) {
    return data["dictionaries"][name][data["points"][name][0].get<std::size_t>()];
  };
  EXPECT_EQ(of_first("doubts"),
            "+-211 %, noisy, the state of the machine that is shown was seen in fewer than six visits");
  EXPECT_EQ(of_first("marks"), "wide_interval single_state_short noisy") << "what a filter asks for";
  EXPECT_EQ(data["flags"]["noisy"], "many batches were disturbed, or states of the machine differ much");
}

TEST(report_data, overlap_tells_its_case) {
  const record::Document document = page_data(material_of({synthetic::run({})}), {});
  std::map<std::string, int> cases;
  for (const auto& one : document.json().at("overlap")) ++cases[one.at("variant").get<std::string>()];
  EXPECT_EQ(cases["progress=polled"], 12);
  EXPECT_EQ(cases["progress=none"], 12);
}

TEST(report_data, chunks_are_the_patterns_with_a_place_each_once) {
  record::Run run = synthetic::run({});
  const auto chunks_of = [&] {
    std::map<std::string, std::vector<std::string>> places;  // of writes
    const record::Document document = page_data({.runs = {run}}, {});
    for (const auto& one : document.json().at("chunks"))
      if (one.at("access") == "write")
        places[one.at("type").get<std::string>()].push_back(one.at("name").get<std::string>());
    return places;
  };
  const auto own = chunks_of();
  EXPECT_EQ(own.at("scatter"), (std::vector<std::string>{"1 KiB", "1 KiB + 8", "32 KiB", "32 KiB + 8",
                                                         "1 MiB", "1 MiB + 8", "4 MiB", "1 MiB of 2 MiB"}));
  EXPECT_EQ(own.at("segmented").size(), 7U);
  EXPECT_EQ(own.size(), 5U);
  // A text of another program has the numbers of the patterns alone.
  for (auto& point : run.points)
    if (point.suite == "b-eff-io") point.classic.clear();
  EXPECT_EQ(chunks_of(), own);
}

TEST(report_data, too_many_points_are_thinned_benchmark_by_benchmark) {
  const record::Run run = synthetic::run({.points = 24000, .suites = false});
  const record::Document document = page_data(material_of({run}), {.max_points = 20000});
  const Json& data = document.json();
  EXPECT_EQ(data["total_points"], run.points.size());
  EXPECT_EQ(data["kept_points"], data["points"]["run"].size());
  EXPECT_LE(data["kept_points"].get<std::size_t>(), 20000U);
  EXPECT_EQ(data["dictionaries"]["benchmark"].size(), 8U);
}

TEST(report_comparison, the_reason_is_told_where_there_is_none) {
  ReportInput material = material_of({synthetic::run({.points = 40, .suites = false})});
  material.not_compared = "nothing in common";
  EXPECT_THAT(html(material, {}), HasSubstr("nothing in common"));
  material.not_compared.clear();
  material.compared = comparison::compare(
      material.runs, std::vector{synthetic::run({.name = "b", .points = 40, .factor = 2, .suites = false})});
  const record::Document document = page_data(material, {});
  EXPECT_NEAR(document.json()["comparison"]["points"][3]["ratio"].get<double>(), 2, 1e-5);
}

TEST(report_comparison, of_too_many_points_those_stay_that_changed) {
  ReportInput material = material_of({synthetic::run({.points = 40, .suites = false})});
  auto& compared = material.compared.emplace();
  constexpr std::size_t points = most_rows + 500;
  const record::Members none;
  std::deque<std::string> keys;
  std::deque<comparison::Identity> measured;
  for (std::size_t i = 0; i < points; ++i) {
    keys.push_back(std::to_string(i));
    measured.push_back({keys.back(), "imb-mpi1", "PingPong", "time_s", &none});
    comparison::Point& point = compared.points.emplace_back();
    point.what = &measured.back();
    const bool slower = i % 1000 == 777;
    point.ratio = slower ? 1.06 : 1.3;
    point.verdict = slower ? comparison::Verdict::slower : comparison::Verdict::unclear;
  }
  compared.points.front().ratio.reset();
  compared.points.front().verdict = comparison::Verdict::missing;
  const auto all = parts(material);
  const auto& section = std::ranges::find(all, "comparison", &Part::id)->folded.front();
  EXPECT_EQ(section.table.rows.size(), most_rows);
  EXPECT_THAT(section.notes, Contains(HasSubstr("4000 of 4500 points: first those that changed")));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(std::get<std::string>(section.table.rows[i].front().value), std::to_string(777 + 1000 * i));
  EXPECT_EQ(std::get<std::string>(section.table.rows[4].front().value), "0");
  const record::Document document = page_data(material, {.max_points = 10});
  const Json& drawn = document.json()["comparison"]["points"];
  EXPECT_EQ(drawn.size(), 10U);
  int slower = 0;
  for (const Json& point : drawn) slower += point["verdict"] == "slower" ? 1 : 0;
  EXPECT_EQ(slower, 4);
  EXPECT_EQ(document.json()["comparison"]["points_of"], points - 1);
}

}  // namespace
}  // namespace steelyard::report
