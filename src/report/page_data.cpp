// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/beffio_run.hpp"
#include "analysis/warnings.hpp"
#include "formats/tables/tables.hpp"
#include "record/clipped.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "report/chart_tables.hpp"
#include "report/sections.hpp"

namespace steelyard::report {
namespace {

using record::Json;

/// Number of points of a benchmark that stay however many there are.
constexpr std::size_t kept_of_benchmark = 2000;
/// Number of the noisiest points whose batches are drawn over time.
constexpr std::size_t noisy_points = 4;

/// Words once, and their numbers in columns.
class Dictionary {
 public:
  std::int64_t number(const std::string& word) {
    const auto [place, added] = numbers_.try_emplace(word, std::ssize(numbers_));
    if (added) words_.push_back(record::valid_utf8(word));
    return place->second;
  }
  [[nodiscard]] Json json() const { return words_; }
  /// Words that a function makes of these, in their order.
  template <class Function>
  [[nodiscard]] Json each(Function of_word) const {
    Json list = Json::array();
    for (const Json& word : words_) list.push_back(of_word(word.get<std::string>()));
    return list;
  }

 private:
  std::map<std::string, std::int64_t> numbers_;
  Json words_ = Json::array();
};

void append(std::string& list, const char* between, std::string_view one) {
  if (!list.empty()) list += between;
  list += one;
}

/// Marks that a filter asks for: the flags of a point, and that its interval is wide.
std::string marks(const record::PointRecord& point) {
  std::string list;
  for (const auto& doubt : analysis::doubts(point))
    if (!has_flag(point, doubt.code)) append(list, " ", doubt.code);
  for (const std::string& flag : point.flags) append(list, " ", flag);
  return list;
}

/// Doubts about a point as the terminal tells them, then what its other flags mean.
std::string doubts_told(const record::PointRecord& point) {
  std::string list = analysis::doubts_in_words(point);
  const auto doubts = analysis::doubts(point);
  for (const std::string& flag : point.flags)
    if (std::ranges::find(doubts, flag, &analysis::Doubt::code) == doubts.end())
      append(list, ", ", sentence_of(flag));
  return list;
}

/// Meanings of the marks of the points.
Json flags_json(const std::deque<Row>& rows) {
  Json out{{"wide_interval", std::string(analysis::warned_as("wide_interval"))}};
  for (const Row& row : rows)
    for (const std::string& flag : row.point->flags)
      out[record::valid_utf8(flag)] = record::valid_utf8(sentence_of(flag));
  return out;
}

class Columns {
 public:
  Columns() { columns_.fill(Json::array()); }

  void add(const Row& row) {
    if (row.point != point_) name(*row.point);
    if (row.variant != variant_word_)
      variant_ = variants_.number(std::string(*(variant_word_ = row.variant)));
    const auto whole = [](const std::optional<double>& value) {
      return value ? Json(record::clipped<std::int64_t>(*value)) : Json();
    };
    std::array<Json, names.size()> values{row.run,
                                          suite_,
                                          benchmark_,
                                          variant_,
                                          metric_,
                                          status_,
                                          mark_,
                                          doubt_,
                                          row.point->processes,
                                          whole(row.length_byte),
                                          six_digits(row.median),
                                          six_digits(row.low),
                                          six_digits(row.high),
                                          six_digits(row.p99),
                                          whole(row.n),
                                          six_digits(row.byte_s)};
    for (std::size_t i = 0; i < values.size(); ++i) columns_[i].push_back(std::move(values[i]));
  }

  [[nodiscard]] Json columns() && {
    Json all = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i) all[names[i]] = std::move(columns_[i]);
    return all;
  }
  [[nodiscard]] Json dictionaries() const {
    return {{"suite", suites_.json()},         {"part", suites_.each(part_of_suite)},
            {"benchmark", benchmarks_.json()}, {"variant", variants_.json()},
            {"metric", metrics_.json()},       {"status", statuses_.json()},
            {"marks", marks_.json()},          {"doubts", doubts_.json()}};
  }

