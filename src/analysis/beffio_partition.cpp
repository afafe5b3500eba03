// SPDX-License-Identifier: Apache-2.0
#include "analysis/beffio_partition.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analysis/beffio_run.hpp"
#include "record/point_view.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/beffio/patterns.hpp"
#include "units/text.hpp"

namespace steelyard::analysis {
namespace {

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

}  // namespace

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

namespace {

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
