// SPDX-License-Identifier: Apache-2.0
#include "report/rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/balance/measured.hpp"
#include "analysis/balance/merits.hpp"
#include "record/point_view.hpp"
#include "report/chart_tables.hpp"

namespace steelyard::report {

using record::Json;

namespace {

using record::PointRecord;
using record::Statistics;

/// Words of a point's classic values that say what it is.
constexpr std::array<std::string_view, 3> telling = {"set", "type", "pattern_name"};

constexpr std::array<std::string_view, 2> message_rates = {"message_rate_op_s", "message_rate_total_op_s"};

void take_primary(Row& row, const PointRecord& point) {
  row.median = record::figure(point, point.primary);
  const auto* all = record::statistics(point, point.primary);
  if (all == nullptr) return;
  row.p99 = all->p99;
  row.max = all->max;
  if (all->n) row.n = static_cast<double>(*all->n);
  if (all->ci)
    std::tie(row.low, row.high) = std::pair(std::optional(all->ci->first), std::optional(all->ci->second));
}

/// The first of these metrics that a point has.
std::optional<double> any_figure(const PointRecord& point, std::span<const std::string_view> names) {
  for (const std::string_view name : names)
    if (const auto value = record::figure(point, name)) return value;
  return std::nullopt;
}

void take_others(Row& row, const PointRecord& point) {
  constexpr std::array<std::string_view, 3> bandwidths = {"bandwidth_byte_s", "bandwidth_process_byte_s",
                                                          "bandwidth_total_byte_s"};
  row.length_byte = record::length_of(point.params);
  if (record::unit_of(point.primary) != "byte/s") row.byte_s = any_figure(point, bandwidths);
  row.message_rate_op_s = any_figure(point, message_rates);
  row.overlap_percent = record::figure(point, "overlap_percent");
  if (point.schedule) row.elapsed_s = std::max(0.0, point.schedule->elapsed_s.value_or(0));
}

/// Names of parameters that are not the same in all points of a benchmark.
using Varying = std::map<std::string, std::set<std::string>, std::less<>>;

std::string name_of(const PointRecord& point) {
  return point.suite + '/' + point.benchmark;
}

Varying varying(const std::deque<Row>& rows) {
  std::map<std::string, std::map<std::string, std::set<std::string>>, std::less<>> seen;
  const PointRecord* last = nullptr;
  for (const Row& row : rows) {
    if (std::exchange(last, row.point) == row.point) continue;
    for (const auto& [name, value] : last->params)
      if (auto& words = seen[name_of(*last)][name]; words.size() < 2) words.insert(word(value));
  }
  Varying found;
  for (const auto& [benchmark, names] : seen)
    for (const auto& [name, words] : names)
      if (words.size() > 1 && !record::is_told_elsewhere(name)) found[benchmark].insert(name);
  return found;
}

std::string variant(const PointRecord& point, const Varying& varying) {
  std::string text;
  const auto names = varying.find(name_of(point));
  if (names != varying.end())
    for (const std::string& name : names->second)
      if (const auto* value = record::find(point.params, name))
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, word(*value));
  for (const std::string_view name : telling)
    if (const auto said = record::word_of(record::find(point.classic, name)); !said.empty())
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, said);
  if (point.groups > 1) text += fmt::format("{}{} groups", text.empty() ? "" : " ", point.groups);
  if (const auto threads = threads_words(point); !threads.empty())
    text += (text.empty() ? "" : " ") + threads;
  return text;
}

/// Entry of the point's metric among those of its benchmark, one a metric.
Benchmark& of_metric(std::vector<Benchmark>& metrics, const PointRecord& point) {
  const auto fits = [&](const Benchmark& one) {
    return one.metric.empty() || point.primary.empty() || one.metric == point.primary;
  };
  auto found = std::ranges::find_if(metrics, fits);
  if (found == metrics.end()) found = metrics.insert(found, {point.suite, point.benchmark, {}, {}});
  if (found->metric.empty()) found->metric = point.primary;
  return *found;
}

// Points that are alike but for what stands in their rows.

/// Whether a report needs nothing of a point but its row, and what it has alike with others of its benchmark.
bool is_of_curve(const PointRecord& point) {
  const bool fine = point.status == record::Status::ok && point.verified != false && !point.reason;
  if (!fine || !record::is_of_imb(point) || !point.imported.empty() || record::is_imported(point) ||
      has_flag(point, balance::not_representative_flag) || balance::gives_merit(point) || is_compared(point))
    return false;
  const auto is_told = [&](std::string_view name) { return record::find(point.classic, name) != nullptr; };
  const bool has_clock = point.schedule && point.schedule->clock_error_s;
  return !has_clock && std::ranges::none_of(telling, is_told) &&
         analysis::half_width(point).value_or(0) <= analysis::wide_half_width;
}

/// Whether a parameter is read of a point beside its row.
bool is_kept(const std::pair<const std::string, record::Value>& parameter) {
  return parameter.first == "taking_part" || !record::is_told_elsewhere(parameter.first);
}

