// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "suites/hpcc/random_access/update_stream.hpp"

/// Route of an update to its owner among many processes: in round k it moves 2^k ranks on if its distance has
/// that bit. Any number of processes. Pure.
namespace steelyard::hpcc {

/// Most processes among which every one speaks to every other; with more, a trial tells whether updates are
/// routed, and with very many, among which a trial would take long, they are.
inline constexpr int most_direct_processes = 16, most_tried_processes = 1024;

class UpdateRoute {
 public:
  UpdateRoute(int rank, int processes) : rank_(rank), processes_(processes) {}

  [[nodiscard]] int rounds() const noexcept {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(processes_ - 1)));
  }
  /// Ranks from here to the owner, upwards and round; 0 if it is this process.
  [[nodiscard]] int distance(int owner) const noexcept {
    return owner >= rank_ ? owner - rank_ : owner - rank_ + processes_;
  }
  /// The next round in which a value of this distance moves; not for 0.
  [[nodiscard]] static int round_of(int distance) noexcept {
    return std::countr_zero(static_cast<unsigned>(distance));
  }
  [[nodiscard]] int next(int round) const noexcept { return (rank_ + (1 << round)) % processes_; }
  [[nodiscard]] int previous(int round) const noexcept {
    return (rank_ + processes_ - (1 << round)) % processes_;
  }

 private:
  int rank_, processes_;
};

// One process's part in the routing of RandomAccess, without the messages. Pure.

/// Values, by the round in which they go on, that a process can still take from the one before it.
using Credits = std::array<std::int32_t, 32>;

/// Relay of one process. Values wait in lists by the round in which they go on. Every list of others' values
/// has room for one full message, and so has the message itself; together these are the 1024 of the rule. A
/// value goes on only if there is room for it where it waits next. Values that go on in the last round are
/// always taken, so the lists of the round before it empty, and so on down: no value waits for ever, however
/// the sequence may heap values up.
template <class Stream>
class UpdateRelay {
 public:
  using Word = std::uint64_t;

  /// At least two processes; `table`: the words of this process.
  UpdateRelay(const TableParts& parts, int rank, Word* table)
      : route_(rank, parts.processes()),
        owner_(parts),
        table_(table),
        bits_(parts.bits()),
        first_(static_cast<std::size_t>(parts.start(rank))),
        value_(Stream::at(4 * parts.start(rank))),
        own_(static_cast<std::size_t>(route_.rounds())),
        foreign_(own_.size()) {
    for (auto& list : own_) list.reserve(batch());
    for (auto& list : foreign_) list.reserve(message_words());
    arrived_.reserve(batch() + message_words());
  }

  [[nodiscard]] const UpdateRoute& route() const { return route_; }
  /// Most values of one message.
  [[nodiscard]] std::size_t message_words() const { return most_ahead / own_.size(); }
  /// Most own values that wait; about half of them go on in each round.
  [[nodiscard]] std::size_t batch() const { return std::min(most_ahead / 2, message_words() * 3 / 2); }

  /// Tops up the own values from those of the sequence that are left.
  void generate(std::int64_t& left) noexcept {
    const auto fresh = std::min(left, static_cast<std::int64_t>(batch()) - own());
    for (std::int64_t i = 0; i < fresh; ++i) sort_in(value_ = Stream::next(value_), own_);
    left -= std::max<std::int64_t>(fresh, 0);
  }

  [[nodiscard]] Credits credits() const noexcept {
    Credits free{};
    for (std::size_t round = 0; round < foreign_.size(); ++round)
      free[round] = static_cast<std::int32_t>(message_words() - foreign_[round].size());
    return free;
  }

  /// Number of values that were moved, and how many of them were own ones.
  struct Collected {
    std::size_t words = 0, own = 0;
  };
  /// Moves the values that go on in this round to `message`, which has room for
  /// message_words(); others' values first.
  Collected collect(int round, Credits& credits, Word* message) noexcept {
    const auto list = static_cast<std::size_t>(round);
    const auto passed_on = move(foreign_[list], round, credits, message, 0);
    const auto all = move(own_[list], round, credits, message, passed_on);
    return {all, all - passed_on};
  }

  void take(std::span<const Word> message) noexcept {
    for (const Word x : message) sort_in(x, foreign_);
  }

  /// Updates the table with the values that have arrived, whose words have been fetched meanwhile.
  void apply() noexcept {
    for (const Word x : arrived_) word(x) ^= x;
    arrived_.clear();
  }

  [[nodiscard]] std::int64_t own() const noexcept { return count(own_); }
  [[nodiscard]] std::int64_t foreign() const noexcept { return count(foreign_); }

 private:
  using Lists = std::vector<std::vector<Word>>;

  [[nodiscard]] static std::int64_t count(const Lists& lists) noexcept {
    return std::transform_reduce(lists.begin(), lists.end(), std::int64_t{0}, std::plus<>(),
                                 [](const auto& list) { return static_cast<std::int64_t>(list.size()); });
  }
  [[nodiscard]] int distance(Word x) const noexcept {
    return route_.distance(owner_(Stream::index(x, bits_)));
  }
  [[nodiscard]] Word& word(Word x) const noexcept { return table_[Stream::index(x, bits_) - first_]; }

  void sort_in(Word x, Lists& lists) noexcept {
    const int left = distance(x);
    if (left != 0) return lists[static_cast<std::size_t>(UpdateRoute::round_of(left))].push_back(x);
    __builtin_prefetch(&word(x), 1);
    arrived_.push_back(x);
  }

  std::size_t move(std::vector<Word>& list, int round, Credits& credits, Word* message,
                   std::size_t at) noexcept {
    const auto most = message_words();
    auto keep = list.begin();
    for (const Word x : list) {
      const int left = distance(x) - (1 << round);
      auto* credit = left == 0 ? nullptr : &credits[static_cast<std::size_t>(UpdateRoute::round_of(left))];
      const bool goes = at < most && (credit == nullptr || *credit > 0);
      if (goes && credit != nullptr) --*credit;
      if (goes)
        message[at++] = x;
      else
        *keep++ = x;
    }
    list.erase(keep, list.end());
    return at;
  }

  UpdateRoute route_;
  OwnerFinder owner_;
  Word* table_;
  int bits_;
  std::size_t first_;
  Word value_;
  Lists own_, foreign_;
  std::vector<Word> arrived_;
};

}  // namespace steelyard::hpcc
