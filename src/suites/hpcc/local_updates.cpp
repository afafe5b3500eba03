// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/local_updates.hpp"

#include <array>
#include <numeric>
#include <string>

#include "suites/hpcc/isa.hpp"

namespace steelyard::hpcc {
namespace {

using Word = std::uint64_t;

template <std::size_t lanes>
using Lanes = std::array<Word, lanes>;

/// Value before the first of each sub-stream of `steps` values.
template <class Stream, std::size_t lanes>
Lanes<lanes> starts(std::int64_t steps) {
  Lanes<lanes> x;
  for (std::size_t j = 0; j < lanes; ++j) x[j] = Stream::at(static_cast<std::int64_t>(j) * steps);
  return x;
}

template <class Stream>
void update_serially(Word* table, int bits) {
  Word x = 1;
  for (std::int64_t i = 0; i < std::int64_t{4} << bits; ++i) {
    x = Stream::next(x);
    table[Stream::index(x, bits)] ^= x;
  }
}

template <class Stream>
void update_plainly(Word* table, int bits) {
  constexpr std::size_t lanes = 128;
  const std::int64_t steps = (std::int64_t{4} << bits) / static_cast<std::int64_t>(lanes);
  auto x = starts<Stream, lanes>(steps);
  run_widest([&]() __attribute__((always_inline)) {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (auto& value : x) value = Stream::next(value);
      for (const auto value : x) table[Stream::index(value, bits)] ^= value;
    }
  });
}

template <class Stream>
void update_ahead(Word* table, int bits) {
  constexpr std::size_t lanes = 64;
  const std::int64_t steps = (std::int64_t{4} << bits) / static_cast<std::int64_t>(lanes);
  auto ahead = starts<Stream, lanes>(steps);
  run_widest([&]() __attribute__((always_inline)) {
    for (auto& value : ahead) value = Stream::next(value);
    Lanes<lanes> now = ahead;
    for (std::int64_t step = 1; step < steps; ++step) {
      for (std::size_t j = 0; j < lanes; ++j) ahead[j] = Stream::next(now[j]);
      for (std::size_t j = 0; j < lanes; ++j) {
        __builtin_prefetch(table + Stream::index(ahead[j], bits), 1);
        table[Stream::index(now[j], bits)] ^= now[j];
      }
      now = ahead;
    }
    for (const auto value : now) table[Stream::index(value, bits)] ^= value;
  });
}

/// A table of fewer words than half the sub-streams is updated without them.
constexpr int fewest_bits = 5;

template <class Stream>
void update(Word* table, int bits, Form form) {
  if (bits < fewest_bits) return update_serially<Stream>(table, bits);
  form == Form::base ? update_plainly<Stream>(table, bits) : update_ahead<Stream>(table, bits);
}

}  // namespace

LocalUpdates::LocalUpdates(Generator generator, int bits, Form form)
    : generator_(generator), bits_(bits), form_(form), table_(std::int64_t{1} << bits) {
  reset();
}

void LocalUpdates::reset() {
  std::iota(table_.data(), table_.data() + table_.size(), Word{0});
  runs_ = 0;
}

void LocalUpdates::run() noexcept {
  if (generator_ == Generator::polynomial)
    update<Polynomial>(table_.data(), bits_, form_);
  else
    update<Congruential>(table_.data(), bits_, form_);
  ++runs_;
}

measure::CheckResult LocalUpdates::verify() {
  // Two runs undo each other.
  if (runs_ % 2 == 1 && generator_ == Generator::polynomial)
    update_serially<Polynomial>(table_.data(), bits_);
  if (runs_ % 2 == 1 && generator_ == Generator::congruential)
    update_serially<Congruential>(table_.data(), bits_);
  measure::CheckResult result;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (table_[i] == i) continue;
    if (result.errors++ == 0) result.first = "word " + std::to_string(i);
  }
  result.worst = static_cast<double>(result.errors) / static_cast<double>(table_.size());
  reset();
  return result;
}

}  // namespace steelyard::hpcc