/// Kind of the primary metric and what its times are of.
bool has_metric(const PointRecord& kept, const PointRecord& point) {
  const auto* metric = record::metric(point, point.primary);
  if (metric == nullptr || kept.metrics.empty()) return metric == nullptr && kept.metrics.empty();
  const auto& other = kept.metrics.front().second;
  const auto* held = std::get_if<Statistics>(metric);
  return other.index() == metric->index() &&
         (held == nullptr || std::get<Statistics>(other).over_ranks == held->over_ranks);
}

void keep_metric(PointRecord& kept, const PointRecord& point) {
  const auto* metric = record::metric(point, point.primary);
  if (metric == nullptr) return;
  auto& without_numbers = kept.metrics.emplace_back(point.primary, nullptr).second;
  if (std::holds_alternative<double>(*metric)) without_numbers = 0.0;
  if (const auto* held = std::get_if<Statistics>(metric))
    without_numbers.emplace<Statistics>().over_ranks = held->over_ranks;
}

bool has_timing(const PointRecord& kept, const PointRecord& point) {
  if (!kept.schedule || !point.schedule) return kept.schedule.has_value() == point.schedule.has_value();
  return kept.schedule->rule == point.schedule->rule && kept.schedule->sync == point.schedule->sync &&
         kept.schedule->timing == point.schedule->timing;
}

void keep_timing(PointRecord& kept, const PointRecord& point) {
  if (!point.schedule) return;
  kept.schedule.emplace().rule = point.schedule->rule;
  kept.schedule->sync = point.schedule->sync;
  kept.schedule->timing = point.schedule->timing;
}

/// What points of a curve have alike, as a point.
PointRecord without_row(const PointRecord& point) {
  PointRecord kept;
  kept.suite = point.suite;
  kept.benchmark = point.benchmark;
  kept.verified = point.verified;
  kept.processes = point.processes;
  kept.threads = point.threads;
  kept.groups = point.groups;
  kept.primary = point.primary;
  kept.flags = point.flags;
  keep_metric(kept, point);
  keep_timing(kept, point);
  std::ranges::copy_if(point.params, std::inserter(kept.params, kept.params.end()), is_kept);
  return kept;
}

bool is_alike(const PointRecord& kept, const PointRecord& point) {
  return kept.processes == point.processes && kept.benchmark == point.benchmark &&
         kept.suite == point.suite && kept.verified == point.verified && kept.threads == point.threads &&
         kept.groups == point.groups && kept.primary == point.primary && kept.flags == point.flags &&
         has_metric(kept, point) && has_timing(kept, point) &&
         std::ranges::equal(kept.params, point.params | std::views::filter(is_kept));
}

}  // namespace

std::string threads_words(const PointRecord& point) {
  return point.threads > 1 ? fmt::format("{} threads", point.threads) : "";
}

std::string word(const record::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* list = std::get_if<std::vector<double>>(&value))
    return fmt::format("{}", fmt::join(*list, " "));
  return {};
}

std::string sentence_of(const std::string& flag) {
  if (const auto known = record::flag_text(flag); !known.empty()) return std::string(known);
  std::string words = flag;
  std::ranges::replace(words, '_', ' ');
  return words;
}

Rows::Rows(const std::vector<record::Run>& runs) {
  for (const record::Run& run : runs) {
    begin_run();
    for (std::size_t i = 0; i < run.points.size(); ++i)
      add(i < run.envelopes.size() ? &run.envelopes[i] : nullptr, run.points[i]);
    end_run();
  }
  name_variants();
}

bool Rows::take(const record::Envelope& envelope, const PointRecord& point) {
  if (runs_.empty()) begin_run();
  const auto* const last = rows_.empty() ? nullptr : rows_.back().point;
  Row& row = add(&envelope, point);
  const bool of_curve = is_of_curve(point), as_last = of_curve && last != nullptr && is_alike(*last, point);
  row.point = as_last ? last : of_curve ? &alike(point) : nullptr;
  row.key = of_curve ? keeper_.text(point.key) : std::string_view();
  row.states = keeper_.list(std::span(point.states));
  return of_curve;
}

void Rows::end(const record::Run& run) {
  if (runs_.empty()) begin_run();
  auto next = run.points.begin();
  for (Row& row : rows_) {
    if (row.point != nullptr) continue;
    row.point = &*next++;
    row.key = row.point->key;
  }
  end_run();
  name_variants();
}

Rows::OfRun Rows::of_run(std::size_t run) const {
  const auto at = [this](std::size_t row) { return rows_.begin() + static_cast<std::ptrdiff_t>(row); };
  return {at(runs_[run].begin), at(runs_[run].end)};
}

void Rows::begin_run() {
  runs_.emplace_back().begin = rows_.size();
}

void Rows::end_run() {
  runs_.back().end = rows_.size();
  runs_.back().states.end();
}

