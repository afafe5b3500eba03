// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "record/conversion.hpp"
#include "record/fields.hpp"

namespace steelyard::record::detail {

// What a record holds, read from a tree or from a text.

template <class Source>
void assign(std::string_view name, Source& json, Reason& to) {
  const Fields fields(name, json);
  std::string_view code;
  fields.need("code", code);
  // Later versions may add codes; their text still tells what happened.
  to.code = meaning<ReasonCode>(reason_words, code).value_or(ReasonCode::internal);
  fields.get("text", to.text);
  fields.get("rank", to.rank);
  fields.get("host", to.host);
  fields.get("mpi_call", to.mpi_call);
  fields.get("mpi_class", to.mpi_class);
  fields.get("needed_byte", to.needed_byte);
  fields.get("available_byte", to.available_byte);
  fields.end();
}

template <class Source>
void assign(std::string_view name, Source& json, Schedule& to) {
  const Fields fields(name, json);
  fields.need("rule", to.rule);
  fields.get("warmup_ops", to.warmup_ops);
  fields.get("ops", to.ops);
  fields.get("batches", to.batches);
  fields.get("ops_per_batch", to.ops_per_batch);
  fields.get("stop", to.stop);
  fields.get("elapsed_s", to.elapsed_s);
  fields.get("overhead_s", to.overhead_s);
  fields.get("tries", to.tries);
  fields.get("sync", to.sync);
  fields.get("timing", to.timing);
  fields.get("rounds", to.rounds);
  fields.get("visits", to.visits);
  fields.get("placements", to.placements);
  fields.get("pilot_s", to.pilot_s);
  fields.get("clock_share", to.clock_share);
  fields.get("clock_error_s", to.clock_error_s);
  fields.get("clock_error_median_s", to.clock_error_median_s);
  fields.get("clock_sync_s", to.clock_sync_s);
  fields.end();
}

template <class Source>
void assign(std::string_view name, Source& json, Check& to) {
  const Fields fields(name, json);
  fields.get("errors", to.errors);
  fields.get("worst", to.worst);
  fields.get("limit", to.limit);
  fields.get("first", to.first);
  fields.end();
}

template <class Source>
void assign(std::string_view name, Source& json, State& to) {
  const Fields fields(name, json);
  fields.get("c2c_s", to.c2c_s);
  fields.get("chain_s", to.chain_s);
  fields.get("wide_s", to.wide_s);
  fields.need("visits", to.visits);
  fields.need("share", to.share);
  fields.need("median", to.median);
  fields.get("ci", to.ci);
  fields.end();
}

template <class Source>
void assign(std::string_view name, Source& json, Statistics& to) {
  const Fields fields(name, json);
  fields.get("over_ranks", to.over_ranks);
  fields.get("n", to.n);
  fields.get("headline", to.headline);
  fields.get("median", to.median);
  fields.get("ci", to.ci);
  fields.get("ci_level", to.ci_level);
  fields.get("ci_batches", to.ci_batches);
  fields.get("ci_visits", to.ci_visits);
  fields.get("min", to.min);
  fields.get("p05", to.p05);
  fields.get("p25", to.p25);
  fields.get("p75", to.p75);
  fields.get("p95", to.p95);
  fields.get("p99", to.p99);
  fields.get("max", to.max);
  fields.get("mean", to.mean);
  fields.get("sd", to.sd);
  fields.get("rho", to.rho);
  fields.get("visit_medians", to.visit_medians);
  fields.get("batches", to.batches);
  std::string_view kept;
  fields.get("batches_kept", kept);
  fields.end();
  to.batches_thinned = kept == "thinned";
}

namespace {

template <class Enum, std::size_t n>
Enum word(const auto& fields, std::string_view name, const std::array<std::string_view, n>& words) {
  std::string_view spelled;
  fields.need(name, spelled);
  const auto value = meaning<Enum>(words, spelled);
  if (!value) wrong_member(name, "one of the words of this format version", Json(spelled));
  return *value;
}

void read_program(const TreeFields& fields, RunRecord& run) {
  fields.get("program", run.program);
  const Element* program = fields.find("program");
  if (program == nullptr) return;
  Fields("program", *program).get("front_end", run.front_end);
  run.program.json().erase("front_end");
}

/// Reads what MPI is. The version of a library may hold tabs (MPICH), which earlier releases recorded as they are.
void read_mpi(const TreeFields& fields, RunRecord& run) {
  fields.get("mpi", run.mpi);
  Json& mpi = run.mpi.json();
  if (mpi.is_object() && mpi.contains("library") && mpi["library"].is_string())
    mpi["library"] = one_line(mpi["library"].get<std::string>());
}

void read_plan(const TreeFields& fields, RunRecord& run) {
  const Element* json = fields.find("plan");
  if (json == nullptr) return;
  const Fields plan("plan", *json);
  plan.get("points", run.plan_points);
  if (const Element* suites = plan.find("suites")) {
    if (!suites->is_object()) wrong_member("suites", "an object", *suites);
    for (const Element& points : *suites)
      assign(points.name(), points, run.plan_suites.emplace_back(points.name(), 0).second);
  }
  plan.get("estimate_s", run.plan_estimate_s);
  plan.get("hash", run.plan_hash);
  plan.get("seed", run.plan_seed);
  plan.get("sequence", run.plan_sequence);
  if (const Element* inputs = plan.find("inputs")) run.plan_inputs = inputs->json();
}

void read_labels(const TreeFields& fields, RunRecord& run) {
  const Element* json = fields.find("labels");
  if (json == nullptr) return;
  if (!json->is_object()) wrong_member("labels", "an object", *json);
  for (const Element& label : *json)
    assign(label.name(), label, run.labels.emplace_back(label.name(), "").second);
}

void read(const TreeFields& fields, RunRecord& run) {
  read_program(fields, run);
  fields.get("command", run.command);
  fields.get("config", run.config);
  fields.get("config_sources", run.config_sources);
  fields.get("name", run.name);
  read_labels(fields, run);
  fields.get("started_utc", run.started_utc);
  fields.get("series", run.series);
  fields.get("launch", run.launch);
  fields.get("launches", run.launches);
  fields.get("resumes", run.resumes);
  fields.need("processes", run.processes);
  fields.get("threads_per_process", run.threads_per_process);
  fields.get("import", run.imported);
  if (!run.imported.empty()) run.nodes = 0;
  fields.get("nodes", run.nodes);
  fields.get("layout", run.layout);
  fields.get("machine", run.machine);
  read_mpi(fields, run);
  fields.get("libraries", run.libraries);
  fields.get("blas", run.blas);
  fields.get("io", run.io);
  fields.get("job", run.job);
  fields.get("environment", run.environment);
  fields.get("clock", run.clock);
  fields.get("noise", run.noise);
  fields.get("survey", run.survey);
  read_plan(fields, run);
}

void read_ranks(const auto& fields, PointRecord& point) {
  auto* json = fields.find("ranks");
  if (json == nullptr) {
    point.slowest_rank.reset();
    point.slowest_host.reset();
    return;
  }
  const Fields ranks("ranks", *json);
  ranks.get("slowest_rank", point.slowest_rank);
  ranks.get("slowest_host", point.slowest_host);
  ranks.end();
}

void read(const auto& fields, PointRecord& point) {
  fields.need("key", point.key);
  fields.need("suite", point.suite);
  fields.need("benchmark", point.benchmark);
  point.status = word<Status>(fields, "status", status_words);
  fields.get("verified", point.verified);
  fields.get("reason", point.reason);
  fields.need("processes", point.processes);
  fields.get_or("threads", 1, point.threads);
  fields.get_or("groups", 1, point.groups);
  fields.get("group_ranks", point.group_ranks);
  fields.get("params", point.params);
  fields.get("schedule", point.schedule);
  fields.get("metrics", point.metrics);
  fields.get("primary", point.primary);
  std::string_view better;
  fields.get("better", better);
  point.lower_is_better = better != "higher";
  read_ranks(fields, point);
  fields.get("classic", point.classic);
  fields.get("check", point.check);
  fields.get("states", point.states);
  fields.get("disturbed_share", point.disturbed_share);
  fields.get("preempted_s", point.preempted_s);
  fields.get("late_share", point.late_share);
  fields.get("flags", point.flags);
  fields.get("memory_kind", point.memory_kind);
  fields.get("import", point.imported);
  fields.end();
}

void read(const TreeFields& fields, TableRecord& table) {
  fields.need("name", table.name);
  fields.get("suite", table.suite);
  fields.get("key", table.key);
  fields.get("part", table.part);
  fields.get("parts", table.parts);
  fields.need("columns", table.columns);
}

/// Gives values of older records the names of today.
void rename_values(SummaryRecord& summary) {
  for (auto& [name, value] : summary.values)
    if (name == "b_eff_io_seed_byte_s") name = "b_eff_io_published_byte_s";
  if (summary.name != "b_eff_io") return;
  for (auto& [name, value] : summary.classic)
    if (name == "seed_byte_s") name = "published_byte_s";
}

void read(const TreeFields& fields, SummaryRecord& summary) {
  fields.need("name", summary.name);
  fields.need("suite", summary.suite);
  fields.get("processes", summary.processes);
  fields.get("params", summary.params);
  fields.get("values", summary.values);
  fields.get("classic", summary.classic);
  rename_values(summary);
  fields.get("verified", summary.verified);
  fields.get("official", summary.official);
  fields.get("not_official_because", summary.not_official_because);
  fields.get("flags", summary.flags);
  const Element* json = fields.find("inputs");
  if (json == nullptr) return;
  const Fields inputs("inputs", *json);
  inputs.get("select", summary.inputs_select);
  inputs.get("used", summary.inputs_used);
  inputs.get("missing", summary.inputs_missing);
}

void read(const TreeFields& fields, EventRecord& event) {
  event.severity = word<Severity>(fields, "severity", severity_words);
  fields.need("code", event.code);
  fields.get("text", event.text);
  fields.get("key", event.key);
  fields.get("data", event.data);
}

Counts read_counts(const Element& json) {
  const Fields fields("points", json);
  Counts counts;
  fields.get("ok", counts.ok);
  fields.get("partial", counts.partial);
  fields.get("skipped", counts.skipped);
  fields.get("failed", counts.failed);
  fields.get("unverified", counts.unverified);
  fields.get("left", counts.left);
  return counts;
}

std::vector<SuiteTime> read_suite_times(const Element& list) {
  std::vector<SuiteTime> suites;
  for (const Element& json : list) {
    const Fields fields("suites", json);
    SuiteTime& suite = suites.emplace_back();
    fields.need("suite", suite.suite);
    fields.get("expected_s", suite.expected_s);
    fields.get("taken_s", suite.taken_s);
  }
  return suites;
}

void read(const TreeFields& fields, EndRecord& end) {
  fields.need("status", end.status);
  fields.get("cause", end.cause);
  fields.need("exit_code", end.exit_code);
  if (const Element* points = fields.find("points")) end.points = read_counts(*points);
  fields.get("elapsed_s", end.elapsed_s);
  fields.get("engine_ratio", end.engine_ratio);
  if (const Element* suites = fields.find("suites")) end.suites = read_suite_times(*suites);
  fields.get("finished_utc", end.finished_utc);
  fields.get("resume", end.resume);
}

/// Reads into the record itself: a point is more than a kilobyte to move.
template <class Kind>
bool read_as(const TreeFields& fields, Body& body) {
  read(fields, body.emplace<Kind>());
  return true;
}

/// Returns false for an unknown type.
bool read_body(std::string_view type, const TreeFields& fields, Body& body) {
  if (type == "run") return read_as<RunRecord>(fields, body);
  if (type == "point") return read_as<PointRecord>(fields, body);
  if (type == "table") return read_as<TableRecord>(fields, body);
  if (type == "summary") return read_as<SummaryRecord>(fields, body);
  if (type == "event") return read_as<EventRecord>(fields, body);
  return type == "end" && read_as<EndRecord>(fields, body);
}

// Highest number: doubles of other tools hold no higher whole ones; the next record has one more.
constexpr std::int64_t highest_seq = std::int64_t{1} << 53;

void require_format(const TreeFields& fields) {
  std::string_view format;
  fields.get("format", format);
  if (format != format_name) throw ReadError("not a steelyard record (member 'format')");
  std::int64_t version = 0;
  fields.need("format_version", version);
  if (version > format_version) {
    throw ReadError("format version " + std::to_string(version) + " is newer than version " +
                    std::to_string(format_version) + ", which this program reads");
  }
  if (version < 1) wrong_member("format_version", "a version from 1", Json(version));
}

void read_envelope(const auto& fields, auto& envelope) {
  fields.need("run", envelope.run);
  fields.need("session", envelope.session);
  fields.need("seq", envelope.seq);
  if (envelope.seq < 0 || envelope.seq > highest_seq)
    wrong_member("seq", "a number from 0 to 2^53", Json(envelope.seq));
  fields.need("at_s", envelope.at_s);
}

/// What follows the beginning of points in a line that has it, from the sign before its next member.
std::string_view behind_beginning(std::string_view line) {
  return line.substr(beginning_of_points.size() - 1);
}

std::optional<Value> number_of(const Element& json) {
  if (!json.is_number_integer()) return Value(json.real());
  const bool fits = !json.is_number_unsigned() || json.natural() <= INT64_MAX;
  return fits ? Value(json.integer()) : Value(json.real());
}

std::optional<Value> list_of(const Element& json) {
  std::vector<double> numbers;
  numbers.reserve(json.size());
  for (const Element& item : json) {
    if (!item.is_number()) return std::nullopt;
    numbers.push_back(item.real());
  }
  return Value(std::move(numbers));
}

std::optional<Value> value_of(const Element& json) {
  if (json.is_null()) return Value(nullptr);
  if (json.is_boolean()) return Value(json.boolean());
  if (json.is_string()) return Value(std::string(json.text()));
  if (json.is_number()) return number_of(json);
  return json.is_array() ? list_of(json) : std::nullopt;
}

Value value_of(WrittenText& text) {
  if (text.take_word("null")) return nullptr;
  if (text.take_word("true")) return true;
  if (text.take_word("false")) return false;
  if (text.is_at('"')) return std::string(text.text());
  if (text.is_at('[')) {
    std::vector<double> numbers;
    assign({}, text, numbers);
    return numbers;
  }
  const auto number = text.number();
  if (number.is_whole) return number.whole;
  return number.real;
}

constexpr std::size_t usual_members = 4, usual_metrics = 2;

void assign_metric(std::string_view name, const Element& json, Metric& to) {
  if (json.is_number())
    to = json.real();
  else if (!json.is_null())
    assign(name, json, to.emplace<Statistics>());
}

void assign_metric(std::string_view name, WrittenText& text, Metric& to) {
  if (text.is_at('{')) {
    auto* const held = std::get_if<Statistics>(&to);
    assign(name, text, held != nullptr ? *held : to.emplace<Statistics>());
  } else if (text.take_word("null")) {
    to = nullptr;
  } else {
    to = text.number().real;
  }
}

}  // namespace

void assign(std::string_view name, const Element& json, Params& to) {
  if (!json.is_object()) wrong_member(name, "an object", json);
  for (const Element& found : json)
    if (auto value = value_of(found)) to.insert_or_assign(std::string(found.name()), std::move(*value));
}

void assign(std::string_view name, const Element& json, Members& to) {
  if (!json.is_object()) wrong_member(name, "an object", json);
  to.reserve(json.size());
  for (const Element& found : json)
    if (auto value = value_of(found)) to.emplace_back(found.name(), std::move(*value));
}

void assign(std::string_view name, const Element& json, NamedMetrics& to) {
  if (!json.is_object()) wrong_member(name, "an object", json);
  to.reserve(json.size());
  for (const Element& found : json)
    assign_metric(found.name(), found, to.emplace_back(found.name(), nullptr).second);
}

/// Parameters that the record before had, too, and in the same order are written over, up to the first other one.
void assign(std::string_view /*name*/, WrittenText& text, Params& to) {
  auto next = to.begin();
  text.each_member([&](std::string_view name) {
    if (next != to.end() && next->first == name) {
      (next++)->second = value_of(text);
      return;
    }
    next = to.erase(next, to.end());
    if (!to.emplace(name, value_of(text)).second) throw NotAsWritten();
  });
  to.erase(next, to.end());
}

namespace {

/// Assigns members, each by `assign_value`, that have different names.
template <class List>
void assign_named(WrittenText& text, List& to, std::size_t usual, const auto& assign_value) {
  ServingList list(to, usual);
  text.each_member([&](std::string_view name) {
    const auto is_named = [name](const auto& one) { return one.first == name; };
    if (std::ranges::any_of(list.taken(), is_named)) throw NotAsWritten();
    auto& [known_as, value] = list.next();
    known_as = name;
    assign_value(name, value);
  });
  list.end();
}

}  // namespace

void assign(std::string_view /*name*/, WrittenText& text, Members& to) {
  assign_named(text, to, usual_members, [&](std::string_view, Value& value) { value = value_of(text); });
}

void assign(std::string_view /*name*/, WrittenText& text, NamedMetrics& to) {
  assign_named(text, to, usual_metrics,
               [&](std::string_view name, Metric& metric) { assign_metric(name, text, metric); });
}

bool read_as_written(std::string_view line, std::optional<Record>& to) try {
  if (!line.starts_with(beginning_of_points)) return false;
  WrittenText text(behind_beginning(line));
  const Fields fields(text);
  if (!to) to.emplace();
  read_envelope(fields, to->envelope);
  auto* const before = std::get_if<PointRecord>(&to->body);
  read(fields, before != nullptr ? *before : to->body.emplace<PointRecord>());
  return text.is_at_end();
} catch (const NotAsWritten&) {
  return false;
} catch (const ReadError&) {
  return false;
}

std::optional<BeginningOfPoint> beginning_of_point(std::string_view line) try {
  if (!line.starts_with(beginning_of_points)) return std::nullopt;  // without an exception, which takes time
  WrittenText text(behind_beginning(line));
  const Fields fields(text);
  BeginningOfPoint found;
  read_envelope(fields, found);
  fields.need("key", found.key);
  return found;
} catch (const NotAsWritten&) {
  return std::nullopt;
} catch (const ReadError&) {
  return std::nullopt;
}

void read_tree(const Element& json, std::optional<Record>& to) {
  const Fields fields("record", json);
  require_format(fields);
  std::string_view type;
  fields.need("type", type);
  read_envelope(fields, to.emplace().envelope);
  if (!read_body(type, fields, to->body)) to.reset();
}

void read_line(std::string_view line, Elements& elements, std::optional<Record>& to) {
  if (elements.may_need_none()) {
    if (read_as_written(line, to)) return;
    elements.note_need();
  }
  read_tree(elements.read(line), to);
}

}  // namespace steelyard::record::detail

namespace steelyard::record {

std::optional<Record> from_line(std::string_view line) {
  detail::Elements elements;
  std::optional<Record> record;
  detail::read_line(line, elements, record);
  return record;
}

}  // namespace steelyard::record
