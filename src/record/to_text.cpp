// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/conversion.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "record/walk.hpp"

namespace steelyard::record {
namespace detail {
namespace {

bool finite(const Json& json) {
  if (json.is_number_float()) return std::isfinite(json.get<double>());
  return !json.is_structured() || std::ranges::all_of(json, finite);
}

/// Path of the first member that is not finite.
std::string culprit(const Json& json) {
  if (json.is_array()) {
    const auto found = std::ranges::find_if_not(json, finite);
    if (found == json.end()) return "";
    return "/" + std::to_string(std::ranges::distance(json.begin(), found)) + culprit(*found);
  }
  for (const auto& [name, member] : json.items()) {
    if (!finite(member)) return "/" + name + culprit(member);
  }
  return "";
}

std::string step(std::string_view name, std::optional<std::size_t> place) {
  return "/" + std::string(name) + (place ? "/" + std::to_string(*place) : "");
}

[[noreturn]] void refuse_number(const std::string& path) {
  throw NotANumber("member " + path + " is not a finite number");
}

/// An object of JSON, written as text member after member: files hold millions of records, and a Json of each would
/// allocate for every member. Ends when it is destroyed, before what it is in.
class ObjectText {
 public:
  /// Appends an object to a text.
  explicit ObjectText(std::string& text) : text_(text) { text_ += '{'; }
  /// Appends an object as a member of another one.
  ObjectText(ObjectText& within, std::string_view name) : text_(within.text_), within_(&within), name_(name) {
    within.begin(name);
    text_ += '{';
  }
  ObjectText(const ObjectText&) = delete;
  ObjectText& operator=(const ObjectText&) = delete;
  ~ObjectText() { text_ += '}'; }

  /// Appends a member; null for an optional without value. Throws NotANumber that names the first number within it that
  /// is not finite.
  template <class T>
  void put(std::string_view name, const T& value) {
    begin(name);
    member_ = name;
    write(value);
  }
  /// The same, unless it is absent or empty.
  template <class T>
  void put_unless_empty(std::string_view name, const T& value) {
    if constexpr (requires { value.has_value(); }) {
      if (value) put(name, *value);
    } else {
      if (!value.empty()) put(name, value);
    }
  }
  /// Appends a list of objects; `write_one(object, element)` puts the members of each.
  template <class T, class WriteOne>
  void put_objects(std::string_view name, const std::vector<T>& elements, const WriteOne& write_one) {
    begin(name);
    text_ += '[';
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) text_ += ',';
      ObjectText object(*this, name, i);
      write_one(object, elements[i]);
    }
    text_ += ']';
  }

 private:
  /// Appends an object as an element of a list.
  ObjectText(const ObjectText& within, std::string_view list, std::size_t place)
      : text_(within.text_), within_(&within), name_(list), place_(place) {
    text_ += '{';
  }

  void begin(std::string_view name) {
    if (!std::exchange(first_, false)) text_ += ',';
    append_text(text_, name);
    text_ += ':';
  }

  void write(std::nullptr_t) { text_ += "null"; }
  void write(bool value) { text_ += value ? "true" : "false"; }
  void write(std::integral auto value) { text_ += std::to_string(value); }
  void write(double value) {
    if (!std::isfinite(value)) refuse_number(path());
    append_number(text_, value);
  }
  void write(std::string_view value) { append_text(text_, value); }
  void write(const std::string& value) { append_text(text_, value); }
  void write(const char* value) { append_text(text_, value); }
  void write(const Json& value) {
    if (!finite(value)) refuse_number(path() + culprit(value));
    text_ += value.dump();
  }
  void write(const Document& value) { write(value.json()); }
  void write(const std::pair<double, double>& ends) { write(std::vector{ends.first, ends.second}); }
  template <class T>
  void write(const std::optional<T>& value) {
    if (value)
      write(*value);
    else
      write(nullptr);
  }
  template <class T>
  void write(const std::vector<T>& list) {
    text_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) text_ += ',';
      element_ = i;
      write(list[i]);
    }
    element_.reset();
    text_ += ']';
  }

  /// "/metrics/time_s/ci/0" of what is written.
  [[nodiscard]] std::string path() const { return path_of_this() + step(member_, element_); }
  [[nodiscard]] std::string path_of_this() const {
    return within_ == nullptr ? "" : within_->path_of_this() + step(name_, place_);
  }

  std::string& text_;
  const ObjectText* within_ = nullptr;
  std::string_view name_;             // of this object in that one
  std::optional<std::size_t> place_;  // in a list of that name
  std::string_view member_;           // that is written
  std::optional<std::size_t> element_;
  bool first_ = true;
};