Row& Rows::add(const record::Envelope* envelope, const PointRecord& point) {
  Row& row = rows_.emplace_back();
  row.point = &point;
  row.run = runs_.size() - 1;
  row.key = point.key;
  take_primary(row, point);
  take_others(row, point);
  row.states = point.states;
  if (envelope != nullptr) row.session = envelope->session, row.at_s = envelope->at_s;
  runs_.back().visits.add(point);
  runs_.back().states.add(point);
  take_spread(point);
  return row;
}

void Rows::take_spread(const PointRecord& point) {
  constexpr std::size_t fewest_batches = 8;
  const Statistics* times = record::statistics(point, "time_s");
  if (times == nullptr || times->batches.size() < fewest_batches || !times->p25 || !times->p75 ||
      !(times->median.value_or(0) > 0))
    return;
  const double factor = (*times->p75 - *times->p25) / *times->median;
  const auto [place, is_new] = spreads_.try_emplace(name_of(point));
  if (is_new || factor > place->second.factor)
    place->second = {factor, rows_.size() - 1, times->median, times->batches};
}

const PointRecord& Rows::alike(const PointRecord& point) {
  constexpr std::ptrdiff_t looked_at = 8;  // flags differ from size to size; more processes come later
  auto& known = alike_of_[name_of(point)];
  const auto recent = known | std::views::reverse | std::views::take(looked_at);
  const auto found = std::ranges::find_if(recent, [&](const auto* one) { return is_alike(*one, point); });
  if (found != recent.end()) return **found;
  return *known.emplace_back(&alike_.emplace_back(without_row(point)));
}

void Rows::name_variants() {
  const Varying names = varying(rows_);
  const Row* last = nullptr;
  for (Row& row : rows_) {
    const bool same = last != nullptr && last->point == row.point;
    row.variant = same ? last->variant : keeper_.word(variant(*row.point, names));
    last = &row;
  }
}

std::vector<Benchmark> benchmarks(const std::deque<Row>& rows) {
  std::vector<std::vector<Benchmark>> by_name;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;
  const PointRecord* last = nullptr;
  Benchmark* benchmark = nullptr;  // of that point
  for (const Row& row : rows) {
    const auto& point = *row.point;
    if (std::exchange(last, &point) != &point) {
      const auto [place, added] = places.try_emplace({point.suite, point.benchmark}, by_name.size());
      if (added) by_name.emplace_back();
      benchmark = &of_metric(by_name[place->second], point);
    }
    benchmark->rows.push_back(&row);
  }
  std::vector<Benchmark> list;
  for (auto& metrics : by_name) {
    for (Benchmark& one : metrics) one.only = metrics.size() == 1;
    std::ranges::move(metrics, std::back_inserter(list));
  }
  return list;
}

Scale scale_of(std::string_view base_unit, double largest) {
  if (base_unit == "s") {
    if (largest < 1e-2) return {1e6, "us"};
    return largest < 1 ? Scale{1e3, "ms"} : Scale{1, "s"};
  }
  const std::string plain = base_unit == "byte/s" ? "B/s" : std::string(base_unit);
  if (!base_unit.ends_with("/s")) return {1, plain};
  constexpr std::pair<double, const char*> prefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [size, prefix] : prefixes)
    if (largest >= size) return {1 / size, prefix + plain};
  return {1, plain};
}

std::vector<std::size_t> evenly(std::size_t size, std::size_t count) {
  const std::size_t kept = std::min(size, count);
  std::vector<std::size_t> list(kept);
  std::iota(list.begin(), list.end(), std::size_t{0});
  if (kept == size || kept < 2) return list;
  for (std::size_t& i : list) i = i * (size - 1) / (kept - 1);
  return list;
}

std::vector<std::size_t> evenly(const std::vector<bool>& matters, std::size_t count) {
  std::array<std::vector<std::size_t>, 2> parts;  // what matters, others
  for (std::size_t i = 0; i < matters.size(); ++i) parts[matters[i] ? 0 : 1].push_back(i);
  std::vector<std::size_t> list;
  for (const auto& part : parts)
    for (const std::size_t i : evenly(part.size(), count - list.size())) list.push_back(part[i]);
  std::ranges::sort(list);
  return list;
}

constexpr std::size_t longest_value = 300;

std::string text_of(const Json& json) {
  if (json.is_null()) return {};
  std::string text = json.is_string() ? json.get<std::string>() : json.dump();
  if (json.is_array() && std::ranges::all_of(json, [](const Json& one) { return one.is_primitive(); })) {
    text.clear();
    for (const Json& one : json) text += (text.empty() ? "" : " ") + text_of(one);
  }
  if (text.size() > longest_value) text = record::valid_utf8(text.substr(0, longest_value)) + " ...";
  return text;
}

std::string at(const record::Document& document, const char* pointer) {
  const Json* found = document.json().at_pointer(pointer);
  return found ? text_of(*found) : std::string();
}

}  // namespace steelyard::report
