// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include "record/conversion.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"

namespace steelyard::record::detail {
namespace {

template <class T>
void put(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

inline void put(Json& json, const char* name, const std::string& word) {
  if (!word.empty()) json[name] = word;
}

template <class T>
void put(Json& json, const char* name, const std::vector<T>& list) {
  if (!list.empty()) json[name] = list;
}

inline void put(Json& json, const char* name, const Document& document) {
  if (!document.empty()) json[name] = document.json();
}

/// Word, or null for an empty one.
[[nodiscard]] inline Json word_or_null(const std::string& word) {
  return word.empty() ? Json() : Json(word);
}

template <class T>
[[nodiscard]] Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// Document, or an empty object where the schema demands one.
[[nodiscard]] inline Json object_of(const Document& document) {
  return document.empty() ? Json::object() : document.json();
}

using Named = std::vector<std::pair<std::string, Metric>>;

Json metrics_of(const Named& metrics) {
  Json json = Json::object();
  for (const auto& [name, metric] : metrics) json[name] = to_json(metric);
  return json;
}

/// Program of a run; front_end stands before build, as in the examples.
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
  put(json, "import", run.imported);
  const bool imported = !run.imported.empty();
  const auto known = [&](const Document& document) {
    return imported && document.empty() ? Json() : object_of(document);
  };
  json["nodes"] = imported && run.nodes < 1 ? Json() : Json(run.nodes);
  json["layout"] = known(run.layout);
  json["machine"] = object_of(run.machine);
  json["mpi"] = known(run.mpi);
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
  if (measured(point) || point.verified) json["verified"] = value_or_null(point.verified);
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
  put(json, "memory_kind", point.memory_kind);
  put(json, "import", point.imported);
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

Json to_json(const Statistics& s) {
  Json json = Json::object();
  put(json, "over_ranks", s.over_ranks);
  put(json, "n", s.n);
  put(json, "headline", s.headline);
  json["median"] = value_or_null(s.median);
  put(json, "ci", s.ci);
  put(json, "ci_level", s.ci_level);
  put(json, "ci_batches", s.ci_batches);
  put(json, "ci_visits", s.ci_visits);
  put(json, "min", s.min);
  put(json, "p05", s.p05);
  put(json, "p25", s.p25);
  put(json, "p75", s.p75);
  put(json, "p95", s.p95);
  put(json, "p99", s.p99);
  put(json, "max", s.max);
  put(json, "mean", s.mean);
  put(json, "sd", s.sd);
  put(json, "rho", s.rho);
  put(json, "visit_medians", s.visit_medians);
  put(json, "batches", s.batches);
  const bool all = s.n && *s.n == static_cast<std::int64_t>(s.batches.size());
  if (s.batches_thinned) json["batches_kept"] = "thinned";
  if (!s.batches_thinned && all && !s.batches.empty()) json["batches_kept"] = "all";
  return json;
}

struct Alternative {
  template <class T>
  Json operator()(const T& value) const {
    return Json(value);
  }
  Json operator()(const Statistics& value) const { return to_json(value); }
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

Json to_json(const Value& value) {
  return std::visit(Alternative{}, value);
}

Json to_json(const Metric& metric) {
  return std::visit(Alternative{}, metric);
}

Json to_json(const Params& params) {
  Json json = Json::object();
  for (const auto& [name, value] : params) json[name] = to_json(value);
  return json;
}

Json to_json(const Members& members) {
  Json json = Json::object();
  for (const auto& [name, value] : members) json[name] = to_json(value);
  return json;
}

Json to_json(const Reason& reason) {
  Json json{{"code", text(reason.code)}, {"text", reason.text}};
  put(json, "rank", reason.rank);
  put(json, "host", reason.host);
  put(json, "mpi_call", reason.mpi_call);
  put(json, "mpi_class", reason.mpi_class);
  put(json, "needed_byte", reason.needed_byte);
  put(json, "available_byte", reason.available_byte);
  return json;
}

Json to_json(const Schedule& s) {
  Json json{{"rule", s.rule}};
  put(json, "warmup_ops", s.warmup_ops);
  put(json, "ops", s.ops);
  put(json, "batches", s.batches);
  put(json, "ops_per_batch", s.ops_per_batch);
  put(json, "stop", s.stop);
  put(json, "elapsed_s", s.elapsed_s);
  put(json, "overhead_s", s.overhead_s);
  put(json, "tries", s.tries);
  put(json, "sync", s.sync);
  put(json, "timing", s.timing);
  put(json, "rounds", s.rounds);
  put(json, "visits", s.visits);
  put(json, "placements", s.placements);
  put(json, "pilot_s", s.pilot_s);
  put(json, "clock_share", s.clock_share);
  put(json, "clock_error_s", s.clock_error_s);
  put(json, "clock_error_median_s", s.clock_error_median_s);
  put(json, "clock_sync_s", s.clock_sync_s);
  return json;
}

Json to_json(const Check& check) {
  Json json{{"errors", check.errors}};
  put(json, "worst", check.worst);
  put(json, "limit", check.limit);
  put(json, "first", check.first);
  return json;
}

Json to_json(const State& state) {
  Json json = Json::object();
  put(json, "c2c_s", state.c2c_s);
  put(json, "chain_s", state.chain_s);
  put(json, "wide_s", state.wide_s);
  json["visits"] = state.visits;
  json["share"] = state.share;
  json["median"] = state.median;
  put(json, "ci", state.ci);
  return json;
}

}  // namespace steelyard::record::detail
