// SPDX-License-Identifier: Apache-2.0
#include "analysis/beff_run.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "analysis/warnings.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "stats/order.hpp"
#include "suites/beff/patterns.hpp"
#include "suites/beff/record.hpp"

namespace steelyard::analysis {
namespace {

using Value = std::optional<double>;

Value larger(Value a, Value b) {
  return !a || (b && *b > *a) ? b : a;
}

/// Arithmetic mean over lengths; absent if one length has no value.
template <class ValueAt>
Value mean_over_lengths(std::size_t lengths, ValueAt value_at) {
  double sum = 0;
  for (std::size_t k = 0; k < lengths; ++k) {
    const Value value = value_at(k);
    if (!value) return std::nullopt;
    sum += *value;
  }
  return sum / static_cast<double>(lengths);
}

template <class ValueOf>
EffectiveBandwidth::Averaged averaged(const BandwidthCube& cube, ValueOf value_of) {
  EffectiveBandwidth::Averaged result;
  for (std::size_t p = 0; p < cube.patterns().size(); ++p) result.patterns.push_back(value_of(p));
  result.sets = average_sets(cube, result.patterns);
  return result;
}

EffectiveBandwidth::Averaged best_of(const BandwidthCube& cube,
                                     const std::vector<EffectiveBandwidth::Averaged>& columns) {
  return averaged(cube, [&](std::size_t p) {
    Value best;
    for (const auto& column : columns) best = larger(best, column.patterns[p]);
    return best;
  });
}

Value geometric_mean_of(const BandwidthCube& cube, const EffectiveBandwidth::Column& values,
                        PatternRole role) {
  std::vector<double> chosen;
  for (std::size_t p = 0; p < values.size(); ++p) {
    if (cube.patterns()[p].role != role) continue;
    if (!values[p] || *values[p] <= 0) return std::nullopt;
    chosen.push_back(*values[p]);
  }
  if (chosen.empty()) return std::nullopt;
  return stats::geometric_mean(chosen);
}

Value divide(double numerator, Value denominator) {
  if (!denominator || *denominator <= 0) return std::nullopt;
  return numerator / *denominator;
}

using record::find;
using record::PointRecord;
using Points = std::span<const PointRecord* const>;

const record::Value& needed(const PointRecord& point, std::string_view name) {
  const auto* value = member(point, name);
  if (value == nullptr) throw std::invalid_argument(point.key + " has no " + std::string(name));
  return *value;
}

/// A number that a pattern needs, as an int.
int small(const PointRecord& point, std::optional<std::int64_t> value) {
  if (!value) throw std::invalid_argument(point.key + " does not tell its pattern");
  if (!std::in_range<int>(*value))
    throw std::invalid_argument(point.key + ": " + std::to_string(*value) + " is too large");
  return static_cast<int>(*value);
}

int pattern_of(const PointRecord& point) {
  return small(point, record::whole(record::number(needed(point, "pattern"))));
}

std::string needed_text(const PointRecord& point, std::string_view name) {
  const auto* text = std::get_if<std::string>(&needed(point, name));
  if (text == nullptr) throw std::invalid_argument(point.key + ": " + std::string(name) + " is not text");
  return *text;
}

PatternRole role(const std::string& set) {
  if (set == "ring") return PatternRole::ring;
  return set == "random" ? PatternRole::random : PatternRole::additional;
}

constexpr double most_repetitions = 1e6;

/// Role of a pattern without any result, told by its number and its parameters.
PatternRole role_of_unmeasured(int number, const PointRecord& point) {
  if (number < beff::ring_pattern_count) return PatternRole::ring;
  return find(point.params, "seed") != nullptr ? PatternRole::random : PatternRole::additional;
}

/// Whether the shortened last two lengths leave the point out: its own rule, not the planner,
/// left no time for it.
bool left_out_by_rule(const PointRecord& point) {
  const bool never_run = point.status == record::Status::skipped && point.schedule.has_value() &&
                         point.schedule->rule == "time_driven" && point.reason &&
                         point.reason->code == record::ReasonCode::time;
  return never_run || (point.status == record::Status::ok && !beff::has_figures(point));
}

std::vector<const PointRecord*> of_suite(std::span<const PointRecord> points) {
  std::vector<const PointRecord*> chosen;
  for (const auto& point : points)
    if (point.suite == "b-eff" && find(point.params, "pattern") != nullptr) chosen.push_back(&point);
  if (chosen.empty()) throw std::invalid_argument("no points of b-eff");
  return chosen;
}

Bytes length_of(const PointRecord& point) {
  return Bytes{record::whole(record::number(needed(point, "message_byte")))};
}

template <class T>
std::size_t position(const std::vector<T>& sorted, const T& value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, value) - sorted.begin());
}

