// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/patterns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numeric>
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

constexpr std::size_t timed_patterns = 7;
constexpr std::uint64_t ordered_counts = 10;

/// Pattern i of types 1 to 4 has a partner of the same chunk in type 0: its pattern 2 has none.
std::size_t partner_in_scatter(std::size_t i) {
  return i == 1 ? 1 : i + 1;
}

std::uint64_t repetitions(const PatternTable& table, const Repetitions& written, std::size_t i) {
  const std::size_t scatter = patterns_of(PatternType::scatter).first + partner_in_scatter(i);
  const std::uint64_t chunks = static_cast<std::uint64_t>(table[scatter].chunks());
  const std::uint64_t least = std::min({written[scatter] * chunks,
                                        ordered_counts * written[patterns_of(PatternType::shared).first + i],
                                        written[patterns_of(PatternType::separated).first + i]});
  return std::max<std::uint64_t>(1, least);
}

/// Bytes of a segment without its fill-up.
Bytes content(const PatternTable& table, const Segment& segment) {
  Bytes sum;
  for (std::size_t i = 0; i <= timed_patterns; ++i)
    sum = sum + static_cast<std::int64_t>(segment.repetitions[i]) *
                    table[patterns_of(PatternType::segmented).first + i].disk;
  return sum;
}

void set_length(Segment& segment, Bytes used, Bytes align) {
  const std::int64_t whole = (used.count() + align.count() - 1) / align.count();
  segment.length = whole * align;
  segment.fill_up = segment.length - used;
}

void reduce(const PatternTable& table, Segment& segment, Bytes align, Bytes most) {
  const double room = static_cast<double>((most / align) * align.count());
  while (segment.length > most) {
    const double share = std::min(0.99, room / static_cast<double>(segment.length.count()));
    for (std::size_t i = 1; i <= timed_patterns; ++i)
      segment.repetitions[i] = std::max<std::uint64_t>(
          1, static_cast<std::uint64_t>(share * static_cast<double>(segment.repetitions[i])));
    const Bytes before = segment.length;
    set_length(segment, content(table, segment), align);
    segment.reduced = true;
    const bool least = std::all_of(segment.repetitions.begin(), segment.repetitions.end(),
                                   [](std::uint64_t r) { return r == 1; });
    if (least && segment.length == before) return;
  }
}

constexpr unsigned rank_shift = 44, pattern_shift = 38, generation_shift = 37;
constexpr std::uint64_t rank_mask = (std::uint64_t{1} << 20) - 1;

std::uint64_t packed(const Origin& origin) {
  return ((static_cast<std::uint64_t>(origin.rank) & rank_mask) << rank_shift) |
         (static_cast<std::uint64_t>(origin.pattern) << pattern_shift) |
         (static_cast<std::uint64_t>(origin.generation) << generation_shift);
}

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value));
  return text;
}

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

std::optional<Segment> segment(const PatternTable& table, const Repetitions& written, Bytes align,
                               std::optional<Bytes> most) {
  Segment result;
  result.repetitions.fill(1);
  for (std::size_t i = 1; i <= timed_patterns; ++i) result.repetitions[i] = repetitions(table, written, i);
  set_length(result, content(table, result), align);
  if (most && result.length > *most) reduce(table, result, align, *most);
  if (most && result.length > *most) return std::nullopt;
  return result;
}

PatternTable filled_up(PatternTable table, const Segment& segment) {
  for (Pattern& pattern : table)
    if (pattern.fills_up) pattern.disk = pattern.memory = segment.fill_up;
  return table;
}

std::int64_t bytes_of(const Pattern& pattern, std::uint64_t calls) {
  return static_cast<std::int64_t>(calls) * pattern.memory.count();
}

Layout::Layout(const PatternTable& table, PatternType type, const Repetitions& calls, int processes,
               Bytes segment)
    : table_(&table), type_(type), processes_(processes), segment_(segment) {
  const Span span = patterns_of(type);
  std::int64_t begin = 0;
  for (std::size_t p = span.first; p <= span.last(); ++p) {
    begins_[p] = begin;
    begin += bytes_of(table[p], calls[p]) * (interleaved(type) ? processes : 1);
  }
}

