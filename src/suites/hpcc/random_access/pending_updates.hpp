// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "suites/hpcc/random_access/distributed_updates.hpp"
#include "suites/hpcc/random_access/update_mail.hpp"

namespace steelyard::hpcc {

/// Updates of one process's part that are applied bit by bit while others are generated and sorted: a word is
/// asked for from memory some updates before its own turn, and what is computed between hides in the waiting.
/// The last few stay pending until more come, so that memory is never idle.
template <class Stream>
class PendingUpdates {
 public:
  using Word = std::uint64_t;
  /// Words asked for at a time.
  static constexpr std::size_t step = 16;
  /// Words that are on their way from memory, most of those that stay pending.
  static constexpr std::size_t ahead = updates_under_way;

  /// Room for `most` values that were added and not applied.
  explicit PendingUpdates(std::size_t most) : values_(most) {}

  /// Forgets all values; those of this task follow.
  void begin(const UpdateTask& task) noexcept {
    table_ = task.table - task.parts.start(task.rank);
    bits_ = task.parts.bits();
    count_ = asked_ = applied_ = 0;
  }

  void add(std::span<const Word> values) noexcept {
    forget_applied();
    std::ranges::copy(values, values_.begin() + static_cast<std::ptrdiff_t>(count_));
    count_ += values.size();
  }

  /// Values that were added and not applied.
  [[nodiscard]] std::size_t left() const noexcept { return count_ - applied_; }

  /// Asks for the next words and applies what was asked for long enough ago.
  __attribute__((always_inline)) void advance() noexcept {
    Word* const table = table_;
    const int bits = bits_;
    const Word* const values = values_.data();
    const std::size_t ask = std::min(asked_ + step, count_);
    for (std::size_t i = asked_; i < ask; ++i) __builtin_prefetch(table + Stream::index(values[i], bits), 1);
    asked_ = ask;
    apply_up_to(ask - std::min(ask, ahead));
  }

  /// Asks for all that are left and applies all but the last `ahead`.
  void catch_up() noexcept {
    while (asked_ < count_) advance();
  }

  /// Applies all that are left.
  void finish() noexcept {
    catch_up();
    apply_up_to(count_);
  }

 private:
  void forget_applied() noexcept {
    std::copy(values_.begin() + static_cast<std::ptrdiff_t>(applied_),
              values_.begin() + static_cast<std::ptrdiff_t>(count_), values_.begin());
    count_ -= applied_;
    asked_ -= applied_;
    applied_ = 0;
  }

  __attribute__((always_inline)) void apply_up_to(std::size_t end) noexcept {
    Word* const table = table_;
    const int bits = bits_;
    const Word* const values = values_.data();
    for (std::size_t i = applied_; i < end; ++i) table[Stream::index(values[i], bits)] ^= values[i];
    applied_ = std::max(applied_, end);
  }

  Word* table_ = nullptr;  // where word 0 of the whole table would be
  int bits_ = 0;
  std::vector<Word> values_;
  std::size_t count_ = 0, asked_ = 0, applied_ = 0;
};

}  // namespace steelyard::hpcc
