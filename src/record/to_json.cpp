// SPDX-License-Identifier: Apache-2.0
#include "record/conversion.hpp"
#include "record/put.hpp"

namespace steelyard::record::detail {
namespace {

using Named = std::vector<std::pair<std::string, Metric>>;

Json metrics_of(const Named& metrics) {
  Json json = Json::object();
  for (const auto& [name, metric] : metrics) json[name] = to_json(metric);
  return json;
}

/// front_end stands before build, where the examples have it.
Json program_of(const RunRecord& run) {
  Json json = Json::object();
  const Json given = object_of(run.program);
  for (const auto& [name, value] : given.items()) {
    if (name == "build") json["front_end"] = word_or_null(run.front_end);
    if (name != "front_end") json[name] = value;
  }
  json["front_end"] = word_or_null(run.front_end);
  return json;
}

Json plan_of(const RunRecord& run) {
  Json json = {{"points", run.plan_points}};
  for (const auto& [suite, points] : run.plan_suites) json["suites"][suite] = points;
  json["estimate_s"] = value_or_null(run.plan_estimate_s);
  json["hash"] = run.plan_hash;
  json["seed"] = run.plan_seed;
  json["sequence"] = run.plan_sequence;
  if (!run.plan_inputs.empty()) json["inputs"] = run.plan_inputs.json();
  return json;
}

void write(Json& json, const RunRecord& run) {
  json["program"] = program_of(run);
  json["command"] = run.command;
  json["config"] = object_of(run.config);
  put(json, "config_sources", run.config_sources);
  json["name"] = word_or_null(run.name);
  for (const auto& [name, label] : run.labels) json["labels"][name] = label;
  json["started_utc"] = run.started_utc;
  put(json, "series", run.series);
  put(json, "launch", run.launch);
  put(json, "launches", run.launches);
  json["resumes"] = run.resumes.json();
  json["processes"] = run.processes;
  json["threads_per_process"] = run.threads_per_process;
  json["nodes"] = run.nodes;
  json["layout"] = object_of(run.layout);
  json["machine"] = object_of(run.machine);
  json["mpi"] = object_of(run.mpi);
  put(json, "libraries", run.libraries);
  put(json, "blas", run.blas);
  json["io"] = run.io.json();
  json["job"] = run.job.json();
  json["environment"] = object_of(run.environment);
  put(json, "clock", run.clock);
  json["noise"] = run.noise.json();
  put(json, "survey", run.survey);
  json["plan"] = plan_of(run);
}

void write_identity(Json& json, const PointRecord& point) {
  json["key"] = point.key;
  json["suite"] = point.suite;
  json["benchmark"] = point.benchmark;
  json["status"] = text(point.status);
  const bool measured = point.status == Status::ok || point.status == Status::partial;
  if (measured || point.verified) json["verified"] = value_or_null(point.verified);
  if (point.reason) json["reason"] = to_json(*point.reason);
  json["processes"] = point.processes;
  json["threads"] = point.threads;
  json["groups"] = point.groups;
  put(json, "group_ranks", point.group_ranks);
  json["params"] = to_json(point.params);
}

void write_result(Json& json, const PointRecord& point) {
  if (point.schedule) json["schedule"] = to_json(*point.schedule);
  if (!point.metrics.empty()) json["metrics"] = metrics_of(point.metrics);
  put(json, "primary", point.primary);
  if (!point.primary.empty()) json["better"] = point.lower_is_better ? "lower" : "higher";
  if (point.slowest_rank) json["ranks"]["slowest_rank"] = *point.slowest_rank;
  if (point.slowest_host) json["ranks"]["slowest_host"] = *point.slowest_host;
  if (!point.classic.empty()) json["classic"] = to_json(point.classic);
  if (point.check) json["check"] = to_json(*point.check);
  for (const State& state : point.states) json["states"].push_back(to_json(state));
  put(json, "disturbed_share", point.disturbed_share);
  put(json, "preempted_s", point.preempted_s);
  put(json, "late_share", point.late_share);
  put(json, "flags", point.flags);
}

void write(Json& json, const PointRecord& point) {
  write_identity(json, point);
  write_result(json, point);
}

void write(Json& json, const TableRecord& table) {
  json["name"] = table.name;
  put(json, "suite", table.suite);
  put(json, "key", table.key);
  json["part"] = table.part;
  json["parts"] = table.parts;
  json["columns"] = object_of(table.columns);
}

void write(Json& json, const SummaryRecord& summary) {
  json["name"] = summary.name;
  json["suite"] = summary.suite;
  json["processes"] = summary.processes;
  json["params"] = to_json(summary.params);
  json["values"] = metrics_of(summary.values);
  if (!summary.classic.empty()) json["classic"] = to_json(summary.classic);
  json["verified"] = value_or_null(summary.verified);
  json["official"] = value_or_null(summary.official);
  put(json, "not_official_because", summary.not_official_because);
  Json inputs = Json::object();
  put(inputs, "select", summary.inputs_select);
  inputs["used"] = summary.inputs_used;
  inputs["missing"] = summary.inputs_missing;
  json["inputs"] = std::move(inputs);
  put(json, "flags", summary.flags);
}

void write(Json& json, const EventRecord& event) {
  json["severity"] = text(event.severity);
  json["code"] = event.code;
  json["text"] = event.text;
  put(json, "key", event.key);
  put(json, "data", event.data);
}

void write(Json& json, const EndRecord& end) {
  json["status"] = end.status;
  json["cause"] = word_or_null(end.cause);
  json["exit_code"] = end.exit_code;
  json["points"] = {
      {"ok", end.points.ok},         {"partial", end.points.partial},       {"skipped", end.points.skipped},
      {"failed", end.points.failed}, {"unverified", end.points.unverified}, {"left", end.points.left}};
  json["elapsed_s"] = end.elapsed_s;
  put(json, "engine_ratio", end.engine_ratio);
  for (const SuiteTime& suite : end.suites)
    json["suites"].push_back(
        {{"suite", suite.suite}, {"expected_s", suite.expected_s}, {"taken_s", suite.taken_s}});
  json["finished_utc"] = end.finished_utc;
  json["resume"] = end.resume.empty() ? Json() : Json(end.resume);
}

struct TypeWord {
  const char* operator()(const RunRecord&) const { return "run"; }
  const char* operator()(const PointRecord&) const { return "point"; }
  const char* operator()(const TableRecord&) const { return "table"; }
  const char* operator()(const SummaryRecord&) const { return "summary"; }
  const char* operator()(const EventRecord&) const { return "event"; }
  const char* operator()(const EndRecord&) const { return "end"; }
};

}  // namespace

Json to_json(const Record& record) {
  const Envelope& envelope = record.envelope;
  Json json{{"format", format_name},
            {"format_version", format_version},
            {"type", std::visit(TypeWord{}, record.body)},
            {"run", envelope.run},
            {"session", envelope.session},
            {"seq", envelope.seq},
            {"at_s", envelope.at_s}};
  std::visit([&json](const auto& body) { write(json, body); }, record.body);
  return json;
}

}  // namespace steelyard::record::detail