int method_of(const PointRecord& point, const std::vector<std::string>& methods) {
  const auto name = needed_text(point, "method");
  const auto found = std::ranges::find(methods, name);
  if (found == methods.end()) throw std::invalid_argument(point.key + ": no method " + name);
  return static_cast<int>(found - methods.begin());
}

double warmup_of_a_loop(const PointRecord& point, std::size_t loops) {
  if (!point.schedule || !point.schedule->warmup_ops) return 0;
  return static_cast<double>(*point.schedule->warmup_ops) / static_cast<double>(loops);
}

using record::Json;

std::optional<std::int64_t> whole(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

std::size_t count(const BeffRun& run, PatternRole role) {
  return static_cast<std::size_t>(std::ranges::count(run.cube().patterns(), role, &PatternRow::role));
}

void expect(std::vector<std::string>& list, std::size_t found, std::size_t wanted, const char* what) {
  if (found != wanted)
    list.push_back(std::to_string(found) + " of " + std::to_string(wanted) + " " + what + " in the records");
}

/// Reasons why the value is not official: those of the configuration, and what the records lack. The wanted
/// number of polygons and repetitions is told by the configuration.
std::vector<std::string> reasons(const BeffRun& run, const BeffFrame& frame) {
  auto list = frame.not_official_because;
  expect(list, run.cube().lengths().size(), beff_length_count, "message lengths");
  expect(list, count(run, PatternRole::ring), std::size_t{beff::ring_pattern_count}, "ring patterns");
  if (frame.polygons)
    expect(list, count(run, PatternRole::random), static_cast<std::size_t>(*frame.polygons),
           "random polygons");
  if (frame.repetitions)
    expect(list, static_cast<std::size_t>(run.cube().repetitions()),
           static_cast<std::size_t>(*frame.repetitions), "repetitions");
  if (!run.result().b_eff()) list.emplace_back("some rings or polygons were not measured");
  if (run.missing() > 0) list.push_back(std::to_string(run.missing()) + " loops failed or were skipped");
  if (run.partial() > 0)
    list.push_back(std::to_string(run.partial()) + " loops ended before their rule was satisfied");
  if (run.verified() == false) list.emplace_back("a message check failed");
  if (run.crowded()) list.emplace_back(crowded_words);
  return list;
}

}  // namespace

BandwidthCube::BandwidthCube(int processes, std::vector<PatternRow> patterns, std::vector<Bytes> lengths,
                             int repetitions, int methods)
    : processes_(processes),
      patterns_(std::move(patterns)),
      lengths_(std::move(lengths)),
      repetitions_(repetitions),
      methods_(methods),
      values_(patterns_.size() * lengths_.size() * static_cast<std::size_t>(repetitions * methods)) {}

std::size_t BandwidthCube::index(int repetition, std::size_t pattern, std::size_t length, int method) const {
  const auto r = static_cast<std::size_t>(repetition);
  const auto m = static_cast<std::size_t>(method);
  return ((r * patterns_.size() + pattern) * lengths_.size() + length) * static_cast<std::size_t>(methods_) +
         m;
}

Value BandwidthCube::best_repetition(std::size_t pattern, std::size_t length, int method) const {
  Value best;
  for (int r = 0; r < repetitions_; ++r) best = larger(best, at(r, pattern, length, method));
  return best;
}

Value BandwidthCube::best_method(std::size_t pattern, std::size_t length, int repetition) const {
  Value best;
  for (int m = 0; m < methods_; ++m) best = larger(best, at(repetition, pattern, length, m));
  return best;
}

