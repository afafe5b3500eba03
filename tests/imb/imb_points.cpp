// SPDX-License-Identifier: Apache-2.0
#include "imb_points.hpp"

#include <regex>
#include <sstream>
#include <utility>

#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using record::Json;

Json configuration(const ImbRun& run) {
  Json own{{"version", run.version},
           {"min_byte", run.min_byte},
           {"max_byte", run.max_byte},
           {"user_sizes", run.user_sizes},
           {"listed_sizes", run.listed_sizes},
           {"zero_size", true},
           {"data_type", "MPI_BYTE"},
           {"reduction_type", "MPI_FLOAT"},
           {"op", "MPI_SUM"},
           {"off_cache_byte", run.off_cache_byte},
           {"off_cache_line_byte", run.off_cache_line_byte},
           {"check", run.check},
           {"show_tail", run.show_tail},
           {"remarks", run.remarks}};
  own["multi"] = run.multi ? Json(*run.multi) : Json(nullptr);
  own["map"] = run.map.empty() ? Json(nullptr) : Json(run.map);
  return Json{{run.suite, own}};
}

record::Params parameters(const ImbPoint& point) {
  record::Params params;
  if (point.byte) params["message_byte"] = *point.byte;
  if (point.group) params["group"] = std::int64_t{*point.group};
  if (!point.map.empty()) params["map"] = point.map;
  if (!point.mode.empty()) params["mode"] = point.mode;
  return params;
}

record::Members classic_values(const ImbPoint& point) {
  record::Members classic{{"repetitions", point.repetitions},
                          {"t_min_s", point.t_min_us * 1e-6},
                          {"t_max_s", point.t_max_us * 1e-6},
                          {"t_avg_s", point.t_avg_us * 1e-6}};
  if (point.bandwidth_byte_s) classic.emplace_back("bandwidth_byte_s", *point.bandwidth_byte_s);
  if (point.message_rate_op_s) classic.emplace_back("message_rate_op_s", *point.message_rate_op_s);
  if (point.defects) classic.emplace_back("defects", *point.defects);
  std::vector<double> tail;
  for (const double t : point.tail_us) tail.push_back(t * 1e-6);
  if (!tail.empty()) classic.emplace_back("tail_s", std::move(tail));
  return classic;
}

record::PointRecord bare(const ImbPoint& point) {
  record::PointRecord record;
  record.suite = point.suite;
  record.benchmark = point.benchmark;
  record.processes = point.processes;
  record.groups = point.groups;
  record.params = parameters(point);
  record.key =
      record::make_key(record.suite, record.benchmark, record.processes, 1, record.groups, record.params);
  record.primary = "time_s";
  return record;
}

}  // namespace

record::RunRecord run_record(const ImbRun& run) {
  record::RunRecord record;
  record.front_end = run.suite;
  record.command = {run.suite};
  record.command.insert(record.command.end(), run.benchmarks.begin(), run.benchmarks.end());
  record.program = Json{{"name", "steelyard"}, {"version", "1.0.0"}};
  record.config = configuration(run);
  record.started_utc = "2026-11-20T08:36:21Z";
  record.machine = Json{{"uname",
                         {{"machine", "x86_64"},
                          {"sysname", "Linux"},
                          {"release", "6.1.0"},
                          {"version", "#1 SMP PREEMPT_DYNAMIC"}}}};
  record.mpi = Json{{"standard", "3.1"}, {"thread_level", "single"}};
  record.processes = run.world;
  for (const std::string& name : run.benchmarks) record.plan_sequence.push_back(run.suite + "/" + name);
  return record;
}

record::PointRecord point_record(const ImbPoint& point) {
  record::PointRecord record = bare(point);
  record.classic = classic_values(point);
  if (point.defects) record.verified = *point.defects == 0;
  record::Statistics time;
  time.over_ranks = "max";
  time.n = 1;
  time.median = point.t_max_us * 1e-6;
  record.metrics.emplace_back("time_s", time);
  return record;
}

record::PointRecord no_result(const ImbPoint& point, record::Status status, record::Reason reason) {
  record::PointRecord record = bare(point);
  record.status = status;
  record.reason = std::move(reason);
  return record;
}

record::PointRecord out_of_time(const ImbPoint& point) {
  auto record = no_result(point, record::Status::skipped, because(record::ReasonCode::time));
  record.schedule.emplace().rule = "imb";
  record.schedule->stop = "time";
  return record;
}

record::Reason because(record::ReasonCode code, std::string text) {
  record::Reason reason;
  reason.code = code;
  reason.text = std::move(text);
  return reason;
}

record::EndRecord end_record(std::int64_t failed, std::string status) {
  record::EndRecord end;
  end.status = std::move(status);
  end.points.failed = failed;
  return end;
}

std::string imb_output(const record::RunRecord& run, const std::vector<record::PointRecord>& points,
                       const std::optional<record::EndRecord>& end, const ImbTextOptions& options) {
  std::ostringstream out;
  const auto writer = imb_text(out, options);
  writer->run(run);
  for (const auto& point : points) writer->point(point);
  if (end) writer->end(*end);
  return out.str();
}

std::string imb_tables(const ImbRun& run, const std::vector<ImbPoint>& points) {
  std::vector<record::PointRecord> records;
  for (const ImbPoint& point : points) records.push_back(point_record(point));
  const std::string head = imb_output(run_record(run), {});
  return imb_output(run_record(run), records).substr(head.size());
}

std::string masked(const std::string& text) {
  static const std::regex number(" *[0-9]+\\.[0-9]{2}(?=[ \n])");
  static const std::regex date("[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} [0-9]{4}");
  const std::string without_numbers = std::regex_replace(text, number, "         N.NN");
  return std::regex_replace(without_numbers, date, "Www Mmm dd hh:mm:ss yyyy");
}

std::string visible_blanks(std::string text) {
  for (std::size_t at = text.find("~\n"); at != std::string::npos; at = text.find("~\n", at)) text[at] = ' ';
  return text;
}

}  // namespace steelyard::formats
