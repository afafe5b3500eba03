// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/random_access/owner.hpp"

/// Parts of the batched exchange of RandomAccess.
namespace steelyard::hpcc {

/// Updates whose words are on their way from memory: as many as keep all of a core's miss buffers busy.
inline constexpr std::size_t updates_under_way = 64;
/// One batch waits while another travels and the last of a third are under way: together the 1024 values of
/// the rule.
inline constexpr std::size_t batch_size = (most_ahead - updates_under_way) / 2;

/// Values that go the same way: word by word behind word 0, which belongs to the mail that carries them.
class UpdateList {
 public:
  using Word = std::uint64_t;
  /// Word 0, a full batch, and one more that may be written and does not count.
  static constexpr std::size_t room = batch_size + 2;

  UpdateList() : own_(room), words_(own_.data()) {}
  /// From now on the values lie in this memory of `room` words; nullptr: in the list's own.
  void lie_in(Word* words) noexcept { words_ = words == nullptr ? own_.data() : words; }
  [[nodiscard]] Word* words() noexcept { return words_; }

  /// Where the next value goes; end_at() tells how far values were put from there on.
  [[nodiscard]] Word* end() noexcept { return words_ + 1 + count_; }
  void end_at(const Word* end) noexcept { count_ = static_cast<std::size_t>(end - words_) - 1; }
  void clear() noexcept { count_ = 0; }
  void cut(std::size_t count) noexcept { count_ = count; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::span<const Word> values() const noexcept { return {words_ + 1, count_}; }

 private:
  std::vector<Word> own_;
  Word* words_;
  std::size_t count_ = 0;
};

/// Who speaks to whom in which step: each process sends to the ranks some places on and receives from those
/// as many places back. All of them in every step, or as many as are allowed in turn.
class UpdatePartners {
 public:
  UpdatePartners(const mpi::Communicator& comm, int most)
      : rank_(comm.rank()), others_(comm.size() - 1), count_(std::min(others_, most)) {}
  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] int to(std::int64_t step, int i) const noexcept {
    return (rank_ + 1 + distance(step, i)) % (others_ + 1);
  }
  [[nodiscard]] int from(std::int64_t step, int i) const noexcept {
    return (rank_ + others_ - distance(step, i)) % (others_ + 1);
  }
  /// Place of a rank among the partners of this step; count() is this process itself, count() + 1 those of
  /// other steps.
  [[nodiscard]] __attribute__((always_inline)) int place(std::int64_t step, int rank) const noexcept {
    const int distance = rank > rank_ ? rank - rank_ - 1 : rank - rank_ + others_;
    return count_ == others_ ? distance : place_in_turn(step, distance);
  }

 private:
  [[nodiscard]] int first(std::int64_t step) const noexcept {
    return static_cast<int>(step * count_ % std::max(others_, 1));
  }
  [[nodiscard]] int distance(std::int64_t step, int i) const noexcept { return (first(step) + i) % others_; }
  [[nodiscard]] int place_in_turn(std::int64_t step, int distance) const noexcept {
    if (distance == others_) return count_;
    const int place = (distance + others_ - first(step)) % others_;
    return place < count_ ? place : count_ + 1;
  }

  int rank_, others_, count_;
};

/// The values of one step by destination: messages to its partners, then own values, then those of other
/// steps.
struct UpdateBatch {
  explicit UpdateBatch(int partners) : lists(static_cast<std::size_t>(partners) + 2) {}
  [[nodiscard]] UpdateList& own() noexcept { return lists[lists.size() - 2]; }
  [[nodiscard]] UpdateList& later() noexcept { return lists.back(); }

  std::vector<UpdateList> lists;
  std::int64_t values = 0;  // that have not left or been applied
};

}  // namespace steelyard::hpcc
