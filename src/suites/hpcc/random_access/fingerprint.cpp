// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/random_access/fingerprint.hpp"

#include <array>

#include "suites/hpcc/foundation/isa.hpp"

namespace steelyard::hpcc {
namespace {

/// Sub-streams or words that are added side by side, so that they lie in vectors.
constexpr std::size_t lanes = 64;

/// Sums of as many lanes, added up in the end.
struct Sums {
  std::array<std::uint64_t, lanes> values{}, places{};

  __attribute__((always_inline)) void add(std::size_t lane, std::size_t word, std::uint64_t value) noexcept {
    Fingerprint one;
    one.add(word, value);
    values[lane] ^= one.values;
    places[lane] ^= one.places;
  }
  [[nodiscard]] Fingerprint total() const noexcept {
    Fingerprint sum;
    for (std::size_t j = 0; j < lanes; ++j) sum ^= {values[j], places[j]};
    return sum;
  }
};

template <class Stream>
Fingerprint of_updates(int bits, Share part) noexcept {
  const std::int64_t steps = part.size() / static_cast<std::int64_t>(lanes);
  std::array<std::uint64_t, lanes> first;
  for (std::size_t j = 0; j < lanes; ++j)
    first[j] = Stream::at(part.begin + static_cast<std::int64_t>(j) * steps);
  Fingerprint sum;
  run_widest([&, bits, steps ]() __attribute__((always_inline)) {
    auto x = first;
    Sums sums;
    for (std::int64_t step = 0; step < steps; ++step)
      for (std::size_t j = 0; j < lanes; ++j) {
        x[j] = Stream::next(x[j]);
        sums.add(j, Stream::index(x[j], bits), x[j]);
      }
    sum = sums.total();
  });
  const std::int64_t done = part.begin + steps * static_cast<std::int64_t>(lanes);
  std::uint64_t x = Stream::at(done);
  for (std::int64_t i = done; i < part.end; ++i) {
    x = Stream::next(x);
    sum.add(Stream::index(x, bits), x);
  }
  return sum;
}

}  // namespace

Fingerprint fingerprint_of_updates(Generator generator, int bits, Share part) noexcept {
  return with_stream(generator, [=]<class Stream>() { return of_updates<Stream>(bits, part); });
}

Fingerprint fingerprint_of_changes(std::span<const std::uint64_t> words, std::uint64_t first) noexcept {
  Fingerprint sum;
  const std::size_t whole = words.size() / lanes * lanes;
  run_widest([&, words, first, whole ]() __attribute__((always_inline)) {
    Sums sums;
    for (std::size_t i = 0; i < whole; i += lanes)
      for (std::size_t j = 0; j < lanes; ++j) sums.add(j, first + i + j, words[i + j] ^ (first + i + j));
    sum = sums.total();
  });
  for (std::size_t i = whole; i < words.size(); ++i) sum.add(first + i, words[i] ^ (first + i));
  return sum;
}

}  // namespace steelyard::hpcc
