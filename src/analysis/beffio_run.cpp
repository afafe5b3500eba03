// SPDX-License-Identifier: Apache-2.0
#include "analysis/beffio_run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "analysis/warnings.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/beffio/patterns.hpp"
#include "units/text.hpp"

namespace steelyard::analysis {

namespace {

using record::Json;
using record::PointRecord;

std::size_t access_of(const PointRecord& point) {
  const auto word = word_in(point, "access");
  const auto found = std::ranges::find(beffio_accesses, word);
  if (found == beffio_accesses.end())
    throw std::invalid_argument(point.key + ": no access method '" + word + "'");
  return static_cast<std::size_t>(found - beffio_accesses.begin());
}

using Kind = BeffioCriterion::Kind;

constexpr double least_partition_s = 900, least_total_s = 1800, caches = 20, least_write_s = 300;
constexpr std::size_t least_partitions = 3;

// Several partitions may share the time where the others' data pass through the caches between the accesses to
// one: not where a partition is written, rewritten and read before the next.
BeffioCriterion time(const BeffioFrame& frame, std::size_t partitions) {
  const double each_s = partitions == 0 ? 0 : frame.scheduled_s / static_cast<double>(partitions);
  if (each_s >= least_partition_s) return {Kind::time, true, true, each_s, least_partition_s};
  const bool by_access = frame.order == "access";
  const bool several = by_access && partitions >= least_partitions && frame.scheduled_s >= least_total_s;
  return {Kind::time, several, true, several ? frame.scheduled_s : each_s,
          several ? least_total_s : least_partition_s};
}

BeffioCriterion cache(const BeffioPartition& partition, const BeffioFrame& frame) {
  BeffioCriterion result{Kind::cache, false, false, std::nullopt, caches};
  auto bytes = partition.cache_byte();
  if (frame.cache_byte) bytes = static_cast<double>(*frame.cache_byte);
  const auto volume = partition.least_volume_byte();
  if (!bytes || !volume || !(*bytes > 0)) return result;
  result.actual = *volume / *bytes;
  result.reached = *result.actual >= caches;
  return result;
}

BeffioCriterion volume(const BeffioPartition& partition) {
  BeffioCriterion result{Kind::volume, false, false, partition.least_volume_byte(), std::nullopt};
  const auto write = partition.access_value(beffio_write);
  if (!write || !result.actual) return result;
  result.required = *write * least_write_s;
  result.reached = *result.actual >= *result.required;
  return result;
}

std::string sentence(const BeffioCriterion& criterion) {
  switch (criterion.kind) {
    case Kind::time:
      return "scheduled for less than 15 min a partition, or 30 min for at least 3 partitions in the "
             "order of access methods";
    case Kind::shared: return "type 1 without shared file pointers";
    case Kind::errors: return "data were wrong";
    case Kind::space: return "cut by a lack of disk space or by a limit of the volume";
    case Kind::complete: return "some patterns were not measured";
    case Kind::cache:
    case Kind::volume: break;
  }
  return {};
}

template <class ValueOf>
std::vector<double> each(const BeffioRun& run, ValueOf value_of) {
  std::vector<double> values;
  for (const auto& partition : run.partitions()) values.push_back(value_of(partition));
  return values;
}

std::size_t partitions_of(const BeffioRun& run, const BeffioFrame& frame) {
  return frame.partitions.value_or(run.partitions().size());
}

void describe_partitions(const BeffioRun& run, const BeffioFrame& frame, record::Members& classic) {
  const auto count = partitions_of(run, frame);
  classic.emplace_back("partitions",
                       each(run, [](const auto& p) { return static_cast<double>(p.processes()); }));
  classic.emplace_back("value_byte_s",
                       each(run, [&](const auto& p) { return beffio_value(p, frame.formula).value_or(0); }));
  classic.emplace_back("published_byte_s",
                       each(run, [](const auto& p) { return p.published_value().value_or(0); }));
  classic.emplace_back("release2_byte_s",
                       each(run, [](const auto& p) { return p.release2_value().value_or(0); }));
  for (std::size_t a = 0; a < beffio_access_count; ++a)
    classic.emplace_back(std::string(beffio_accesses[a]) + "_byte_s",
                         each(run, [a](const auto& p) { return p.access_value(a).value_or(0); }));
  const auto random = [](const auto& p) { return p.has_random(); };
  for (std::size_t a = 0; a < beffio_access_count && std::ranges::any_of(run.partitions(), random); ++a)
    classic.emplace_back("random_" + std::string(beffio_accesses[a]) + "_byte_s",
                         each(run, [a](const auto& p) {
                           const auto found = p.random(a);
                           return found ? found->byte_s() : 0.0;
                         }));
  classic.emplace_back(
      "valid", each(run, [&](const auto& p) { return valid(beffio_criteria(p, frame, count)) ? 1.0 : 0.0; }));
  classic.emplace_back("formula", frame.formula);
  classic.emplace_back("scheduled_s", frame.scheduled_s);
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

std::vector<std::string> reasons(const BeffioRun& run, const BeffioFrame& frame,
                                 const BeffioPartition* best) {
  auto list = frame.not_official_because;
  if (best != nullptr)
    for (const auto& criterion : beffio_criteria(*best, frame, partitions_of(run, frame)))
      if (criterion.decides && !criterion.reached) add_once(list, sentence(criterion));
  if (best == nullptr) add_once(list, "no partition was measured completely");
  if (run.missing() > 0) add_once(list, std::to_string(run.missing()) + " patterns failed or were skipped");
  if (run.partial() > 0) add_once(list, std::to_string(run.partial()) + " patterns were stopped");
  if (run.verified() == false) add_once(list, "data were wrong");
  if (run.crowded()) add_once(list, std::string(crowded_words));
  return list;
}

using beffio::PatternFigures;

std::optional<double> sum(const BeffioTypeValues& types) {
  double total = 0;
  for (const auto& value : types) {
    if (!value) return std::nullopt;
    total += *value;
  }
  return total;
}

/// Mean of bandwidths, weighted by units of time.
class Weighted {
 public:
  void add(const PatternFigures& pattern) {
    sum_ += pattern.units * pattern.byte_s();
    units_ += pattern.units;
  }
  [[nodiscard]] std::optional<double> mean() const {
    return units_ > 0 ? std::optional(sum_ / units_) : std::nullopt;
  }

 private:
  double sum_ = 0, units_ = 0;
};

using Patterns = std::span<const std::optional<PatternFigures>>;

const PatternFigures* in_row(Patterns patterns, int position) {
  for (const auto& pattern : patterns)
    if (pattern && pattern->position == position) return &*pattern;
  return nullptr;
}

/// Sum over the patterns; nullopt unless all of them and the times of opening and closing are there.
std::optional<BeffioType> whole_type(Patterns patterns) {
  const auto &first = patterns.front(), &last = patterns.back();
  if (!first || !last || !first->open_s || !last->close_s) return std::nullopt;
  BeffioType result;
  result.open_s = *first->open_s;
  result.close_s = *last->close_s;
  result.segment_byte = first->segment_byte;
  Weighted weighted;
  for (const auto& pattern : patterns) {
    if (!pattern) return std::nullopt;
    result.moved_byte += pattern->moved_byte;
    result.pattern_s += pattern->time_s;
    weighted.add(*pattern);
  }
  result.weighted_byte_s = weighted.mean().value_or(0);
  return result;
}

template <class All>
Patterns of_type(const All& all, std::size_t type) {
  const auto span = beffio::patterns_of(beffio::pattern_types[type]);
  return Patterns(all).subspan(span.first, span.count);
}

using beffio::Pattern, beffio::PatternTable;

/// Pattern of the number that the point bears; nullptr if there is none.
const Pattern* pattern_of(const record::PointRecord& point, const PatternTable& table) {
  const auto number = record::whole_of(record::find(point.params, "pattern"));
  const bool known = number && *number >= 0 && *number < std::ssize(table);
  return known ? &table[static_cast<std::size_t>(*number)] : nullptr;
}

/// 1048584 -> "1 MiB + 8".
std::string words_of(double bytes) {
  constexpr std::int64_t kib = 1024, more = beffio::element_byte;
  const auto whole = static_cast<std::int64_t>(bytes);
  if (whole > kib && whole % kib == more) return units::format_size(Bytes{whole - more}) + " + 8";
  return units::format_size(Bytes{whole});
}

/// Size of a call, which texts of other programs leave out.
double memory_of(const BeffioChunk& one, const Pattern& pattern) {
  const double usual =
      pattern.memory == pattern.disk ? one.chunk_byte : static_cast<double>(pattern.memory.count());
  return record::number_in(*one.point, "memory_byte").value_or(usual);
}

/// Gives each position of a type a name of its own.
void name_them(std::vector<BeffioChunk>& list, const PatternTable& table) {
  std::map<std::pair<std::string, std::string>, int> positions;  // by type and name
  for (BeffioChunk& one : list) {
    one.name = words_of(one.chunk_byte);
    const auto [place, added] = positions.try_emplace({one.type, one.name}, one.position);
    if (!added && place->second != one.position)
      one.name += " of " + words_of(memory_of(one, *pattern_of(*one.point, table)));
  }
}

}  // namespace

BeffioRun::BeffioRun(std::span<const PointRecord> points) {
  bool checked = true, right = true;
  for (const auto& point : points) {
    if (point.suite != "b-eff-io") continue;
    ++points_;
    auto& own = partition(point.processes);
    const std::size_t access = access_of(point);
    partial_ += point.status == record::Status::partial ? 1u : 0u;
    missing_ += beffio::has_figures(point) ? 0u : 1u;
    right = right && point.verified.value_or(true);
    crowded_ = crowded_ || is_crowded(point);
    if (!beffio::has_figures(point)) continue;
    checked = checked && point.verified.has_value();
    own.add(access, beffio::figures_of(point));
  }
  if (points_ == 0) throw std::invalid_argument("no points of b-eff-io");
  if (!right)
    verified_ = false;
  else if (checked && missing_ < points_)
    verified_ = true;
}

BeffioPartition& BeffioRun::partition(int processes) {
  const auto found = std::ranges::find(partitions_, processes, &BeffioPartition::processes);
  return found != partitions_.end() ? *found : partitions_.emplace_back(processes);
}

const BeffioPartition* BeffioRun::best(std::string_view formula) const {
  const BeffioPartition* best = nullptr;
  for (const auto& one : partitions_) {
    const auto value = beffio_value(one, formula);
    if (value && (best == nullptr || *value > *beffio_value(*best, formula))) best = &one;
  }
  return best;
}

BeffioFrame beffio_frame(const record::RunRecord& run) {
  BeffioFrame frame;
  const Json& config = run.config.json();
  if (!config.is_object() || !config.contains("b-eff-io")) return frame;
  const Json& own = config["b-eff-io"];
  const auto whole = [&](const char* name) -> std::optional<std::int64_t> {
    if (!own.contains(name) || !own[name].is_number_integer()) return std::nullopt;
    return own[name].get<std::int64_t>();
  };
  const auto set_words = [&](const char* name, std::string& to) {
    if (own.contains(name) && own[name].is_string()) to = own[name].get<std::string>();
  };
  const auto set_truth = [&](const char* name, bool& to) {
    if (own.contains(name) && own[name].is_boolean()) to = own[name].get<bool>();
  };
  frame.memory_per_process_byte = whole("memory_per_process_byte");
  frame.system_memory_byte = whole("system_memory_byte");
  frame.largest_chunk_byte = whole("largest_chunk_byte");
  frame.cache_byte = whole("cache_byte");
  frame.largest_together_byte = whole("largest_chunks_together_byte");
  frame.most_byte = whole("most_byte");
  frame.align_byte = whole("align_byte").value_or(frame.align_byte);
  frame.hints = whole("hints").value_or(0);
  if (own.contains("scheduled_s") && own["scheduled_s"].is_number())
    frame.scheduled_s = own["scheduled_s"].get<double>();
  if (own.contains("partitions") && own["partitions"].is_array()) frame.partitions = own["partitions"].size();
  set_words("formula", frame.formula);
  if (frame.formula == "seed") frame.formula = "published";  // its name in older records
  set_words("control", frame.control);
  set_words("order", frame.order);
  set_truth("shared_pointers", frame.shared_pointers);
  set_truth("unique", frame.unique);
  set_truth("rewrite_all", frame.rewrite_all);
  set_truth("keep", frame.keep);
  set_truth("drop_cache", frame.drop_cache);
  set_truth("random", frame.random);
  std::string because;
  set_words("not_official_because", because);
  std::istringstream lines(because);
  for (std::string line; std::getline(lines, line);) frame.not_official_because.push_back(line);
  return frame;
}

// Which values may be compared between systems, and the summary of a run.

std::vector<BeffioCriterion> beffio_criteria(const BeffioPartition& partition, const BeffioFrame& frame,
                                             std::size_t partitions) {
  const auto errors = static_cast<double>(partition.errors());
  return {
      time(frame, partitions),
      {Kind::shared, partition.shared_pointers(), true, std::nullopt, std::nullopt},
      {Kind::errors, partition.errors() == 0, true, errors, 0},
      {Kind::space, !partition.was_cut(), true, std::nullopt, std::nullopt},
      {Kind::complete, beffio_value(partition, frame.formula).has_value(), true, std::nullopt, std::nullopt},
      cache(partition, frame),
      volume(partition)};
}

bool valid(std::span<const BeffioCriterion> criteria) {
  return std::ranges::all_of(criteria, [](const auto& one) { return one.reached || !one.decides; });
}

record::SummaryRecord beffio_summary(const BeffioRun& run, const BeffioFrame& frame) {
  record::SummaryRecord summary;
  const BeffioPartition* best = run.best(frame.formula);
  const auto of_best = [&](auto value_of) -> std::optional<double> {
    return best == nullptr ? std::nullopt : value_of(*best);
  };
  summary.name = "b_eff_io";
  summary.suite = "b-eff-io";
  summary.processes = best == nullptr ? run.partitions().front().processes() : best->processes();
  if (frame.memory_per_process_byte)
    summary.params["memory_per_process_byte"] = *frame.memory_per_process_byte;
  if (frame.largest_chunk_byte) summary.params["largest_chunk_byte"] = *frame.largest_chunk_byte;
  put(summary, "b_eff_io_byte_s", of_best([&](const auto& p) { return beffio_value(p, frame.formula); }));
  put(summary, "b_eff_io_published_byte_s", of_best([](const auto& p) { return p.published_value(); }));
  put(summary, "b_eff_io_release2_byte_s", of_best([](const auto& p) { return p.release2_value(); }));
  put(summary, "b_eff_io_write_byte_s", of_best([](const auto& p) { return p.access_value(beffio_write); }));
  put(summary, "b_eff_io_rewrite_byte_s",
      of_best([](const auto& p) { return p.access_value(beffio_rewrite); }));
  put(summary, "b_eff_io_read_byte_s", of_best([](const auto& p) { return p.access_value(beffio_read); }));
  describe_partitions(run, frame, summary.classic);
  summary.verified = run.verified();
  summary.not_official_because = reasons(run, frame, best);
  summary.official = summary.not_official_because.empty();
  summary.inputs_select = "b-eff-io/*";
  summary.inputs_used = static_cast<std::int64_t>(run.points() - run.missing());
  summary.inputs_missing = static_cast<std::int64_t>(run.missing());
  return summary;
}

std::optional<double> beffio_access_value(const BeffioTypeValues& types) {
  const auto all = sum(types);
  if (!all) return std::nullopt;
  return (*types[0] + *all) / 6;
}

std::optional<double> beffio_value(const BeffioAccessValues& values) {
  if (!values.write || !values.rewrite || !values.read) return std::nullopt;
  return 0.25 * *values.write + 0.25 * *values.rewrite + 0.5 * *values.read;
}

std::optional<double> beffio_release2_value(const BeffioTypeValues& write,
                                            std::optional<double> rewrite_of_type_0,
                                            std::optional<double> read) {
  const auto all = sum(write);
  if (!all || !rewrite_of_type_0 || !read) return std::nullopt;
  return std::sqrt((*all + *rewrite_of_type_0) / 6 * *read);
}

void BeffioPartition::add(std::size_t access, const PatternFigures& pattern) {
  const auto number = static_cast<std::size_t>(pattern.number);
  if (number < beffio_pattern_count)
    patterns_.at(access)[number] = pattern;
  else
    random_.at(access).at(number - beffio_pattern_count) = pattern;
}

const PatternFigures* BeffioPartition::random_at_position(std::size_t access, int position) const {
  return in_row(random_[access], position);
}

std::optional<BeffioType> BeffioPartition::random(std::size_t access) const {
  return whole_type(random_[access]);
}

bool BeffioPartition::has_random() const {
  for (const auto& patterns : random_)
    for (const auto& pattern : patterns)
      if (pattern) return true;
  return false;
}

template <class Visit>
void BeffioPartition::each(Visit visit) const {
  for (const auto& patterns : patterns_)
    for (const auto& pattern : patterns)
      if (pattern) visit(*pattern);
}

const PatternFigures* BeffioPartition::at_position(std::size_t access, std::size_t type, int position) const {
  return in_row(of_type(patterns_[access], type), position);
}

std::optional<BeffioType> BeffioPartition::type(std::size_t access, std::size_t type) const {
  return whole_type(of_type(patterns_[access], type));
}

BeffioTypeValues BeffioPartition::type_values(std::size_t access) const {
  BeffioTypeValues values;
  for (std::size_t t = 0; t < beffio_type_count; ++t)
    if (const auto found = type(access, t)) values[t] = found->byte_s();
  return values;
}

BeffioTotal BeffioPartition::total(std::size_t access) const {
  BeffioTotal total;
  Weighted weighted;
  for (std::size_t t = 0; t < beffio_type_count; ++t) {
    const auto found = type(access, t);
    if (!found) continue;
    total.moved_byte += found->moved_byte;
    total.time_s += found->total_s();
  }
  for (const auto& pattern : patterns_[access])
    if (pattern) weighted.add(*pattern);
  total.weighted_byte_s = weighted.mean();
  return total;
}

BeffioTotal BeffioPartition::total() const {
  BeffioTotal all;
  Weighted weighted;
  for (std::size_t a = 0; a < beffio_access_count; ++a) {
    const auto one = total(a);
    all.moved_byte += one.moved_byte;
    all.time_s += one.time_s;
  }
  each([&](const PatternFigures& pattern) { weighted.add(pattern); });
  all.weighted_byte_s = weighted.mean();
  return all;
}

bool BeffioPartition::only_type_0_rewritten() const {
  const auto is_there = [](const auto& pattern) { return pattern.has_value(); };
  const Patterns all(patterns_[beffio_rewrite]), scattered = of_type(all, 0);
  return std::ranges::any_of(scattered, is_there) &&
         std::ranges::none_of(all.subspan(scattered.size()), is_there);
}

std::optional<double> BeffioPartition::access_value(std::size_t access) const {
  const auto types = type_values(access);
  if (access == beffio_rewrite && only_type_0_rewritten()) return types[0];
  return beffio_access_value(types);
}

std::optional<double> BeffioPartition::published_value() const {
  return analysis::beffio_value(
      {access_value(beffio_write), access_value(beffio_rewrite), access_value(beffio_read)});
}

std::optional<double> BeffioPartition::release2_value() const {
  return beffio_release2_value(type_values(beffio_write), type_values(beffio_rewrite)[0],
                               access_value(beffio_read));
}

std::int64_t BeffioPartition::errors() const {
  std::int64_t sum = 0;
  each([&](const PatternFigures& pattern) { sum += pattern.errors; });
  return sum;
}

bool BeffioPartition::was_cut() const {
  bool cut = false;
  each([&](const PatternFigures& pattern) { cut = cut || !pattern.cut.empty(); });
  return cut;
}

bool BeffioPartition::shared_pointers() const {
  bool shared = true;
  each([&](const PatternFigures& pattern) { shared = shared && pattern.shared_pointer(); });
  return shared;
}

std::optional<double> BeffioPartition::cache_byte() const {
  std::optional<double> found;
  each([&](const PatternFigures& pattern) {
    if (pattern.cache_byte && !found) found = pattern.cache_byte;
  });
  return found;
}

std::optional<double> BeffioPartition::least_volume_byte() const {
  std::optional<double> least;
  for (std::size_t a = 0; a < beffio_access_count; ++a) {
    if (!access_value(a)) continue;
    const double volume = total(a).moved_byte;
    least = least ? std::min(*least, volume) : volume;
  }
  return least;
}

std::optional<double> beffio_value(const BeffioPartition& partition, std::string_view formula) {
  return formula == "2.x" ? partition.release2_value() : partition.published_value();
}

std::vector<BeffioChunk> beffio_chunks(std::span<const record::PointRecord> points) {
  // Types, positions and all sizes but the largest are the same whatever the memory.
  const PatternTable table = beffio::pattern_table(beffio::largest_chunk(0));
  std::vector<BeffioChunk> list;
  for (const record::PointRecord& point : points) {
    if (point.suite != beffio::suite_name) continue;
    const Pattern* pattern = pattern_of(point, table);
    const auto chunk = record::number_in(point, "chunk_byte");
    if (pattern == nullptr || pattern->position < 1 || !chunk) continue;
    list.push_back({&point, std::string(text(pattern->type)), pattern->position, *chunk, {}});
  }
  std::ranges::stable_sort(list, {}, [&](const BeffioChunk& one) {
    return std::tuple(pattern_of(*one.point, table)->type, one.position);
  });
  name_them(list, table);
  return list;
}

}  // namespace steelyard::analysis