Value BandwidthCube::best(std::size_t pattern, std::size_t length) const {
  Value best;
  for (int m = 0; m < methods_; ++m) best = larger(best, best_repetition(pattern, length, m));
  return best;
}

SetAverages average_sets(const BandwidthCube& cube, const EffectiveBandwidth::Column& values) {
  SetAverages sets;
  sets.rings = geometric_mean_of(cube, values, PatternRole::ring);
  sets.random = geometric_mean_of(cube, values, PatternRole::random);
  if (sets.rings && sets.random) {
    const double both[] = {*sets.rings, *sets.random};
    sets.both = stats::geometric_mean(both);
  }
  return sets;
}

EffectiveBandwidth effective_bandwidth(const BandwidthCube& cube) {
  EffectiveBandwidth result;
  const std::size_t lengths = cube.lengths().size();
  result.official = averaged(cube, [&](std::size_t p) {
    return mean_over_lengths(lengths, [&](std::size_t k) { return cube.best(p, k); });
  });
  for (int m = 0; m < cube.methods(); ++m) {
    result.each_method.push_back(averaged(cube, [&](std::size_t p) {
      return mean_over_lengths(lengths, [&](std::size_t k) { return cube.best_repetition(p, k, m); });
    }));
    auto& by_length = result.each_method_length.emplace_back();
    for (std::size_t k = 0; k < lengths; ++k)
      by_length.push_back(averaged(cube, [&](std::size_t p) { return cube.best_repetition(p, k, m); }));
  }
  for (int r = 0; r < cube.repetitions(); ++r)
    result.each_repetition.push_back(averaged(cube, [&](std::size_t p) {
      return mean_over_lengths(lengths, [&](std::size_t k) { return cube.best_method(p, k, r); });
    }));
  for (std::size_t k = 0; k < lengths; ++k)
    result.each_length.push_back(averaged(cube, [&](std::size_t p) { return cube.best(p, k); }));
  result.by_method = best_of(cube, result.each_method);
  result.by_repetition = best_of(cube, result.each_repetition);
  return result;
}

DerivedValues derived_values(const BandwidthCube& cube, const EffectiveBandwidth& result,
                             std::optional<std::size_t> pingpong) {
  DerivedValues values;
  const double p = cube.processes();
  const double shortest = static_cast<double>(cube.lengths().front().count());
  values.latency_s = divide(p * shortest, result.each_length.front().sets.both);
  values.ring_latency_s = divide(p * shortest, result.each_length.front().sets.rings);
  values.at_longest_byte_s = result.each_length.back().sets.both;
  values.rings_at_longest_byte_s = result.each_length.back().sets.rings;
  if (!pingpong) return values;
  const auto& pair = cube.patterns().at(*pingpong);
  const double per_slot = pair.messages / pair.slots;
  values.pingpong_latency_s = divide(per_slot * shortest, cube.best_repetition(*pingpong, 0, 0));
  values.pingpong_bandwidth_byte_s = cube.best_repetition(*pingpong, cube.lengths().size() - 1, 0);
  return values;
}

Seconds memory_communication_time(Bytes total_memory, Rate b_eff) {
  return Seconds{static_cast<double>(total_memory.count()) / b_eff.value()};
}

double balance_factor(Rate b_eff, double rmax_flop_s) {
  return b_eff.value() / rmax_flop_s;
}

BeffRun::BeffRun(std::span<const PointRecord> points) {
  const auto chosen = of_suite(points);
  points_ = chosen.size();
  read_axes(chosen);
  read_values(chosen);
  read_status(chosen);
  result_ = effective_bandwidth(*cube_);
  derived_ = derived_values(*cube_, result_, pingpong_);
  if (!complete())
    derived_.at_longest_byte_s = derived_.rings_at_longest_byte_s = derived_.pingpong_bandwidth_byte_s =
        std::nullopt;
}

