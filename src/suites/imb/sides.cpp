// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/sides.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "stats/splitmix.hpp"

namespace steelyard::imb {
namespace {

SideLayout lay_out(std::int64_t length, const measure::OffCache& off_cache, std::uint64_t operations) {
  if (!off_cache.on() || length == 0) return {length, {.offset = length, .slots = 1, .bytes = length}};
  return {length, measure::slot_layout(length, off_cache, operations)};
}

// Layout with so many places, whatever the cache needs: transfers must not overlap.
SideLayout in_sections(const SideLayout& layout, std::int64_t count) {
  return {layout.length,
          {.offset = layout.slots.offset, .slots = count, .bytes = in_memory(count, layout.slots.offset)}};
}

// Aggregate transfers are complete together, so each has a section of its own: sizes one after the other, or
// spaced as the cache asks where that needs more memory.
SideLayout disjoint(std::int64_t length, const measure::OffCache& off_cache, std::uint64_t operations) {
  const auto count = static_cast<std::int64_t>(operations);
  const SideLayout close{length, {.offset = length, .slots = count, .bytes = in_memory(count, length)}};
  const auto spaced = lay_out(length, off_cache, operations);
  return spaced.slots.bytes > close.slots.bytes ? in_sections(spaced, count) : close;
}

Sides message_rate_sides(const Settings& settings, Bytes size, std::int64_t length) {
  const auto window = static_cast<std::uint64_t>(settings.window);
  const auto one = lay_out(length, settings.off_cache, window);
  if (in_memory(settings.window, size.count()) > separate_receives_limit.count()) return {one, one, true};
  return {one, in_sections(one, settings.window), false};
}

void fill_slot(std::byte* slot, std::int64_t length, int rank) {
  const float base = 0.1F * static_cast<float>(rank + 1);
  const auto element = [base](std::int64_t i) {
    return base + static_cast<float>(static_cast<std::int32_t>(i));
  };
  const std::int64_t whole = std::min<std::int64_t>(length / 4, std::numeric_limits<std::int32_t>::max());
  for (std::int64_t i = 0; i < whole; ++i) {
    const float value = element(i);
    std::memcpy(slot + 4 * i, &value, 4);
  }
  for (std::int64_t at = 4 * whole; at < length; at += 4) {
    const float value = base + static_cast<float>(at / 4);
    std::memcpy(slot + at, &value, static_cast<std::size_t>(std::min<std::int64_t>(4, length - at)));
  }
}

// Word `index` of a message. The lowest bit of every byte is 0, so that none is `untouched`; words that are
// eight, or any other number of bytes apart, differ nearly everywhere. One addition from word to word: a
// check makes each message four times.
constexpr std::uint64_t even_bytes = 0xfefefefefefefefeU;
static_assert((std::to_integer<unsigned>(untouched) & 1U) == 1U);

std::uint64_t state_of(std::uint64_t seed, std::int64_t index) {
  return seed + static_cast<std::uint64_t>(index) * stats::splitmix_step;
}

std::uint64_t message_word(std::uint64_t state) {
  return (state ^ (state >> 29)) & even_bytes;
}

std::int64_t modulus_for(DataType type, int processes) {
  if (type == DataType::single) return std::clamp<std::int64_t>((1 << 24) / processes, 2, 1024);
  return 1024;
}

template <class T>
void put(std::int64_t value, std::byte* out, std::size_t bytes) {
  const auto element = static_cast<T>(value);
  std::memcpy(out, &element, bytes);
}

void put(DataType type, std::int64_t value, std::byte* out, std::size_t bytes) {
  switch (type) {
    case DataType::byte:
    case DataType::character: return put<std::uint8_t>(value, out, bytes);
    case DataType::integer: return put<int>(value, out, bytes);
    case DataType::single: return put<float>(value, out, bytes);
    case DataType::real: return put<double>(value, out, bytes);
  }
}

template <class T>
double get(const std::byte* in) {
  T value{};
  std::memcpy(&value, in, sizeof(T));
  return static_cast<double>(value);
}

double get(DataType type, const std::byte* in) {
  switch (type) {
    case DataType::integer: return get<int>(in);
    case DataType::single: return get<float>(in);
    case DataType::real: return get<double>(in);
    default: return get<std::int8_t>(in);
  }
}

}  // namespace

Sides sides(const Settings& settings, const Definition& definition, Bytes size, int processes,
            std::uint64_t operations, Mode mode) {
  const auto factor = stride(settings.contiguous_type);
  if (definition.kind == Class::message_rate)
    return message_rate_sides(settings, size, in_memory(factor, std::max<std::int64_t>(size.count(), 4)));
  const auto unit = size_of(element_type(settings, definition));
  const auto need =
      buffer_need(definition, settings.version, size, processes, sections(settings, definition), unit);
  if (definition.one_sided && mode == Mode::aggregate) {
    const bool of_their_own = definition.together == Together::sections && settings.version == Version::v31;
    const auto receive = disjoint(need.receive, settings.off_cache, operations);
    if (of_their_own) return {disjoint(need.send, settings.off_cache, operations), receive};
    if (definition.together == Together::results)
      return {lay_out(need.send, settings.off_cache, operations), receive};
  }
  return {lay_out(factor * need.send, settings.off_cache, operations),
          lay_out(factor * need.receive, settings.off_cache, operations)};
}

void fill_send(const Area& area, int rank) {
  if (area.layout.length == 0) return;
  const auto& slots = area.layout.slots;
  if (slots.offset == area.layout.length) return fill_slot(area.base, slots.bytes, rank);
  for (std::int64_t slot = 0; slot < slots.slots; ++slot)
    fill_slot(area.base + slot * slots.offset, area.layout.length, rank);
}

void fill_receive(const Area& area) {
  if (area.layout.slots.bytes > 0)
    std::memset(area.base, 0, static_cast<std::size_t>(area.layout.slots.bytes));
}

void fill_bytes(int rank, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out) {
  const auto seed = stats::splitmix(stats::splitmix(static_cast<std::uint64_t>(rank)) + repetition);
  constexpr std::size_t word_byte = sizeof(std::uint64_t);
  const auto put_part = [&](std::size_t at, std::size_t skipped, std::size_t length) {
    const auto word = message_word(state_of(seed, (first + static_cast<std::int64_t>(at)) / 8));
    std::memcpy(out.data() + at, reinterpret_cast<const std::byte*>(&word) + skipped, length);
  };
  std::size_t at = 0;
  if (const auto skipped = static_cast<std::size_t>(first % 8); skipped != 0) {
    at = std::min(word_byte - skipped, out.size());
    put_part(0, skipped, at);
  }
  auto state = state_of(seed, (first + static_cast<std::int64_t>(at)) / 8);
  for (; at + word_byte <= out.size(); at += word_byte, state += stats::splitmix_step) {
    const auto word = message_word(state);
    std::memcpy(out.data() + at, &word, word_byte);
  }
  if (at < out.size()) put_part(at, 0, out.size() - at);
}

void fill_elements(int rank, std::int64_t first, std::span<std::byte> out) {
  constexpr std::uint64_t period = 10'000'000;
  constexpr std::size_t size = sizeof(std::uint32_t);
  const std::uint64_t base = period * (1 + static_cast<std::uint64_t>(rank));
  for (std::size_t done = 0; done < out.size();) {
    const auto at = static_cast<std::uint64_t>(first) + done;
    const auto index = at / size % period, offset = at % size;
    const auto element = static_cast<std::uint32_t>(base + index);
    std::byte* const to = out.data() + done;
    const auto whole = offset == 0 ? std::min<std::size_t>((out.size() - done) / size, period - index) : 0;
    for (std::size_t k = 0; k < whole; ++k) {
      const auto one = static_cast<std::uint32_t>(element + k);
      std::memcpy(to + size * k, &one, size);
    }
    const auto rest = whole > 0 ? 0 : std::min<std::size_t>(size - offset, out.size() - done);
    std::memcpy(to, reinterpret_cast<const char*>(&element) + offset, rest);
    done += whole * size + rest;
  }
}

Summands::Summands(DataType type, int processes, int first_rank, int ranks)
    : type_(type),
      first_(first_rank),
      last_(std::int64_t{first_rank} + ranks - 1),
      turns_((processes + 15) / 16),
      modulus_(modulus_for(type, processes)),
      sums_(static_cast<std::size_t>(modulus_)) {
  const auto classes = std::max<std::int64_t>(2, modulus_ / 16);
  std::vector<std::int64_t> with(sums_.size());  // ranks whose own part is the index
  for (auto r = first_; r <= last_; ++r) ++with[static_cast<std::size_t>(7 * (r % classes) % modulus_)];
  for (std::size_t v = 0; v < with.size(); ++v) sums_[0] += static_cast<std::int64_t>(v) * with[v];
  // One step further adds one to every summand but those that wrap to zero.
  for (std::size_t c = 1; c < sums_.size(); ++c)
    sums_[c] = sums_[c - 1] + ranks - modulus_ * with[sums_.size() - c];
}

std::int64_t Summands::sum(std::uint64_t repetition, std::int64_t element) const {
  const auto turn = static_cast<std::int64_t>(repetition % 1024);
  if (type_ == DataType::character) return small_sum(turn, element);
  const auto shift = (13 * (element % modulus_) + 29 * turn) % modulus_;
  return sums_[static_cast<std::size_t>(shift)];
}

std::int64_t Summands::small_sum(std::int64_t repetition, std::int64_t element) const {
  const auto late = (first_ + element + repetition) % turns_;
  std::int64_t result = 0;
  for (auto r = first_ + (late == 0 ? 0 : turns_ - late); r <= last_; r += turns_)
    result += (3 * (r / turns_ % 3) + 6 * (element % 7) + repetition) % 7;
  return result;
}

template <class T>
void Summands::fill_as(std::uint64_t repetition, std::int64_t first_element, std::span<std::byte> out) const {
  const auto turn = static_cast<std::int64_t>(repetition % 1024);
  auto shift = (13 * (first_element % modulus_) + 29 * turn) % modulus_;
  const auto step = 13 % modulus_;
  // As many elements further on the sums are the same ones.
  const auto period = sizeof(T) * sums_.size();
  const auto first = out.first(std::min(period, out.size()));
  for (std::size_t at = 0; at < first.size(); at += sizeof(T)) {
    put<T>(sums_[static_cast<std::size_t>(shift)], out.data() + at, std::min(sizeof(T), first.size() - at));
    shift += step;
    if (shift >= modulus_) shift -= modulus_;
  }
  for (std::size_t at = period; at < out.size(); at += period)
    std::memcpy(out.data() + at, out.data(), std::min(period, out.size() - at));
}

void Summands::fill(std::uint64_t repetition, std::int64_t first_element, std::span<std::byte> out) const {
  if (type_ == DataType::single) return fill_as<float>(repetition, first_element, out);
  if (type_ == DataType::real) return fill_as<double>(repetition, first_element, out);
  if (type_ == DataType::integer) return fill_as<int>(repetition, first_element, out);
  const auto size = static_cast<std::size_t>(size_of(type_));
  auto element = first_element;
  for (std::size_t at = 0; at < out.size(); at += size, ++element)
    put(type_, sum(repetition, element), out.data() + at, std::min(size, out.size() - at));
}

double deviation(DataType type, const std::byte* found, const std::byte* expected) {
  const double wanted = get(type, expected);
  const double ratio = std::abs(get(type, found) - wanted) / std::max(std::abs(wanted), 1.0);
  return std::isfinite(ratio) ? ratio : std::numeric_limits<double>::max();
}

}  // namespace steelyard::imb
