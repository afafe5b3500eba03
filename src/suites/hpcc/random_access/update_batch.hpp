// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/random_access/owner.hpp"

/// Parts of the batched exchange of RandomAccess.
namespace steelyard::hpcc {

/// One batch waits while another travels: together the 1024 values of the rule.
inline constexpr std::size_t batch_size = most_ahead / 2;

/// Values on their way. Word 0 says whether this is the last message.
class UpdateMessage {
 public:
  using Word = std::uint64_t;

  UpdateMessage() : words_(batch_size + 2) {}
  /// Where the next value goes; end_at() tells how far values were put from there on.
  [[nodiscard]] Word* end() noexcept { return words_.data() + 1 + count_; }
  void end_at(const Word* end) noexcept { count_ = static_cast<std::size_t>(end - words_.data()) - 1; }
  void clear() noexcept { count_ = 0; }
  void cut(std::size_t count) noexcept { count_ = count; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::span<const Word> values() const noexcept { return {words_.data() + 1, count_}; }
  [[nodiscard]] bool last() const noexcept { return words_[0] != 0; }

  int send(MPI_Comm comm, int to, bool last, MPI_Request* request) noexcept {
    words_[0] = last ? 1 : 0;
    return MPI_Isend(words_.data(), static_cast<int>(count_ + 1), MPI_UINT64_T, to, tag, comm, request);
  }
  int receive(MPI_Comm comm, int from, MPI_Request* request) noexcept {
    return MPI_Irecv(words_.data(), static_cast<int>(words_.size()), MPI_UINT64_T, from, tag, comm, request);
  }
  /// The message is complete.
  int received(const MPI_Status& status) noexcept {
    int words = 0;
    const int code = MPI_Get_count(&status, MPI_UINT64_T, &words);
    count_ = static_cast<std::size_t>(std::max(words, 1)) - 1;
    return code;
  }

 private:
  static constexpr int tag = 31;
  std::vector<Word> words_;
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
  [[nodiscard]] UpdateMessage& own() noexcept { return lists[lists.size() - 2]; }
  [[nodiscard]] UpdateMessage& later() noexcept { return lists.back(); }

  std::vector<UpdateMessage> lists;
  std::int64_t values = 0;  // that have not left or been applied
};

}  // namespace steelyard::hpcc