void BeffRun::read_axes(Points points) {
  std::map<int, const PointRecord*> patterns;
  std::set<Bytes> lengths;
  processes_ = points.front()->processes;
  for (const auto* point : points) {
    if (processes_ != point->processes)
      throw std::invalid_argument("points of b-eff with different numbers of processes");
    lengths.insert(length_of(*point));
    const auto [pattern, first] = patterns.emplace(pattern_of(*point), point);
    if (!beff::has_figures(*pattern->second)) pattern->second = point;
    for (const double r : beff::figures_of(*point).repetition) {
      if (r < 1 || r > most_repetitions)
        throw std::invalid_argument(point->key + ": repetitions are counted from 1, and at most a million");
      repetitions_ = std::max(repetitions_, static_cast<int>(record::whole(r)));
    }
  }
  lengths_.assign(lengths.begin(), lengths.end());
  for (const auto& [number, point] : patterns) read_pattern(number, *point);
}

void BeffRun::read_pattern(int number, const PointRecord& point) {
  numbers_.push_back(number);
  if (!beff::has_figures(point)) {
    used_.push_back(0);
    patterns_.push_back({.name = "not measured", .role = role_of_unmeasured(number, point)});
    return;
  }
  const auto figures = beff::figures_of(point);
  if (figures.pattern_name.empty() || figures.set.empty() || !figures.messages)
    throw std::invalid_argument(point.key + " does not tell its pattern");
  if (figures.pattern_name == "one PingPong Pair") pingpong_ = patterns_.size();
  used_.push_back(small(point, figures.used));
  patterns_.push_back({figures.pattern_name, role(figures.set), small(point, figures.slots),
                       static_cast<double>(*figures.messages)});
}

std::size_t BeffRun::index(int repetition, std::size_t pattern, std::size_t length, int method) const {
  const auto r = static_cast<std::size_t>(repetition);
  return ((r * patterns_.size() + pattern) * lengths_.size() + length) * methods_.size() +
         static_cast<std::size_t>(method);
}

void BeffRun::read_values(Points points) {
  cube_.emplace(processes_, patterns_, lengths_, repetitions_, static_cast<int>(methods_.size()));
  loops_.resize(static_cast<std::size_t>(repetitions_) * patterns_.size() * lengths_.size() *
                methods_.size());
  for (const auto* point : points)
    if (beff::has_figures(*point)) read_loops(*point);
}

void BeffRun::read_loops(const PointRecord& point) {
  const auto p = position(numbers_, pattern_of(point));
  const auto k = position(lengths_, length_of(point));
  const int m = method_of(point, methods_);
  const auto figures = beff::figures_of(point);
  const auto& [low, mean, high] = std::tie(figures.min_byte_s, figures.avg_byte_s, figures.max_byte_s);
  const auto size = figures.repetition.size();
  for (const auto* list : {&low, &mean, &high, &figures.looplength, &figures.repeats_s})
    if (list->size() != size)
      throw std::invalid_argument(point.key + ": not every repetition has all of its figures");
  const double warmup = warmup_of_a_loop(point, size);
  for (std::size_t i = 0; i < size; ++i) {
    const int r = static_cast<int>(figures.repetition[i]) - 1;
    loops_.at(index(r, p, k, m)) =
        BeffLoop{low[i], mean[i], high[i], figures.looplength[i], warmup, figures.repeats_s[i]};
    cube_->set(r, p, k, m, low[i] * patterns_[p].messages / patterns_[p].slots);
  }
}

void BeffRun::read_status(Points points) {
  bool checked = true;
  bool right = true;
  for (const auto* point : points) {
    missing_ += record::measured(*point) || left_out_by_rule(*point) ? 0u : 1u;
    partial_ += point->status == record::Status::partial ? 1u : 0u;
    left_out_ += left_out_by_rule(*point) ? 1u : 0u;
    checked = checked && (!beff::has_figures(*point) || point->verified.has_value());
    right = right && point->verified.value_or(true);
    crowded_ = crowded_ || is_crowded(*point);
  }
  if (!right)
    verified_ = false;
  else if (checked &&
           std::ranges::any_of(points, [](const auto* point) { return beff::has_figures(*point); }))
    verified_ = true;
}

