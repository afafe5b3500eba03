// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/check_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "stats/splitmix.hpp"

namespace steelyard::imb {
namespace {

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
    case DataType::character:
      return put<std::uint8_t>(value, out, bytes);
    case DataType::integer:
      return put<int>(value, out, bytes);
    case DataType::single:
      return put<float>(value, out, bytes);
    case DataType::real:
      return put<double>(value, out, bytes);
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
    case DataType::integer:
      return get<int>(in);
    case DataType::single:
      return get<float>(in);
    case DataType::real:
      return get<double>(in);
    default:
      return get<std::int8_t>(in);
  }
}

}  // namespace

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
  for (std::size_t at = 0; at < out.size(); at += sizeof(T)) {
    put<T>(sums_[static_cast<std::size_t>(shift)], out.data() + at, std::min(sizeof(T), out.size() - at));
    shift += step;
    if (shift >= modulus_) shift -= modulus_;
  }
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