/// Word, or null for an empty one.
[[nodiscard]] std::optional<std::string_view> word_or_null(const std::string& word) {
  return word.empty() ? std::nullopt : std::optional<std::string_view>(word);
}

/// Document, or an empty object where the schema demands one.
[[nodiscard]] Json object_of(const Document& document) {
  return document.empty() ? Json::object() : document.json();
}

void put(ObjectText& to, std::string_view name, const Value& value) {
  std::visit([&](const auto& held) { to.put(name, held); }, value);
}

void put(ObjectText& to, std::string_view name, const Statistics& s) {
  ObjectText object(to, name);
  object.put_unless_empty("over_ranks", s.over_ranks);
  object.put_unless_empty("n", s.n);
  object.put_unless_empty("headline", s.headline);
  object.put("median", s.median);
  object.put_unless_empty("ci", s.ci);
  object.put_unless_empty("ci_level", s.ci_level);
  object.put_unless_empty("ci_batches", s.ci_batches);
  object.put_unless_empty("ci_visits", s.ci_visits);
  object.put_unless_empty("min", s.min);
  object.put_unless_empty("p05", s.p05);
  object.put_unless_empty("p25", s.p25);
  object.put_unless_empty("p75", s.p75);
  object.put_unless_empty("p95", s.p95);
  object.put_unless_empty("p99", s.p99);
  object.put_unless_empty("max", s.max);
  object.put_unless_empty("mean", s.mean);
  object.put_unless_empty("sd", s.sd);
  object.put_unless_empty("rho", s.rho);
  object.put_unless_empty("visit_medians", s.visit_medians);
  object.put_unless_empty("batches", s.batches);
  const bool all = s.n && *s.n == static_cast<std::int64_t>(s.batches.size());
  if (s.batches_thinned) object.put("batches_kept", "thinned");
  if (!s.batches_thinned && all && !s.batches.empty()) object.put("batches_kept", "all");
}

struct MetricText {
  ObjectText& to;
  std::string_view name;

  void operator()(const Statistics& statistics) const { put(to, name, statistics); }
  void operator()(const auto& number) const { to.put(name, number); }
};

using Named = std::vector<std::pair<std::string, Metric>>;

void put(ObjectText& to, std::string_view name, const Named& metrics) {
  ObjectText object(to, name);
  for (const auto& [metric, value] : metrics) std::visit(MetricText{object, metric}, value);
}

void put_values(ObjectText& to, std::string_view name, const auto& values) {
  ObjectText object(to, name);
  for (const auto& [member, value] : values) put(object, member, value);
}

void put(ObjectText& to, const Reason& reason) {
  ObjectText object(to, "reason");
  object.put("code", text(reason.code));
  object.put("text", reason.text);
  object.put_unless_empty("rank", reason.rank);
  object.put_unless_empty("host", reason.host);
  object.put_unless_empty("mpi_call", reason.mpi_call);
  object.put_unless_empty("mpi_class", reason.mpi_class);
  object.put_unless_empty("needed_byte", reason.needed_byte);
  object.put_unless_empty("available_byte", reason.available_byte);
}

void put(ObjectText& to, const Schedule& s) {
  ObjectText object(to, "schedule");
  object.put("rule", s.rule);
  object.put_unless_empty("warmup_ops", s.warmup_ops);
  object.put_unless_empty("ops", s.ops);
  object.put_unless_empty("batches", s.batches);
  object.put_unless_empty("ops_per_batch", s.ops_per_batch);
  object.put_unless_empty("stop", s.stop);
  object.put_unless_empty("elapsed_s", s.elapsed_s);
  object.put_unless_empty("overhead_s", s.overhead_s);
  object.put_unless_empty("tries", s.tries);
  object.put_unless_empty("sync", s.sync);
  object.put_unless_empty("timing", s.timing);
  object.put_unless_empty("rounds", s.rounds);
  object.put_unless_empty("visits", s.visits);
  object.put_unless_empty("placements", s.placements);
  object.put_unless_empty("pilot_s", s.pilot_s);
  object.put_unless_empty("clock_share", s.clock_share);
  object.put_unless_empty("clock_error_s", s.clock_error_s);
  object.put_unless_empty("clock_error_median_s", s.clock_error_median_s);
  object.put_unless_empty("clock_sync_s", s.clock_sync_s);
}

