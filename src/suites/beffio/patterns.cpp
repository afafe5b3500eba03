// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

namespace steelyard::beffio {
namespace {

constexpr std::int64_t kb = 1024, mb = 1024 * kb;
constexpr Bytes least_part{2 * mb}, most_part{1024 * mb};
constexpr std::int64_t parts_of_memory = 128;

/// Ways in which a size is known: given, or only from the memory (part) or from the other patterns (rest).
enum class Known { size, part, rest };
struct Chunk {
  std::int64_t byte = 0;
  Known known = Known::size;
};
constexpr Chunk part{0, Known::part}, rest{0, Known::rest};

struct Row {
  Chunk disk, memory;
  int units, position;
};

constexpr Row same(std::int64_t byte, int units, int position) {
  return {{byte}, {byte}, units, position};
}

constexpr Row scattered[] = {same(mb, 0, 0),
                             {part, part, 4, largest_position},
                             {{mb}, {2 * mb}, 4, extra_position},
                             same(mb, 4, 5),
                             {{32 * kb}, {mb}, 2, 3},
                             {{kb}, {mb}, 2, 1},
                             {{32 * kb + 8}, {mb + 256}, 2, 4},
                             {{kb + 8}, {mb + 8 * kb}, 2, 2},
                             same(mb + 8, 2, 6)};
constexpr Row ordered[] = {
    same(mb, 0, 0), {part, part, 4, largest_position}, same(mb, 2, 5),     same(32 * kb, 1, 3),
    same(kb, 1, 1), same(32 * kb + 8, 1, 4),           same(kb + 8, 1, 2), same(mb + 8, 2, 6)};
constexpr Row own[] = {
    same(mb, 0, 0),    {part, part, 2, largest_position}, same(mb, 2, 5),     same(32 * kb, 1, 3),
    same(kb, 1, 1),    same(32 * kb + 8, 1, 4),           same(kb + 8, 1, 2), same(mb + 8, 2, 6),
    {rest, rest, 0, 0}};

/// Whether the last pattern of a type fills a segment up.
bool fills_up(PatternType type) {
  return size_driven(type) && is_of_the_definition(type);
}

std::span<const Row> rows(PatternType type) {
  if (type == PatternType::scatter) return scattered;
  if (type == PatternType::shared) return ordered;
  const std::span<const Row> all = own;
  return fills_up(type) ? all : all.first(all.size() - 1);
}

Bytes size_of(const Chunk& chunk, Bytes largest) {
  return chunk.known == Known::part ? largest : Bytes{chunk.byte};
}

constexpr double steps_of_schedule = 16;

std::uint64_t whole(double value) {
  constexpr double most = 1e18;
  return static_cast<std::uint64_t>(std::clamp(value, 0.0, most));
}

constexpr std::int64_t parts_kept = 20;

}  // namespace

Bytes largest_chunk(std::int64_t mebibytes_per_process) {
  return std::clamp(mebibytes_per_process * Bytes{mb / parts_of_memory}, least_part, most_part);
}

PatternTable pattern_table(Bytes largest) {
  return pattern_table(largest, largest);
}

PatternTable pattern_table(Bytes largest, Bytes largest_of_common_files) {
  if (largest < least_part || largest.count() % element_byte != 0)
    throw std::invalid_argument("the largest chunk must be a multiple of 8 byte and at least 2 MB");
  if (largest_of_common_files.count() < element_byte || largest_of_common_files.count() % element_byte != 0)
    throw std::invalid_argument("the largest chunk of common files must be a multiple of 8 byte");
  PatternTable table;
  std::size_t number = 0;
  for (const auto type : pattern_types)
    for (const Row& row : rows(type)) {
      const Bytes most = type == PatternType::separated ? largest : largest_of_common_files;
      table.at(number) = {static_cast<int>(number),
                          type,
                          size_of(row.disk, most),
                          size_of(row.memory, most),
                          is_of_the_definition(type) ? row.units : 0,
                          row.position,
                          row.disk.known == Known::rest};
      ++number;
    }
  return table;
}

Span patterns_of(PatternType type) {
  Span span;
  for (const auto earlier : pattern_types)
    if (index(earlier) < index(type)) span.first += rows(earlier).size();
  span.count = rows(type).size();
  return span;
}

PatternType type_of(int number) {
  for (const auto type : pattern_types)
    if (number >= 0 && static_cast<std::size_t>(number) <= patterns_of(type).last()) return type;
  throw std::out_of_range("there is no pattern " + std::to_string(number));
}

int units_of(PatternType type) {
  int sum = 0;
  if (!is_of_the_definition(type)) return sum;
  for (const Row& row : rows(type)) sum += row.units;
  return sum;
}

int units_of_table() {
  int all = 0;
  for (const auto type : pattern_types) all += units_of(type);
  return all;
}

int scheduled_units(Rewriting rewriting) {
  const int all = units_of_table();
  const int again = rewriting == Rewriting::all_types ? all : units_of(PatternType::scatter);
  return all + again + all;
}

double unit_s(double total_s, int partitions, Rewriting rewriting) {
  return total_s / partitions / scheduled_units(rewriting);
}

double writing_s(double total_s, Rewriting rewriting) {
  return unit_s(total_s, 1, rewriting) * units_of_table();
}

double WritingTime::scheduled_s(double planned_s, double now_s) {
  if (!allowed_s_ || planned_s <= 0) return planned_s;
  if (!start_s_) start_s_ = now_s;
  const double taken_s = now_s - *start_s_;
  const double pace = done_s_ > 0 ? std::max(1.0, taken_s / done_s_) : 1;
  const double part = std::clamp((*allowed_s_ - taken_s) / (left_s_ * pace), 0.0, 1.0);
  left_s_ = std::max(left_s_ - planned_s, planned_s);
  done_s_ += part * planned_s;
  return part * planned_s;
}

std::uint64_t next_batch(Control control, double scheduled_s, const Pace& pace) {
  const double average_s = pace.elapsed_s / static_cast<double>(pace.done);
  if (control == Control::each) return average_s * static_cast<double>(pace.done + 1) <= scheduled_s ? 1 : 0;
  const double left_s = scheduled_s - pace.elapsed_s;
  if (!(pace.last_s > 0)) return left_s > 0 ? pace.done : 0;
  const double fit = std::floor(left_s / pace.last_s);
  if (fit < 1) return 0;
  const std::uint64_t half = whole(std::ceil(fit / 2));
  const std::uint64_t step = whole(std::ceil(scheduled_s / (steps_of_schedule * pace.last_s)));
  return std::max<std::uint64_t>(1, std::min({pace.done, half, step}));
}

std::int64_t VolumeGuard::within_space(const Space& space, std::int64_t reserve_byte) {
  const std::int64_t kept = std::max(space.total_byte / parts_kept, reserve_byte);
  return std::max<std::int64_t>(0, space.free_byte - kept);
}

std::optional<std::int64_t> VolumeGuard::left(const Progress& progress) const {
  if (!most_) return std::nullopt;
  return std::max<std::int64_t>(0, *most_ - progress.written_byte);
}

std::optional<std::int64_t> VolumeGuard::share(const Progress& progress, int units) const {
  const auto all = left(progress);
  if (!all || progress.units_left <= 0) return all;
  return static_cast<std::int64_t>(static_cast<double>(*all) * units / progress.units_left);
}

}  // namespace steelyard::beffio