 private:
  static constexpr auto names = std::to_array<std::string_view>(
      {"run", "suite", "benchmark", "variant", "metric", "status", "marks", "doubts", "processes",
       "length_byte", "median", "low", "high", "p99", "n", "byte_s"});

  /// Numbers of the words of a point, which rows one after the other mostly share.
  void name(const record::PointRecord& point) {
    suite_ = suites_.number(point.suite);
    benchmark_ = benchmarks_.number(point.benchmark);
    metric_ = metrics_.number(point.primary);
    status_ =
        statuses_.number(point.verified == false ? "unverified" : std::string(record::text(point.status)));
    mark_ = marks_.number(marks(point));
    doubt_ = doubts_.number(doubts_told(point));
    point_ = &point;
  }

  std::array<Json, names.size()> columns_;
  Dictionary suites_, benchmarks_, variants_, metrics_, statuses_, marks_, doubts_;
  const record::PointRecord* point_ = nullptr;  // of the last row, whose words have the numbers:
  std::int64_t suite_ = 0, benchmark_ = 0, variant_ = 0, metric_ = 0, status_ = 0, mark_ = 0, doubt_ = 0;
  std::optional<std::string_view> variant_word_;
};

Json run_json(const std::string& name, const record::Run& run) {
  return {{"name", record::valid_utf8(name)},
          {"id", record::valid_utf8(run.id)},
          {"started_utc", record::valid_utf8(run.head.started_utc)},
          {"processes", run.head.processes},
          {"noise", run.head.noise.json()}};
}

/// Batches over time of the points whose batches spread most, one of each benchmark.
Json batches_json(const Source& source) {
  std::vector<const Spread*> list;
  for (const auto& [benchmark, one] : source.points->spreads()) list.push_back(&one);
  std::ranges::sort(list, {}, &Spread::row);
  std::ranges::stable_sort(list, std::greater<>(), &Spread::factor);
  if (list.size() > noisy_points) list.resize(noisy_points);
  Json out = Json::array();
  for (const Spread* one : list) {
    const Row& row = source.rows[one->row];
    Json values = Json::array();
    for (const double value : one->batches) values.push_back(six_digits(value));
    out.push_back({{"run", row.run},
                   {"key", record::valid_utf8(row.key)},
                   {"median", six_digits(one->median)},
                   {"batches", std::move(values)}});
  }
  return out;
}

Json overlap_json(const Source& source) {
  Json out = Json::array();
  for (const Row& row : source.rows)
    if (const auto overlap = overlap_of(row))
      out.push_back({{"run", row.run},
                     {"benchmark", record::valid_utf8(row.point->suite + '/' + row.point->benchmark)},
                     {"processes", row.point->processes},
                     {"variant", record::valid_utf8(row.variant)},
                     {"length_byte", row.length_byte ? Json(*row.length_byte) : Json()},
                     {"percent", six_digits(*overlap)}});
  return out;
}

/// Bandwidths of b_eff_io over the chunks that its plots show, in their order.
Json chunks_json(const Source& source) {
  Json out = Json::array();
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& chunk : analysis::beffio_chunks(runs[i].points))
      if (const auto byte_s = record::figure(*chunk.point, "bandwidth_byte_s"))
        out.push_back({{"run", i},
                       {"processes", chunk.point->processes},
                       {"access", record::valid_utf8(record::word_in(*chunk.point, "access"))},
                       {"type", chunk.type},
                       {"position", chunk.position},
                       {"chunk_byte", chunk.chunk_byte},
                       {"name", chunk.name},
                       {"byte_s", six_digits(*byte_s)}});
  return out;
}