void put(ObjectText& to, const Check& check) {
  ObjectText object(to, "check");
  object.put("errors", check.errors);
  object.put_unless_empty("worst", check.worst);
  object.put_unless_empty("limit", check.limit);
  object.put_unless_empty("first", check.first);
}

void put_state(ObjectText& to, const State& state) {
  to.put_unless_empty("c2c_s", state.c2c_s);
  to.put_unless_empty("chain_s", state.chain_s);
  to.put_unless_empty("wide_s", state.wide_s);
  to.put("visits", state.visits);
  to.put("share", state.share);
  to.put("median", state.median);
  to.put_unless_empty("ci", state.ci);
}

void put_ranks(ObjectText& to, const PointRecord& point) {
  if (!point.slowest_rank && !point.slowest_host) return;
  ObjectText object(to, "ranks");
  object.put_unless_empty("slowest_rank", point.slowest_rank);
  object.put_unless_empty("slowest_host", point.slowest_host);
}

/// Program of a run; front_end stands before build, as in the examples.
Json program_of(const RunRecord& run) {
  Json json = Json::object();
  const Json given = object_of(run.program);
  const Json front_end = run.front_end.empty() ? Json() : Json(run.front_end);
  for (const auto& [name, value] : given.items()) {
    if (name == "build") json["front_end"] = front_end;
    if (name != "front_end") json[name] = value;
  }
  json["front_end"] = front_end;
  return json;
}

void put_plan(ObjectText& to, const RunRecord& run) {
  ObjectText plan(to, "plan");
  plan.put("points", run.plan_points);
  if (!run.plan_suites.empty()) {
    ObjectText suites(plan, "suites");
    for (const auto& [suite, points] : run.plan_suites) suites.put(suite, points);
  }
  plan.put("estimate_s", run.plan_estimate_s);
  plan.put("hash", run.plan_hash);
  plan.put("seed", run.plan_seed);
  plan.put("sequence", run.plan_sequence);
  plan.put_unless_empty("inputs", run.plan_inputs);
}

void put_labels(ObjectText& to, const RunRecord& run) {
  if (run.labels.empty()) return;
  ObjectText labels(to, "labels");
  for (const auto& [name, label] : run.labels) labels.put(name, label);
}

void put_members(ObjectText& to, const RunRecord& run) {
  const bool imported = !run.imported.empty();
  const auto known = [&](const Document& document) {
    return imported && document.empty() ? Json() : object_of(document);
  };
  to.put("program", program_of(run));
  to.put("command", run.command);
  to.put("config", object_of(run.config));
  to.put_unless_empty("config_sources", run.config_sources);
  to.put("name", word_or_null(run.name));
  put_labels(to, run);
  to.put("started_utc", run.started_utc);
  to.put_unless_empty("series", run.series);
  to.put_unless_empty("launch", run.launch);
  to.put_unless_empty("launches", run.launches);
  to.put("resumes", run.resumes);
  to.put("processes", run.processes);
  to.put("threads_per_process", run.threads_per_process);
  to.put_unless_empty("import", run.imported);
  to.put("nodes", imported && run.nodes < 1 ? std::nullopt : std::optional(run.nodes));
  to.put("layout", known(run.layout));
  to.put("machine", object_of(run.machine));
  to.put("mpi", known(run.mpi));
  to.put_unless_empty("libraries", run.libraries);
  to.put_unless_empty("blas", run.blas);
  to.put("io", run.io);
  to.put("job", run.job);
  to.put("environment", object_of(run.environment));
  to.put_unless_empty("clock", run.clock);
  to.put("noise", run.noise);
  to.put_unless_empty("survey", run.survey);
  put_plan(to, run);
}

void put_identity(ObjectText& to, const PointRecord& point) {
  to.put("key", point.key);
  to.put("suite", point.suite);
  to.put("benchmark", point.benchmark);
  to.put("status", text(point.status));
  if (measured(point) || point.verified) to.put("verified", point.verified);
  if (point.reason) put(to, *point.reason);
  to.put("processes", point.processes);
  to.put("threads", point.threads);
  to.put("groups", point.groups);
  to.put_unless_empty("group_ranks", point.group_ranks);
  put_values(to, "params", point.params);
}