int BeffRun::methods_measured(int repetition, std::size_t pattern, std::size_t length) const {
  int count = 0;
  for (int m = 0; m < cube_->methods(); ++m) count += cube_->at(repetition, pattern, length, m) ? 1 : 0;
  return count;
}

bool BeffRun::shortened(int repetition) const {
  if (!complete()) return false;
  bool several = false;
  for (std::size_t p = 0; p < patterns_.size(); ++p) {
    if (methods_measured(repetition, p, lengths_.size() - 3) < 2) continue;
    several = true;
    if (methods_measured(repetition, p, lengths_.size() - 2) != 1) return false;
  }
  return several;
}

bool BeffRun::shortened() const {
  for (int r = 0; r < repetitions_; ++r)
    if (shortened(r)) return true;
  return false;
}

bool BeffRun::has_loops(int repetition, std::size_t length) const {
  for (std::size_t p = 0; p < patterns_.size(); ++p)
    if (methods_measured(repetition, p, length) > 0) return true;
  return false;
}

bool BeffRun::lacks_longest_in_a_repetition() const {
  if (!complete()) return false;
  for (int r = 0; r < repetitions_; ++r)
    if (has_loops(r, lengths_.size() - 2) && !has_loops(r, lengths_.size() - 1)) return true;
  return false;
}

BeffFrame beff_frame(const record::RunRecord& run) {
  BeffFrame frame;
  const Json& config = run.config.json();
  if (!config.is_object() || !config.contains("b-eff")) return frame;
  const Json& own = config["b-eff"];
  frame.memory_per_process_byte = whole(own, "memory_per_process_byte");
  frame.longest_byte = whole(own, "longest_byte");
  frame.seed = whole(own, "seed");
  frame.polygons = whole(own, "polygons");
  frame.repetitions = whole(own, "repetitions");
  frame.mark = record::text_in(own, "mark");
  frame.not_official_because = lines(record::text_in(own, "not_official_because"));
  frame.rmax_flop_s = record::number_in(own, "rmax_flop_s");
  return frame;
}

record::SummaryRecord beff_summary(const BeffRun& run, const BeffFrame& frame) {
  record::SummaryRecord summary;
  summary.name = "b_eff";
  summary.suite = "b-eff";
  summary.processes = run.cube().processes();
  if (frame.longest_byte) summary.params["lmax_byte"] = *frame.longest_byte;
  if (frame.memory_per_process_byte)
    summary.params["memory_per_process_byte"] = *frame.memory_per_process_byte;
  if (frame.seed) summary.params["seed"] = *frame.seed;
  const auto b_eff = run.b_eff();
  const auto& derived = run.derived();
  put(summary, "b_eff_byte_s", b_eff);
  put(summary, "b_eff_per_process_byte_s", b_eff ? std::optional(*b_eff / summary.processes) : std::nullopt);
  put(summary, "b_eff_at_lmax_byte_s", derived.at_longest_byte_s);
  put(summary, "b_eff_rings_at_lmax_byte_s", derived.rings_at_longest_byte_s);
  put(summary, "latency_s", derived.latency_s);
  put(summary, "ring_latency_s", derived.ring_latency_s);
  put(summary, "pingpong_latency_s", derived.pingpong_latency_s);
  put(summary, "pingpong_bandwidth_byte_s", derived.pingpong_bandwidth_byte_s);
  if (frame.memory_per_process_byte && b_eff)
    put(summary, "memory_communication_time_s",
        memory_communication_time(summary.processes * Bytes{*frame.memory_per_process_byte}, Rate{*b_eff})
            .value());
  if (frame.rmax_flop_s && b_eff)
    put(summary, "balance_factor", balance_factor(Rate{*b_eff}, *frame.rmax_flop_s));
  summary.classic.emplace_back("shortened", run.shortened());
  summary.verified = run.verified();
  summary.not_official_because = reasons(run, frame);
  summary.official = summary.not_official_because.empty();
  summary.inputs_select = "b-eff/*";
  summary.inputs_used = static_cast<std::int64_t>(run.points() - run.missing() - run.left_out());
  summary.inputs_missing = static_cast<std::int64_t>(run.missing());
  return summary;
}

}  // namespace steelyard::analysis