/// Points with a ratio; where there are more than `most`, those that changed before others.
Json comparison_json(const comparison::Comparison& compared, std::size_t most) {
  using comparison::Verdict;
  std::vector<const comparison::Point*> drawn;
  std::vector<bool> changed;
  for (const auto& point : compared.points) {
    if (!point.ratio) continue;
    drawn.push_back(&point);
    changed.push_back(point.verdict != Verdict::same && point.verdict != Verdict::unclear);
  }
  Json points = Json::array();
  for (const std::size_t i : evenly(changed, most)) {
    const comparison::Point& point = *drawn[i];
    const comparison::Identity& what = *point.what;
    const auto length = record::length_of({what.params->begin(), what.params->end()});
    points.push_back(
        {{"benchmark", record::valid_utf8(std::string(what.suite) + '/' + std::string(what.benchmark))},
         {"key", record::valid_utf8(what.key)},
         {"length_byte", length ? Json(*length) : Json()},
         {"ratio", six_digits(*point.ratio)},
         {"low", point.interval ? six_digits(point.interval->low) : Json()},
         {"high", point.interval ? six_digits(point.interval->high) : Json()},
         {"verdict", std::string(text(point.verdict))}});
  }
  return {
      {"threshold", compared.options.threshold}, {"points", std::move(points)}, {"points_of", drawn.size()}};
}

Json pairs_json(const Source& source) {
  Json list = Json::array();
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t t = 0; t < runs[i].tables.size(); ++t) {
      const auto where = record::whereabouts_of_table(runs[i], t);
      if (auto squares = pair_squares(runs[i].tables[t], where); !squares.columns.empty())
        list.push_back({{"run", i},
                        {"hosts", record::hosts_of_ranks(where)},
                        {"switches", switches_of_ranks(where)},
                        {"block", squares.block},
                        {"columns", std::move(squares.columns)}});
    }
  return list;
}

Json screenings_json(const Source& source) {
  Json list = Json::array();
  for (std::size_t i = 0; i < source.screenings.size(); ++i)
    if (const auto& screening = source.screenings[i])
      list.push_back({{"run", i}, {"tests", screening::charts(*screening)}});
  return list;
}

/// Figures of the balance, then of the suites.
Json figures_json(const Source& source) {
  auto all = chart_tables(source);
  if (const auto& judged = source.input.judged) {
    auto ratios = balance::figures(*judged);
    all.insert(all.begin(), std::make_move_iterator(ratios.begin()), std::make_move_iterator(ratios.end()));
  }
  return formats::tables_json(all);
}

/// Rows that stay, evenly thinned benchmark by benchmark, in the order of the records.
std::vector<const Row*> kept(const Source& source, std::size_t most) {
  std::vector<const Row*> list;
  for (const Benchmark& one : source.benchmarks) {
    const std::size_t share = most * one.rows.size() / std::max<std::size_t>(1, source.rows.size());
    const bool all = source.rows.size() <= most;
    for (const std::size_t i :
         evenly(one.rows.size(), all ? one.rows.size() : std::max(kept_of_benchmark, share)))
      list.push_back(one.rows[i]);
  }
  return list;
}

}  // namespace

record::Json six_digits(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return {};
  if (*value == 0) return 0;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(*value))));
  const double rounded = std::round(*value * scale) / scale;
  return std::isfinite(rounded) ? rounded : *value;
}

record::Document page_data(const ReportInput& input, const PageOptions& options) {
  return page_data(source_of(input), options);
}

record::Document page_data(const Source& source, const PageOptions& options) {
  const ReportInput& input = source.input;
  Columns columns;
  const auto list = kept(source, options.max_points);
  for (const Row* row : list) columns.add(*row);
  Json out{{"format", "steelyard.report"},
           {"format_version", 1},
           {"generated_utc", options.generated_utc},
           {"runs", Json::array()},
           {"dictionaries", columns.dictionaries()},
           {"points", std::move(columns).columns()},
           {"flags", flags_json(source.rows)},
           {"kept_points", list.size()},
           {"total_points", source.rows.size()},
           {"figures", figures_json(source)},
           {"batches", batches_json(source)},
           {"overlap", overlap_json(source)},
           {"chunks", chunks_json(source)},
           {"pairs", pairs_json(source)},
           {"screenings", screenings_json(source)},
           {"acceptance", input.acceptance_bars.json()},
           {"history", input.history_charts.json()},
           {"comparison", input.compared ? comparison_json(*input.compared, options.max_points) : Json()}};
  for (std::size_t i = 0; i < input.runs.size(); ++i)
    out["runs"].push_back(run_json(source.names[i], input.runs[i]));
  return out;
}

}  // namespace steelyard::report
