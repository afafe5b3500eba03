// SPDX-License-Identifier: Apache-2.0
#include "formats/csv.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <utility>

#include "record/json.hpp"
#include "record/point_view.hpp"
#include "record/value.hpp"
#include "suites/hpcc/definition.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

using record::Json;
using record::Metric;
using record::PointRecord;
using record::Statistics;

/// Parameters with a column of their own, in this order for ever; all others share the column other_params.
constexpr std::array param_columns = std::to_array<std::string_view>({"message_byte",
                                                                      "chunk_byte",
                                                                      "count_byte",
                                                                      "type",
                                                                      "contiguous_type",
                                                                      "op",
                                                                      "root",
                                                                      "sync",
                                                                      "mode",
                                                                      "group",
                                                                      "map",
                                                                      "occurrence",
                                                                      "window",
                                                                      "off_cache_byte",
                                                                      "cache",
                                                                      "pattern",
                                                                      "method",
                                                                      "access",
                                                                      "pattern_type",
                                                                      "partition",
                                                                      "repetition",
                                                                      "n",
                                                                      "nb",
                                                                      "p",
                                                                      "q",
                                                                      "pmap",
                                                                      "bcast",
                                                                      "depth",
                                                                      "pfact",
                                                                      "rfact",
                                                                      "nbmin",
                                                                      "ndiv",
                                                                      "swap",
                                                                      "generator",
                                                                      "form",
                                                                      "input_parameter",
                                                                      "pair_from",
                                                                      "pair_to"});

/// Names in the records for columns of HPC Challenge's letters. Of several names of a column a point has one at most.
struct Letter {
  std::string_view column, param;
};
constexpr std::array hpcc_letters = std::to_array<Letter>({{"n", "order"},
                                                           {"n", "elements"},
                                                           {"n", "table_words"},
                                                           {"nb", "block"},
                                                           {"p", "grid_rows"},
                                                           {"q", "grid_columns"},
                                                           {"pmap", "mapping"},
                                                           {"bcast", "broadcast"},
                                                           {"pfact", "panel"},
                                                           {"rfact", "recursive"},
                                                           {"nbmin", "stop"},
                                                           {"ndiv", "parts"}});

constexpr std::string_view columns_before =
    "run,session,seq,suite,benchmark,status,verified,processes,threads,groups,nodes";
constexpr std::string_view columns_after =
    "rule,ops,batches,elapsed_s,metric,unit,over_ranks,median,ci_low,ci_high,min,p25,p75,p95,p99,max,mean,sd,"
    "better,"
    "reason,flags,key,other_params,steelyard_csv_1";

/// Appends a number or a word as the result file spells it, without quotes; nothing for null.
struct Spelling {
  std::string& text;

  void operator()(std::nullptr_t) const {}
  void operator()(bool value) const { text += value ? "true" : "false"; }
  void operator()(std::integral auto value) const { text += std::to_string(value); }
  void operator()(double value) const { record::append_number(text, value); }
  void operator()(const std::string& value) const { text += value; }
  void operator()(const std::vector<double>& values) const { text += Json(values).dump(); }
};

std::string spelled(const record::Value& value) {
  std::string text;
  std::visit(Spelling{text}, value);
  return text;
}

/// Lines of comma-separated fields, at the end of a text.
class Row {
 public:
  explicit Row(std::string& line) : line_(line) { line_.reserve(usual_byte); }
  void text(std::string_view field) {
    separate();
    append_csv_field(line_, field);
  }
  void empty() { separate(); }
  void number(auto value) {
    separate();
    Spelling{line_}(value);
  }
  template <class T>
  void value(const std::optional<T>& value) {
    return value ? number(*value) : empty();
  }
  void value(const record::Value* value) { return value != nullptr ? text(spelled(*value)) : empty(); }
  void end_line() {
    line_ += '\n';
    first_ = true;
  }
  /// Appends the fields of another line.
  void append(const Row& fields) {
    separate();
    line_ += fields.line_;
  }

 private:
  void separate() {
    if (!first_) line_ += ',';
    first_ = false;
  }

  static constexpr std::size_t usual_byte = 1024;
  std::string& line_;
  bool first_ = true;
};

bool has_letters(const PointRecord& point) {
  return point.suite == steelyard::hpcc::suite_name;
}

/// Column of a parameter's own name, else of its letter; the end of the columns: it has none.
auto column_of(std::string_view param, const PointRecord& point) {
  const auto own = std::ranges::find(param_columns, param);
  if (own != param_columns.end() || !has_letters(point)) return own;
  const auto letter = std::ranges::find(hpcc_letters, param, &Letter::param);
  return letter == hpcc_letters.end() ? own : std::ranges::find(param_columns, letter->column);
}

using ParamCells = std::array<const record::Value*, param_columns.size()>;

/// Parameters by their columns, nullptr where the point has none. A parameter of the column's own name stands first.
ParamCells param_cells(const PointRecord& point) {
  ParamCells cells{};
  for (const auto& [name, value] : point.params)
    if (const auto column = column_of(name, point); column != param_columns.end())
      if (auto& cell = cells[static_cast<std::size_t>(column - param_columns.begin())];
          cell == nullptr || *column == name)
        cell = &value;
  return cells;
}

std::string other_params(const PointRecord& point) {
  std::string list;
  for (const auto& [name, value] : point.params) {
    if (column_of(name, point) != param_columns.end()) continue;
    list.append(list.empty() ? "" : ";").append(name).append("=").append(spelled(value));
  }
  return list;
}