void put_members(ObjectText& to, const PointRecord& point) {
  put_identity(to, point);
  if (point.schedule) put(to, *point.schedule);
  if (!point.metrics.empty()) put(to, "metrics", point.metrics);
  to.put_unless_empty("primary", point.primary);
  if (!point.primary.empty()) to.put("better", point.lower_is_better ? "lower" : "higher");
  put_ranks(to, point);
  if (!point.classic.empty()) put_values(to, "classic", point.classic);
  if (point.check) put(to, *point.check);
  if (!point.states.empty()) to.put_objects("states", point.states, put_state);
  to.put_unless_empty("disturbed_share", point.disturbed_share);
  to.put_unless_empty("preempted_s", point.preempted_s);
  to.put_unless_empty("late_share", point.late_share);
  to.put_unless_empty("flags", point.flags);
  to.put_unless_empty("memory_kind", point.memory_kind);
  to.put_unless_empty("import", point.imported);
}

void put_members(ObjectText& to, const TableRecord& table) {
  to.put("name", table.name);
  to.put_unless_empty("suite", table.suite);
  to.put_unless_empty("key", table.key);
  to.put("part", table.part);
  to.put("parts", table.parts);
  to.put("columns", object_of(table.columns));
}

void put_inputs(ObjectText& to, const SummaryRecord& summary) {
  ObjectText inputs(to, "inputs");
  inputs.put_unless_empty("select", summary.inputs_select);
  inputs.put("used", summary.inputs_used);
  inputs.put("missing", summary.inputs_missing);
}

void put_members(ObjectText& to, const SummaryRecord& summary) {
  to.put("name", summary.name);
  to.put("suite", summary.suite);
  to.put("processes", summary.processes);
  put_values(to, "params", summary.params);
  put(to, "values", summary.values);
  if (!summary.classic.empty()) put_values(to, "classic", summary.classic);
  to.put("verified", summary.verified);
  to.put("official", summary.official);
  to.put_unless_empty("not_official_because", summary.not_official_because);
  put_inputs(to, summary);
  to.put_unless_empty("flags", summary.flags);
}

void put_members(ObjectText& to, const EventRecord& event) {
  to.put("severity", text(event.severity));
  to.put("code", event.code);
  to.put("text", event.text);
  to.put_unless_empty("key", event.key);
  to.put_unless_empty("data", event.data);
}

void put_counts(ObjectText& to, const Counts& counts) {
  ObjectText points(to, "points");
  points.put("ok", counts.ok);
  points.put("partial", counts.partial);
  points.put("skipped", counts.skipped);
  points.put("failed", counts.failed);
  points.put("unverified", counts.unverified);
  points.put("left", counts.left);
}

void put_suite_time(ObjectText& to, const SuiteTime& suite) {
  to.put("suite", suite.suite);
  to.put("expected_s", suite.expected_s);
  to.put("taken_s", suite.taken_s);
}

void put_members(ObjectText& to, const EndRecord& end) {
  to.put("status", end.status);
  to.put("cause", word_or_null(end.cause));
  to.put("exit_code", end.exit_code);
  put_counts(to, end.points);
  to.put("elapsed_s", end.elapsed_s);
  to.put_unless_empty("engine_ratio", end.engine_ratio);
  if (!end.suites.empty()) to.put_objects("suites", end.suites, put_suite_time);
  to.put("finished_utc", end.finished_utc);
  to.put("resume", end.resume.empty() ? std::nullopt : std::optional(end.resume));
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
}  // namespace detail

void append_line(std::string& text, const Record& record) {
  const Envelope& envelope = record.envelope;
  detail::ObjectText to(text);
  to.put("format", detail::format_name);
  to.put("format_version", detail::format_version);
  to.put("type", std::visit(detail::TypeWord{}, record.body));
  to.put("run", envelope.run);
  to.put("session", envelope.session);
  to.put("seq", envelope.seq);
  to.put("at_s", envelope.at_s);
  std::visit([&to](const auto& body) { detail::put_members(to, body); }, record.body);
}

std::string to_line(const Record& record) {
  std::string line;
  append_line(line, record);
  return line;
}

}  // namespace steelyard::record