std::int64_t Layout::offset(int pattern, const ChunkPlace& place) const {
  const Pattern& row = (*table_)[static_cast<std::size_t>(pattern)];
  const std::int64_t number = static_cast<std::int64_t>(place.call) * row.chunks() + place.chunk;
  const std::int64_t start = begin(pattern);
  if (interleaved(type_)) return start + (number * processes_ + place.rank) * row.disk.count();
  const std::int64_t base = size_driven(type_) ? segment_begin(place.rank) : 0;
  return base + start + number * row.disk.count();
}

// Places that are accessed, and their order.

namespace {

constexpr std::int64_t piece_words = 64 * 1024 / element_byte;

/// The numbers below `count` among `wanted`, each once, in order.
std::vector<std::int64_t> among(std::vector<std::int64_t> wanted, std::int64_t count) {
  std::erase_if(wanted, [&](std::int64_t i) { return i < 0 || i >= count; });
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

std::vector<std::int64_t> chosen(std::int64_t count, std::int64_t ends, ReadBack how) {
  if (how == ReadBack::all) {
    std::vector<std::int64_t> every(static_cast<std::size_t>(count));
    std::iota(every.begin(), every.end(), 0);
    return every;
  }
  std::vector<std::int64_t> wanted{count / 2};
  for (std::int64_t i = 0; i < ends; ++i) wanted.insert(wanted.end(), {i, count - 1 - i});
  return among(std::move(wanted), count);
}

void add_chunk(std::vector<Part>& parts, Part one, std::int64_t words, ReadBack how) {
  const std::int64_t pieces = (words + piece_words - 1) / piece_words;
  for (const std::int64_t piece : chosen(pieces, 1, how)) {
    one.first = piece * piece_words;
    one.count = std::min(piece_words, words - one.first);
    parts.push_back(one);
  }
}

}  // namespace

Shuffle::Shuffle(std::uint64_t count, std::uint64_t seed) : count_(std::max<std::uint64_t>(count, 1)) {
  half_bits_ = std::max(1U, (static_cast<unsigned>(std::bit_width(count_ - 1)) + 1) / 2);
  mask_ = (std::uint64_t{1} << half_bits_) - 1;
  for (std::uint64_t& key : keys_) key = seed = stats::splitmix(seed);
}

std::vector<Part> parts_to_read(const Pattern& pattern, std::uint64_t calls, ReadBack how) {
  std::vector<Part> parts;
  const std::int64_t words = pattern.disk.count() / element_byte;
  for (const std::int64_t call : chosen(static_cast<std::int64_t>(calls), 2, how))
    for (const std::int64_t chunk : chosen(pattern.chunks(), 1, how))
      add_chunk(parts, {static_cast<std::uint64_t>(call), chunk, 0, 0}, words, how);
  return parts;
}

// Rank, pattern and generation are counted from 1 in the highest bits, so that no stamp is 0.
Stamps::Stamps(const Origin& origin) : base_(packed({origin.rank + 1, origin.pattern, origin.generation})) {}

Body::Body(const Origin& origin) : seed_(stats::splitmix_number(packed(origin) + 1)) {}

void Body::fill(std::span<std::uint64_t> memory) const noexcept {
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = word(static_cast<std::int64_t>(i));
}

void Mismatches::add(const Origin& origin, std::uint64_t call, std::int64_t chunk, std::int64_t word,
                     std::uint64_t found, std::uint64_t expected) {
  result_.worst = 1;
  if (result_.errors++ >= told_) return;
  if (!result_.first.empty()) result_.first += "; ";
  result_.first += "pattern " + std::to_string(origin.pattern) + ", data of rank " +
                   std::to_string(origin.rank) + ", call " + std::to_string(call) + ", chunk " +
                   std::to_string(chunk) + ", word " + std::to_string(word) + ": found " +
                   hexadecimal(found) + ", expected " + hexadecimal(expected);
}

void compare(const Piece& piece, const Origin& origin, Mismatches& wrong) {
  const Stamps stamps(origin);
  const Body body(origin);
  const std::int64_t end = piece.words_per_chunk - 1;
  for (std::size_t i = 0; i < piece.found.size(); ++i) {
    const std::int64_t word = piece.first + static_cast<std::int64_t>(i);
    std::uint64_t expected = body.word(piece.chunk * piece.words_per_chunk + word);
    if (word == 0) expected = stamps.first(piece.call, piece.chunk);
    if (word == end) expected = stamps.last(piece.call, piece.chunk);
    if (piece.found[i] != expected)
      wrong.add(origin, piece.call, piece.chunk, word, piece.found[i], expected);
  }
}

}  // namespace steelyard::beffio