std::string_view better(const PointRecord& point, std::string_view metric) {
  if (metric == point.primary) return point.lower_is_better ? "lower" : "higher";
  const record::MetricName* const known = record::metric_name(metric);
  if (known == nullptr) return "";
  return known->lower_is_better ? "lower" : "higher";
}

void put_point(Row& row, const record::RunRecord& head, const record::Envelope& envelope,
               const PointRecord& point) {
  row.text(envelope.run);
  row.number(envelope.session);
  row.number(envelope.seq);
  row.text(point.suite);
  row.text(point.benchmark);
  row.text(record::text(point.status));
  row.value(point.verified);
  row.number(point.processes);
  row.number(point.threads);
  row.number(point.groups);
  row.value(head.nodes < 1 ? std::nullopt : std::optional(head.nodes));
  for (const record::Value* value : param_cells(point)) row.value(value);
}

void put_schedule(Row& row, const PointRecord& point) {
  static const record::Schedule none;
  const record::Schedule& schedule = point.schedule ? *point.schedule : none;
  row.text(schedule.rule);
  row.value(schedule.ops);
  row.value(schedule.batches);
  row.value(schedule.elapsed_s);
}

void put_statistics(Row& row, const Statistics& s) {
  row.text(s.over_ranks);
  row.value(s.median);
  row.value(s.ci ? std::optional(s.ci->first) : std::nullopt);
  row.value(s.ci ? std::optional(s.ci->second) : std::nullopt);
  for (const auto& value : {s.min, s.p25, s.p75, s.p95, s.p99, s.max, s.mean, s.sd}) row.value(value);
}

/// A plain number, of which nothing else is known, stands in the column of the median, whatever statistic it is.
void put_metric(Row& row, const PointRecord& point, std::string_view name, const Metric& metric) {
  row.text(name);
  row.text(record::unit_of(name));
  if (const auto* statistics = std::get_if<Statistics>(&metric)) {
    put_statistics(row, *statistics);
  } else {
    Statistics alone;
    if (const auto* number = std::get_if<double>(&metric)) alone.median = *number;
    put_statistics(row, alone);
  }
  row.text(name.empty() ? "" : better(point, name));
}

/// Flags of a point, and as more words which statistic a number of another program is.
std::vector<std::string> flags_and_statistic(const PointRecord& point) {
  auto words = point.flags;
  const Json& imported = point.imported.json();
  std::string over_time = record::text_in(imported, "over_time");
  if (const auto* held = record::statistics(point, point.primary);
      held != nullptr && record::is_imported(point))
    if (!held->headline.empty()) over_time = held->headline;
  if (!over_time.empty()) words.push_back("statistic=" + over_time);
  if (const auto ranks = record::text_in(imported, "over_ranks"); !ranks.empty())
    words.push_back("statistic_over_ranks=" + ranks);
  return words;
}

void put_remarks(Row& row, const PointRecord& point) {
  row.text(point.reason ? std::string(text(point.reason->code)) + ": " + point.reason->text : "");
  row.text(units::joined(flags_and_statistic(point), " "));
  row.text(point.key);
  row.text(other_params(point));
  row.empty();
}

}  // namespace

void append_csv_field(std::string& line, std::string_view field) {
  const auto stands_as_it_is = [](char c) { return c >= ' ' && c <= '~' && c != ',' && c != '"'; };
  if (std::ranges::all_of(field, stands_as_it_is)) {
    line += field;
    return;
  }
  const std::string text = units::controls_escaped(record::valid_utf8(field), "\n\r\t");
  const bool quoted = text.find_first_of(",\"\r\n") != std::string::npos;
  if (quoted) line += '"';
  for (const char c : text) line.append(c == '"' ? 2 : 1, c);
  if (quoted) line += '"';
}

void append_csv_rows(std::string& rows, CsvMetrics metrics, const record::RunRecord& head,
                     const record::Envelope& envelope, const PointRecord& point) {
  std::string same_before, same_after;  // for all its metrics
  Row before(same_before), after(same_after), row(rows);
  put_point(before, head, envelope, point);
  put_schedule(before, point);
  put_remarks(after, point);
  const auto write_row = [&](std::string_view name, const Metric& metric) {
    row.append(before);
    put_metric(row, point, name, metric);
    row.append(after);
    row.end_line();
  };
  bool written = false;
  for (const auto& [name, metric] : point.metrics) {
    if (metrics == CsvMetrics::primary && name != point.primary) continue;
    write_row(name, metric);
    written = true;
  }
  if (!written) write_row("", nullptr);
}

void CsvText::begin() {
  if (std::exchange(begun_, true)) return;
  out_ << columns_before;
  for (const std::string_view name : param_columns) out_ << ',' << name;
  out_ << ',' << columns_after << '\n';
}

void CsvText::point(std::string_view rows) {
  begin();
  out_ << rows;
}

void JsonText::begin() {
  if (!separator_.empty()) return;
  separator_ = "\n";
  out_ << R"({"format":"steelyard.result-set","format_version":1,"records":[)";
}

void JsonText::record(std::string_view line) {
  begin();
  out_ << separator_ << line;
  separator_ = ",\n";
}

void JsonText::end() {
  begin();
  out_ << "\n]}\n";
}

}  // namespace steelyard::formats
