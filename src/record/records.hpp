// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "record/json.hpp"
#include "record/value.hpp"

/// Records of a result file, in C++. Meaning of every member: docs/records.md; presence and type:
/// src/record/result.schema.json. Numbers are seconds, bytes, byte/s; nothing is rounded.
namespace steelyard::record {

/// Reason why a point has no result, or a partial one. Spelt in the file as here.
enum class ReasonCode {
  memory,
  time,
  unsupported,
  processes,
  file_system,
  space,
  mpi_error,
  verification,
  excluded,
  interrupted,
  dependency,
  internal,
  unreadable
};

[[nodiscard]] std::string_view text(ReasonCode code);

/// Details of a reason; bytes with `memory` and `space`.
struct Reason {
  ReasonCode code = ReasonCode::internal;
  std::string text;
  std::optional<int> rank;
  std::optional<std::string> host;
  std::optional<std::string> mpi_call;
  std::optional<std::string> mpi_class;
  std::optional<std::int64_t> needed_byte;
  std::optional<std::int64_t> available_byte;
};

enum class Status { ok, partial, skipped, failed };

/// Statistics of one quantity over the timed batches.
struct Statistics {
  std::string over_ranks;  // max, min, mean, sum, one; empty for derived quantities
  std::optional<std::int64_t> n;
  std::optional<double> median;
  std::optional<std::pair<double, double>> ci;
  std::optional<double> ci_level;
  std::optional<std::pair<double, double>> ci_batches;
  std::optional<std::pair<double, double>> ci_visits;
  std::optional<double> min, p05, p25, p75, p95, p99, max, mean, sd, rho;
  std::vector<double> visit_medians;  // at most 64
  std::string headline;  // the member that is the value of the point: mean, min, max; empty: the median
  std::vector<double> batches;  // in the order of time
  bool batches_thinned = false;
};

using Metric = std::variant<std::nullptr_t, double, Statistics>;

/// Member of that name: median, mean, min, max, p05 ... p99; nullopt if it is not known, or not a member.
[[nodiscard]] std::optional<double> statistic(const Statistics& held, std::string_view name);
/// Number that stands for all: the median, or the member that `headline` names. Every reader takes the value here.
[[nodiscard]] std::optional<double> value_of(const Statistics& held);
[[nodiscard]] std::optional<double> value_of(const Metric& metric);

struct Schedule {
  std::string rule;  // imb, time_driven, size_driven, fixed, adaptive, prescribed, imported
  std::optional<std::int64_t> warmup_ops, ops, batches, ops_per_batch;
  std::string stop;  // count, ci, time, size, budget, interrupted; empty = unknown
  std::optional<double> elapsed_s, overhead_s, pilot_s, clock_share;
  std::optional<int> tries, rounds, visits, placements;
  std::string sync;    // none, barrier, barrier2, dissemination, window
  std::string timing;  // whole, batch, each
  /// Window mode: largest and median error of the common clock in the checks before and after, time spent on it.
  std::optional<double> clock_error_s, clock_error_median_s, clock_sync_s;
};

struct Check {
  std::int64_t errors = 0;
  std::optional<double> worst;
  std::optional<double> limit;
  Document first;  // rank, offset, found, expected of the first error
};

/// One machine state in which a point was visited.
struct State {
  std::optional<double> c2c_s, chain_s, wide_s;
  int visits = 0;
  double share = 0;
  double median = 0;
  std::optional<std::pair<double, double>> ci;
};

struct PointRecord {
  std::string key, suite, benchmark;
  Status status = Status::ok;
  std::optional<bool> verified;
  std::optional<Reason> reason;
  int processes = 1;
  int threads = 1;
  int groups = 1;
  std::vector<std::vector<int>> group_ranks;  // world ranks of each group; left empty beyond 64 ranks
  Params params;
  std::optional<Schedule> schedule;
  std::vector<std::pair<std::string, Metric>> metrics;
  std::string primary;
  bool lower_is_better = true;
  std::optional<int> slowest_rank;
  std::optional<std::string> slowest_host;
  Members classic;
  std::optional<Check> check;
  std::vector<State> states;
  std::optional<double> disturbed_share, preempted_s, late_share;
  std::vector<std::string> flags;
  std::string memory_kind;  // of the buffers: device, managed; empty: of the host, or not told
  Document imported;        // origin and kind of the number of another program; null for our own
};

/// True if a point was read from the text of another program.
[[nodiscard]] inline bool is_imported(const PointRecord& point) {
  return point.schedule && point.schedule->rule == "imported";
}

struct RunRecord {
  std::string front_end;  // imb-mpi1, ...; empty = none
  std::vector<std::string> command;
  Document program;  // name, version, commit, modified, build
  Document config, config_sources;
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;
  std::string started_utc;
  std::string series;                   // ties launches of one --launches; empty = none
  std::optional<int> launch, launches;  // of a series: which one this is, of how many
  Document resumes;                     // null unless resumed
  int processes = 1, threads_per_process = 1;
  int nodes = 1;  // 0: not known, only in imports
  Document
      imported;  // program, release, files and description of a text of another program; null for our own
  Document layout, machine, mpi, libraries, blas, io, job, environment, clock, noise;
  Document survey;  // rates by which the plan was made; null if no size depends on them
  std::int64_t plan_points = 0;
  std::vector<std::pair<std::string, std::int64_t>> plan_suites;  // points of each suite; empty = not told
  std::optional<double> plan_estimate_s;
  std::string plan_hash;
  std::int64_t plan_seed = 1;
  std::vector<std::string> plan_sequence;
  Document plan_inputs;  // properties of this place that the plan was made from: a resume plans with the same
};

struct TableRecord {
  std::string name, suite, key;
  int part = 1, parts = 1;
  Document columns;
};

struct SummaryRecord {
  std::string name, suite;
  int processes = 1;
  Params params;
  std::vector<std::pair<std::string, Metric>> values;
  Members classic;
  std::optional<bool> verified, official;
  std::vector<std::string> not_official_because, flags;
  std::string inputs_select;
  std::int64_t inputs_used = 0, inputs_missing = 0;
};
/// Adds a value; null where there is none.
void put(SummaryRecord& summary, std::string_view name, std::optional<double> value);

enum class Severity { info, warning, error };

struct EventRecord {
  Severity severity = Severity::info;
  std::string code;  // one of event_codes()
  std::string text;
  Document data = {};
  std::string key = {};
};

struct Counts {
  std::int64_t ok = 0, partial = 0, skipped = 0, failed = 0, unverified = 0, left = 0;
};

/// Time expected for a suite's blocks when they began, and time taken.
struct SuiteTime {
  std::string suite;
  double expected_s = 0, taken_s = 0;
};

struct EndRecord {
  std::string status;  // complete, interrupted, failed
  std::string cause;   // signal, cpu_limit, stop_file, deadline, budget, error; empty = none
  int exit_code = 0;
  Counts points;
  double elapsed_s = 0;
  std::optional<double> engine_ratio;
  std::vector<SuiteTime> suites;  // that were measured, in their order
  std::string finished_utc;
  std::vector<std::string> resume;  // command words; empty = nothing to resume
};

using Body = std::variant<RunRecord, PointRecord, TableRecord, SummaryRecord, EventRecord, EndRecord>;

/// Members of every record.
struct Envelope {
  std::string run;
  int session = 1;
  std::int64_t seq = 0;
  double at_s = 0;
};

struct Record {
  Envelope envelope;
  Body body;
};

/// Row of the table of metric names: unit as in "byte/s" (empty: a pure number), meaning.
struct MetricName {
  std::string_view name, unit;
  bool lower_is_better;
  std::string_view definition;
};
[[nodiscard]] std::span<const MetricName> metric_names();
/// Row of that name, or nullptr.
[[nodiscard]] const MetricName* metric_name(std::string_view name);
/// Name with blanks and without its unit: "random ring latency" of random_ring_latency_s.
[[nodiscard]] std::string metric_words(std::string_view name);
/// Unit at the end of any name: "time_s" -> "s", "b_eff_byte_s" -> "byte/s"; empty if none.
[[nodiscard]] std::string_view unit_of(std::string_view name);

/// Codes of event records and of the findings of doctor, in ASCII order.
[[nodiscard]] std::span<const std::string_view> event_codes();
[[nodiscard]] bool is_event_code(std::string_view code);

/// Flag of a point and its meaning for the numbers, in half a sentence.
struct FlagText {
  std::string_view flag, text;
};
[[nodiscard]] std::span<const FlagText> flag_texts();
/// Text of a flag; empty for words that are no flag of this release.
[[nodiscard]] std::string_view flag_text(std::string_view flag);

[[nodiscard]] std::string_view text(Status status);
[[nodiscard]] std::string_view text(Severity severity);

/// Table in parts that each fit into a line of a result file, numbered part = 1 .. parts; a table that fits
/// is returned as it is. `columns` is an object of lists of equal length. Throws std::domain_error if it is
/// not, and WriteError (file.hpp) if a single row is too long.
[[nodiscard]] std::vector<TableRecord> split_table(const TableRecord& table);

/// Adds the rows of `more` behind those of `into`; returns false and adds nothing if one of them is no table
/// or their columns differ.
[[nodiscard]] bool append_rows(TableRecord& into, const TableRecord& more);

}  // namespace steelyard::record
